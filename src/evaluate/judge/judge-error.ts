export type JudgeErrorCode =
  | 'judge_unreachable'
  | 'judge_timeout'
  | 'judge_refused'
  | 'judge_bad_answer'
  | 'judge_cost_limit'
  | 'judge_not_recorded';

/** Why a judge gave no answer. The message is for those who read the eval: no secret is in it. */
export class JudgeError extends Error {
  override readonly name = 'JudgeError';
  readonly code: JudgeErrorCode;
  /** Whether asking again soon may do. */
  readonly isPassing: boolean;
  /** What the endpoint asks to wait, in milliseconds; null = it says nothing. */
  readonly retryAfterMs: number | null;

  constructor(
    code: JudgeErrorCode,
    message: string,
    more: { isPassing?: boolean; retryAfterMs?: number | null } = {},
  ) {
    super(message);
    this.code = code;
    this.isPassing = more.isPassing ?? false;
    this.retryAfterMs = more.retryAfterMs ?? null;
  }
}

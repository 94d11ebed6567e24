export type JudgeErrorCode =
  | 'judge_unreachable'
  | 'judge_timeout'
  | 'judge_refused'
  | 'judge_bad_answer'
  | 'judge_cost_limit'
  | 'judge_not_recorded';

/** Error of a judge that returned no usable response. Its message is shown with the eval and contains no secret. */
export class JudgeError extends Error {
  override readonly name = 'JudgeError';
  readonly code: JudgeErrorCode;
  /** True if a retry may succeed soon. */
  readonly isPassing: boolean;
  /** Delay that the endpoint requests before a retry, in milliseconds; null when it requests none. */
  readonly retryAfterMs: number | null;

  /** True if the endpoint rejected the request as invalid, which a request with other parameters may not be. */
  readonly isInvalidRequest: boolean;

  constructor(
    code: JudgeErrorCode,
    message: string,
    more: { isPassing?: boolean; retryAfterMs?: number | null; isInvalidRequest?: boolean } = {},
  ) {
    super(message);
    this.code = code;
    this.isPassing = more.isPassing ?? false;
    this.isInvalidRequest = more.isInvalidRequest ?? false;
    this.retryAfterMs = more.retryAfterMs ?? null;
  }
}

import { CallError, type CallErrorOptions } from '../call-error.ts';

export type JudgeErrorCode =
  | 'judge_unreachable'
  | 'judge_timeout'
  | 'judge_refused'
  | 'judge_bad_answer'
  | 'judge_cost_limit'
  | 'judge_no_embeddings'
  | 'judge_not_recorded';

/** Error of a judge that returned no usable response. */
export class JudgeError extends CallError<JudgeErrorCode> {
  override readonly name = 'JudgeError';
  /** True if the endpoint rejected the request as invalid, which a request with other parameters may not be. */
  readonly isInvalidRequest: boolean;

  constructor(
    code: JudgeErrorCode,
    message: string,
    { isInvalidRequest = false, ...more }: CallErrorOptions & { isInvalidRequest?: boolean } = {},
  ) {
    super(code, message, more);
    this.isInvalidRequest = isInvalidRequest;
  }
}

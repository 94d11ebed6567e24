export interface CallErrorOptions {
  isPassing?: boolean;
  isBusy?: boolean;
  retryAfterMs?: number | null;
}

/**
 * Error of a request to a judge model or a scorer that got no usable response. Its message is shown with the eval and
 * contains no secret.
 */
export class CallError<Code extends string = string> extends Error {
  override readonly name: string = 'CallError';
  readonly code: Code;
  /** True if a retry may succeed soon. */
  readonly isPassing: boolean;
  /** True if the endpoint rejects requests because they are too many, so that a retry costs nothing. */
  readonly isBusy: boolean;
  /** Delay that the endpoint requests before a retry, in milliseconds; null when it requests none. */
  readonly retryAfterMs: number | null;

  constructor(
    code: Code,
    message: string,
    { isPassing = false, isBusy = false, retryAfterMs = null }: CallErrorOptions = {},
  ) {
    super(message);
    this.code = code;
    this.isPassing = isPassing;
    this.isBusy = isBusy;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Error of a request to a judge model or a scorer that got no usable response. Its message is shown with the eval and
 * contains no secret.
 */
export class CallError<Code extends string = string> extends Error {
  override readonly name: string = 'CallError';
  readonly code: Code;
  /** True if a retry may succeed soon. */
  readonly isPassing: boolean;
  /** Delay that the endpoint requests before a retry, in milliseconds; null when it requests none. */
  readonly retryAfterMs: number | null;

  constructor(
    code: Code,
    message: string,
    { isPassing = false, retryAfterMs = null }: { isPassing?: boolean; retryAfterMs?: number | null } = {},
  ) {
    super(message);
    this.code = code;
    this.isPassing = isPassing;
    this.retryAfterMs = retryAfterMs;
  }
}

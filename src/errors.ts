/** Every failure this server names. Anything else that is thrown is a bug: logged, and answered as `internal`. */
export const ERROR_STATUS = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

/** One thing wrong with a request, as `ValidationErrorResponse` shows it. */
export interface Issue {
  code: string;
  message: string;
  path: string[];
}

/** A failure with a message for the caller. `unavailable` and `rate_limited` pass: the caller may send again. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  /** Validation errors, with the code `invalid` only. */
  readonly issues: readonly Issue[];
  /** Seconds; only with the two that pass. */
  readonly retryAfter: number | null;

  constructor(
    code: ErrorCode,
    message: string,
    more: { issues?: readonly Issue[]; retryAfter?: number } = {},
  ) {
    super(message);
    this.code = code;
    this.issues = more.issues ?? [];
    this.retryAfter = more.retryAfter ?? (code === 'unavailable' || code === 'rate_limited' ? 1 : null);
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** A failure of start-up or of a command line: shown as its sentence alone, exit code 1. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

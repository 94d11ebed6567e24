/**
 * Error codes of the server, with their HTTP status. Any other thrown error is a bug: it is logged, and the response
 * is `internal`.
 */
export const ERROR_STATUS = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  misdirected: 421,
  invalid: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

/** One fault of a request, as `ValidationErrorResponse` lists it. */
export interface Issue {
  code: string;
  message: string;
  path: string[];
  /** Range of characters of a filter line that is at fault. */
  start?: number;
  end?: number;
  /** Text that would be right in place of the range; null if there is no obvious one. */
  suggestion?: string | null;
}

/** Error with a message for the caller. `unavailable` and `rate_limited` are temporary: the caller may retry. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  /** Validation errors, with the code `invalid` only. */
  readonly issues: readonly Issue[];
  /** Seconds before a retry; set for the two temporary codes only. */
  readonly retryAfter: number | null;
  /** Code of the fault behind it, such as SQLite's, for the diagnosis; null if there is none. Not part of a response. */
  readonly fault: string | null;

  constructor(
    code: ErrorCode,
    message: string,
    more: { issues?: readonly Issue[]; retryAfter?: number; fault?: string } = {},
  ) {
    super(message);
    this.code = code;
    this.issues = more.issues ?? [];
    this.fault = more.fault ?? null;
    this.retryAfter = more.retryAfter ?? (code === 'unavailable' || code === 'rate_limited' ? 1 : null);
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** Error at start-up or in a command line. Its message is the only output; the exit code is 1. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

/** Returns the code that Node, undici or SQLite gave an error, such as ECONNREFUSED; an empty text if there is none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

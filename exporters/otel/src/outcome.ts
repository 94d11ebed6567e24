import type { ExportError } from './failure.ts';

/** Numbers of spans by what became of them. They add up to those that were sent. */
export interface Outcome {
  exported: number;
  /** Rejected by the server, which accepted the rest of their request. */
  rejected: number;
  /** The server's message about rejected spans. */
  message: string;
  failed: number;
  /** Wait in the spool. */
  spooled: number;
  /** Reason why the last ones failed. */
  error: ExportError | undefined;
}

/** Returns the outcome of spans none of which was stored. */
export const allFailed = (spans: number, error: ExportError): Outcome => ({
  exported: 0,
  rejected: 0,
  message: '',
  failed: spans,
  spooled: 0,
  error,
});

/** Returns the outcome of two lists of spans together. */
export const merge = (a: Outcome, b: Outcome): Outcome => ({
  exported: a.exported + b.exported,
  rejected: a.rejected + b.rejected,
  message: b.message || a.message,
  failed: a.failed + b.failed,
  spooled: a.spooled + b.spooled,
  error: b.error ?? a.error,
});

/**
 * Error of a request body that is not valid OTLP, so that a retry cannot succeed. The message tells the sender what
 * to change.
 */
export class OtlpDecodeError extends Error {
  override readonly name = 'OtlpDecodeError';
}

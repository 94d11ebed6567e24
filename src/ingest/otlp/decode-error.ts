/** The request body cannot be read as OTLP, now or ever; the message tells the sender what to change. */
export class OtlpDecodeError extends Error {
  override readonly name = 'OtlpDecodeError';
}

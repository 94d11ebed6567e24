/** Ends a delivery with an answer other than 200. The sender gets to read the message. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }

  toResponse(): Response {
    const headers = this.status === 405 ? { allow: 'POST' } : {};
    return Response.json({ message: this.message }, { status: this.status, headers });
  }
}

export const notPost = (): WebhookError => new WebhookError(405, 'Only POST is allowed on this path');
export const notHandled = (): WebhookError => new WebhookError(500, 'The delivery could not be handled');

/** Pieces of a changed message. They are joined once at the end, so that no level of nesting copies them again. */
export class MessagePieces {
  /** Total number of bytes. */
  length = 0;
  private readonly parts: (Buffer | MessagePieces)[] = [];

  add(part: Buffer | MessagePieces): void {
    this.parts.push(part);
    this.length += part.length;
  }

  /** Returns all bytes in one buffer. */
  join(): Buffer {
    const bytes = Buffer.allocUnsafeSlow(this.length);
    this.copyTo(bytes, 0);
    return bytes;
  }

  private copyTo(target: Buffer, start: number): void {
    let at = start;
    for (const part of this.parts) {
      if (part instanceof MessagePieces) part.copyTo(target, at);
      else target.set(part, at);
      at += part.length;
    }
  }
}

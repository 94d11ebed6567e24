/** Range of bytes within a byte buffer. */
export type ByteRange = readonly [start: number, end: number];

/** Collects pieces, then copies them into one new buffer. */
export class ByteBuffer {
  private readonly pieces: Uint8Array[] = [];
  private size = 0;

  add(piece: Uint8Array): ByteRange {
    const start = this.size;
    this.pieces.push(piece);
    this.size += piece.length;
    return [start, this.size];
  }

  build(): Uint8Array {
    const byteBuffer = new Uint8Array(this.size);
    let at = 0;
    for (const piece of this.pieces) {
      byteBuffer.set(piece, at);
      at += piece.length;
    }
    return byteBuffer;
  }
}

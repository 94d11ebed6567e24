/** A window of an arena. */
export type Window = readonly [start: number, end: number];

/** Collects pieces, then lays them side by side in one buffer of its own. */
export class Arena {
  private readonly pieces: Uint8Array[] = [];
  private size = 0;

  add(piece: Uint8Array): Window {
    const start = this.size;
    this.pieces.push(piece);
    this.size += piece.length;
    return [start, this.size];
  }

  build(): Uint8Array {
    const arena = new Uint8Array(this.size);
    let at = 0;
    for (const piece of this.pieces) {
      arena.set(piece, at);
      at += piece.length;
    }
    return arena;
  }
}

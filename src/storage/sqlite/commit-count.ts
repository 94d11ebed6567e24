/** Number of commits that changed data, modulo 2³², shared between threads. */
export class CommitCount {
  private readonly state: Int32Array;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.state = new Int32Array(buffer);
  }

  get buffer(): SharedArrayBuffer {
    return this.state.buffer as SharedArrayBuffer;
  }

  get value(): number {
    return Atomics.load(this.state, 0);
  }

  increase(): void {
    Atomics.add(this.state, 0, 1);
  }
}

/** Number that threads share, modulo 2³². */
export class SharedCount {
  readonly buffer: SharedArrayBuffer;
  private readonly state: Int32Array;

  constructor(buffer = new SharedArrayBuffer(4)) {
    this.buffer = buffer;
    this.state = new Int32Array(buffer);
  }

  get value(): number {
    return Atomics.load(this.state, 0);
  }

  add(count: number): void {
    Atomics.add(this.state, 0, count);
  }
}

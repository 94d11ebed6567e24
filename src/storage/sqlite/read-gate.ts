/** A gate the writer can close for a moment and readers pass before each query, shared between threads. */
export class ReadGate {
  /** Milliseconds the gate stays closed at the most; 0 = open. */
  private readonly state: Int32Array;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.state = new Int32Array(buffer);
  }

  get buffer(): SharedArrayBuffer {
    return this.state.buffer as SharedArrayBuffer;
  }

  close(milliseconds: number): void {
    Atomics.store(this.state, 0, milliseconds);
  }

  open(): void {
    Atomics.store(this.state, 0, 0);
    Atomics.notify(this.state, 0);
  }

  /** Waits until the gate is open, or has been closed as long as its writer said. */
  pass(): void {
    const milliseconds = Atomics.load(this.state, 0);
    if (milliseconds > 0) Atomics.wait(this.state, 0, milliseconds, milliseconds);
  }
}

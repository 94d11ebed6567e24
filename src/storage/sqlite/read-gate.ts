/** Gate, shared between threads, that readers pass before each query and the writer can close briefly. */
export class ReadGate {
  /** Longest time in milliseconds for which the gate stays closed; 0 when it is open. */
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

  /** Waits until the gate is open, or until its time limit is over. */
  pass(): void {
    const milliseconds = Atomics.load(this.state, 0);
    if (milliseconds > 0) Atomics.wait(this.state, 0, milliseconds, milliseconds);
  }
}

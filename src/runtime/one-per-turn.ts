/** Runs actions in the order in which they were added, one in each turn of the event loop. */
export class OnePerTurn {
  private readonly waiting: (() => void)[] = [];

  add(action: () => void): void {
    this.waiting.push(action);
    if (this.waiting.length === 1) setImmediate(this.runNext);
  }

  private readonly runNext = (): void => {
    this.waiting[0]?.();
    this.waiting.shift();
    if (this.waiting.length > 0) setImmediate(this.runNext);
  };
}

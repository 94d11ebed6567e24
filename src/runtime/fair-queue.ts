/** Owner of queued work: an application, or the name of work that belongs to none. */
export type Party = number | string;

interface Line<T> {
  items: T[];
  /** Position of the party on the common clock: its charged time since it last caught up with the others. */
  time: number;
}

/**
 * Queue of items of several parties, taken in fair turns: the next item belongs to the party that was charged least.
 * A party that returns after a pause starts level with those being served, so that idle time earns no credit.
 * Implements start-time fair queuing (Goyal, Vin and Cheng 1996), with costs that are known only afterwards.
 */
export class FairQueue<T> {
  private readonly lines = new Map<Party, Line<T>>();
  /** Time of the party that was served last. */
  private clock = 0;
  private count = 0;

  /** Number of waiting items. */
  get size(): number {
    return this.count;
  }

  /** Number of waiting items of one party. */
  sizeOf(party: Party): number {
    return this.lines.get(party)?.items.length ?? 0;
  }

  push(party: Party, item: T): void {
    const line = this.lineOf(party);
    if (line.items.length === 0) line.time = Math.max(line.time, this.clock);
    line.items.push(item);
    this.count += 1;
  }

  /** Puts an item back in front of its party's items, as if it had not been taken. */
  unshift(party: Party, item: T): void {
    this.lineOf(party).items.unshift(item);
    this.count += 1;
  }

  /** Takes the first item of the party whose turn it is, among parties whose first item may be taken. */
  take(mayTake: (party: Party, item: T) => boolean = () => true): T | undefined {
    let next: { party: Party; line: Line<T> } | null = null;
    for (const [party, line] of this.lines) {
      const [first] = line.items;
      if (first === undefined) {
        // The party has caught up, so its entry is no longer needed.
        if (line.time <= this.clock) this.lines.delete(party);
      } else if ((next === null || line.time < next.line.time) && mayTake(party, first))
        next = { party, line };
    }
    if (next === null) return undefined;
    const { party, line } = next;
    this.clock = Math.max(this.clock, line.time);
    this.count -= 1;
    // Among level parties, the one served last comes last.
    this.lines.delete(party);
    this.lines.set(party, line);
    return line.items.shift();
  }

  /** Records the cost of serving an item, in any unit that is used consistently. */
  charge(party: Party, cost: number): void {
    this.lineOf(party).time += cost;
  }

  /** Removes and returns all waiting items. */
  clear(): T[] {
    const items = [...this.lines.values()].flatMap((line) => line.items);
    this.lines.clear();
    this.count = 0;
    return items;
  }

  private lineOf(party: Party): Line<T> {
    const known = this.lines.get(party);
    if (known) return known;
    const line = { items: [], time: this.clock };
    this.lines.set(party, line);
    return line;
  }
}

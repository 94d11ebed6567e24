/** Owner of queued work: an application, or the name of work that belongs to none. */
export type Party = number | string;

interface Line<T> {
  items: T[];
  /** Position of the party on the common clock: the time it was charged since it last caught up with the others. */
  time: number;
}

/**
 * Items of several parties, taken in fair turns: the next one is of the party that was charged least. A party that
 * comes back after a pause starts level with those that are being served, so that idling saves nothing up.
 * Start-time fair queuing (Goyal, Vin and Cheng 1996), with costs that are known only afterwards.
 */
export class FairQueue<T> {
  private readonly lines = new Map<Party, Line<T>>();
  /** The time of the party served last. */
  private clock = 0;
  private count = 0;

  /** Items that wait. */
  get size(): number {
    return this.count;
  }

  /** Items of one party that wait. */
  sizeOf(party: Party): number {
    return this.lines.get(party)?.items.length ?? 0;
  }

  push(party: Party, item: T): void {
    const line = this.lineOf(party);
    if (line.items.length === 0) line.time = Math.max(line.time, this.clock);
    line.items.push(item);
    this.count += 1;
  }

  /** Puts an item back before all others of its party, which did not wait in between. */
  unshift(party: Party, item: T): void {
    this.lineOf(party).items.unshift(item);
    this.count += 1;
  }

  /** Takes the first item of the party whose turn it is, among those whose first item may be taken. */
  take(mayTake: (party: Party, item: T) => boolean = () => true): T | undefined {
    let next: { party: Party; line: Line<T> } | null = null;
    for (const [party, line] of this.lines) {
      const [first] = line.items;
      if (first === undefined) {
        // It has caught up: nothing is left to remember.
        if (line.time <= this.clock) this.lines.delete(party);
      } else if ((next === null || line.time < next.line.time) && mayTake(party, first))
        next = { party, line };
    }
    if (next === null) return undefined;
    const { party, line } = next;
    this.clock = Math.max(this.clock, line.time);
    this.count -= 1;
    // When parties stand level, the one served last comes last.
    this.lines.delete(party);
    this.lines.set(party, line);
    return line.items.shift();
  }

  /** Counts what serving an item took, in any unit that is the same for all. */
  charge(party: Party, cost: number): void {
    this.lineOf(party).time += cost;
  }

  /** Takes out all that wait. */
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

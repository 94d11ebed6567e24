import { alone, type GroupOf, type Party } from './party.ts';

interface Line<T> {
  items: T[];
  /** Position of the party on the clock of its group: its charged time since it last caught up with the others. */
  time: number;
}

interface Group<T> {
  lines: Map<Party, Line<T>>;
  /** Number of waiting items. */
  waiting: number;
  /** Position of the group on the common clock. */
  time: number;
  /** Time of the party that was served last. */
  clock: number;
}

/** A party whose turn it is, and its group. */
interface Next<T> {
  key: Party;
  group: Group<T>;
  party: Party;
  line: Line<T>;
}

/**
 * Queue of items of several parties, taken in fair turns: the next item belongs to the group that was charged least,
 * and in it to the party that was charged least. So an organisation with many applications has the turns of one.
 * A party that returns after a pause starts level with those being served, so that idle time earns no credit.
 * Implements start-time fair queuing (Goyal, Vin and Cheng 1996), with costs that are known only afterwards.
 */
export class FairQueue<T> {
  private readonly groups = new Map<Party, Group<T>>();
  private readonly groupOf: GroupOf;
  /** Time of the group that was served last. */
  private clock = 0;
  private count = 0;

  /** `groupOf` returns the group of a party, such as the organisation of an application. Default: each is alone. */
  constructor(groupOf: GroupOf = alone) {
    this.groupOf = groupOf;
  }

  /** Number of waiting items. */
  get size(): number {
    return this.count;
  }

  /** Number of waiting items of one party. */
  sizeOf(party: Party): number {
    return this.groups.get(this.groupOf(party))?.lines.get(party)?.items.length ?? 0;
  }

  /** Number of waiting items of the group of a party. */
  sizeOfGroup(party: Party): number {
    return this.groups.get(this.groupOf(party))?.waiting ?? 0;
  }

  push(party: Party, item: T): void {
    const { group, line } = this.placeOf(party);
    if (group.waiting === 0) group.time = Math.max(group.time, this.clock);
    if (line.items.length === 0) line.time = Math.max(line.time, group.clock);
    line.items.push(item);
    this.add(group, 1);
  }

  /** Puts an item back in front of its party's items, as if it had not been taken. */
  unshift(party: Party, item: T): void {
    const { group, line } = this.placeOf(party);
    line.items.unshift(item);
    this.add(group, 1);
  }

  /** Returns true if `take` would take an item. */
  canTake(mayTake: (party: Party, item: T) => boolean): boolean {
    return this.next(mayTake) !== null;
  }

  /** Takes the first item of the party whose turn it is, among parties whose first item may be taken. */
  take(mayTake: (party: Party, item: T) => boolean = () => true): T | undefined {
    const next = this.next(mayTake);
    if (next === null) return undefined;
    const { key, group, party, line } = next;
    this.clock = Math.max(this.clock, group.time);
    group.clock = Math.max(group.clock, line.time);
    // Among level ones, the one served last comes last.
    moveToEnd(this.groups, key, group);
    moveToEnd(group.lines, party, line);
    this.add(group, -1);
    return line.items.shift();
  }

  /** Records the cost of serving an item, in any unit that is used consistently. */
  charge(party: Party, cost: number): void {
    const { group, line } = this.placeOf(party);
    group.time += cost;
    line.time += cost;
  }

  /** Removes the items that do not meet a condition; the turns of parties stay as they are. */
  keep(condition: (item: T) => boolean): void {
    for (const group of this.groups.values())
      for (const line of group.lines.values()) {
        const kept = line.items.filter(condition);
        this.add(group, kept.length - line.items.length);
        line.items = kept;
      }
  }

  /** Removes and returns all waiting items. */
  clear(): T[] {
    const items = [...this.groups.values()].flatMap(({ lines }) =>
      [...lines.values()].flatMap((line) => line.items),
    );
    this.groups.clear();
    this.count = 0;
    return items;
  }

  private next(mayTake: (party: Party, item: T) => boolean): Next<T> | null {
    let next: Next<T> | null = null;
    for (const [key, group] of this.groups) {
      // The group has caught up, so its entry is no longer needed.
      if (group.waiting === 0 && group.time <= this.clock) this.groups.delete(key);
      if (group.waiting === 0 || (next !== null && group.time >= next.group.time)) continue;
      const found = firstOf(group, mayTake);
      if (found) next = { key, group, ...found };
    }
    return next;
  }

  private add(group: Group<T>, count: number): void {
    group.waiting += count;
    this.count += count;
  }

  private placeOf(party: Party): { group: Group<T>; line: Line<T> } {
    const group = getOrAdd(this.groups, this.groupOf(party), () => ({
      lines: new Map<Party, Line<T>>(),
      waiting: 0,
      time: this.clock,
      clock: 0,
    }));
    return { group, line: getOrAdd(group.lines, party, () => ({ items: [], time: group.clock })) };
  }
}

/** Returns the party of a group whose turn it is. */
function firstOf<T>(
  { lines, clock }: Group<T>,
  mayTake: (party: Party, item: T) => boolean,
): { party: Party; line: Line<T> } | null {
  let next: { party: Party; line: Line<T> } | null = null;
  for (const [party, line] of lines) {
    const [first] = line.items;
    if (first === undefined) {
      if (line.time <= clock) lines.delete(party);
    } else if ((next === null || line.time < next.line.time) && mayTake(party, first)) next = { party, line };
  }
  return next;
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function moveToEnd<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key);
  map.set(key, value);
}

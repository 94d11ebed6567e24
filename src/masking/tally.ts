/** Number of values of one kind that were masked in one attribute. */
export interface MaskedCount {
  /** Detector, or name of an own pattern; `removed` counts removed attributes. */
  detector: string;
  attribute: string;
  count: number;
}

/** Most attributes that are counted by name in one request. */
const MAX_ENTRIES = 1_000;
const MAX_NAME = 100;
/** Stands for attributes beyond those that are counted by name. */
export const OTHER_ATTRIBUTES = '(others)';

/** Counts of masked values. Names of attributes are passed after they were masked themselves. */
export class Tally {
  private readonly counts = new Map<string, MaskedCount>();

  add(detector: string, attribute: string): void {
    const isFull = this.counts.size >= MAX_ENTRIES;
    const name = attribute.slice(0, MAX_NAME);
    const entry =
      this.counts.get(`${detector} ${name}`) ?? this.open(detector, isFull ? OTHER_ATTRIBUTES : name);
    entry.count += 1;
  }

  list(): MaskedCount[] {
    return [...this.counts.values()];
  }

  private open(detector: string, attribute: string): MaskedCount {
    const key = `${detector} ${attribute}`;
    const entry = this.counts.get(key) ?? { detector, attribute, count: 0 };
    this.counts.set(key, entry);
    return entry;
  }
}

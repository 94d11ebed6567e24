import { COMMIT_BOUNDS } from '../../runtime/scraped-metrics.ts';

/** Counters of one thread, in the order of their places in shared memory. */
const FIELDS = [
  'commits',
  'commitSeconds',
  'longestCommitSeconds',
  'commands',
  'failedCommits',
  'repeatedTransactions',
  'lostConnections',
  'roundTrips',
  'roundTripSeconds',
] as const;
type Field = (typeof FIELDS)[number];
const BUCKETS = COMMIT_BOUNDS.length + 1;

/** Numbers that one thread counts and the main thread reads. */
export class ThreadNumbers {
  readonly buffer: SharedArrayBuffer;
  private readonly state: Float64Array;

  constructor(buffer = new SharedArrayBuffer((FIELDS.length + BUCKETS) * Float64Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.state = new Float64Array(buffer);
  }

  get(field: Field): number {
    return this.state[FIELDS.indexOf(field)] ?? 0;
  }

  set(field: Field, value: number): void {
    this.state[FIELDS.indexOf(field)] = value;
  }

  add(field: Field, value: number): void {
    this.set(field, this.get(field) + value);
  }

  /** Counts a commit that took so long. */
  addCommit(seconds: number): void {
    this.add('commits', 1);
    this.add('commitSeconds', seconds);
    this.set('longestCommitSeconds', Math.max(this.get('longestCommitSeconds'), seconds));
    const bound = COMMIT_BOUNDS.findIndex((one) => seconds <= one);
    const place = FIELDS.length + (bound === -1 ? COMMIT_BOUNDS.length : bound);
    this.state[place] = (this.state[place] ?? 0) + 1;
  }

  get buckets(): number[] {
    return [...this.state.subarray(FIELDS.length)];
  }
}

/** Returns the sum of a counter over all threads. */
export const sumOfThreads = (all: readonly ThreadNumbers[], field: Field): number =>
  all.reduce((sum, numbers) => sum + numbers.get(field), 0);

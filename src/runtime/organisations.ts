import type { OrganisationNumbers } from './organisation-metrics.ts';
import type { GroupOf } from './party.ts';

/** Largest key of an application, and most organisations, that are looked up; those beyond are groups of their own. */
const MAX_APPLICATIONS = 1 << 20;
const MAX_ORGANISATIONS = 1 << 16;
const TABLE_BYTES = 4 * MAX_APPLICATIONS;
const COUNTS_BYTES = 8 * (MAX_ORGANISATIONS + 1);

/**
 * Organisations of applications, in memory that all threads share: a look-up costs one read. The system provides only
 * the pages of it that are in use. Only the main thread assigns.
 */
export class Organisations {
  readonly buffer: SharedArrayBuffer;
  /** Number of the organisation by the key of the application, from 1; 0 if unknown. */
  private readonly table: Int32Array;
  /** Microseconds of the prepare threads, by the number of the organisation. */
  private readonly decoding: BigInt64Array;
  /** Ids of organisations in the order of their numbers, known to the thread that assigns. */
  private readonly ids: string[] = [];
  private readonly numbers = new Map<string, number>();
  /** Number of assigned applications, by the number of the organisation. */
  private readonly applications: number[] = [];

  /** US dollars of judges since the start, by the number of the organisation. */
  private readonly judgeDollars: number[] = [];
  /** Bytes of traces when they were last counted, and those stored from the start until then, by the number of the organisation. */
  private readonly counted: { bytes: number; sinceStart: number }[] = [];
  /** Bytes of stored traces since the start, by the number of the organisation. */
  private readonly stored: BigInt64Array;

  constructor(buffer = new SharedArrayBuffer(TABLE_BYTES + 2 * COUNTS_BYTES)) {
    this.buffer = buffer;
    this.table = new Int32Array(buffer, 0, MAX_APPLICATIONS);
    this.decoding = new BigInt64Array(buffer, TABLE_BYTES, MAX_ORGANISATIONS + 1);
    this.stored = new BigInt64Array(buffer, TABLE_BYTES + COUNTS_BYTES, MAX_ORGANISATIONS + 1);
  }

  /** Records the organisation of an application, which never changes. */
  assign(application: number, id: string): void {
    if (application < 1 || application >= MAX_APPLICATIONS || Atomics.load(this.table, application) !== 0)
      return;
    const number = this.numbers.get(id) ?? this.ids.length + 1;
    if (number > MAX_ORGANISATIONS) return;
    if (number > this.ids.length) {
      this.ids.push(id);
      this.numbers.set(id, number);
    }
    Atomics.store(this.table, application, number);
    this.applications[number] = (this.applications[number] ?? 0) + 1;
  }

  /** Returns the group of an application: its organisation, as a number that is no application; others are alone. */
  readonly groupOf: GroupOf = (party) => {
    const number = typeof party === 'number' ? this.numberOf(party) : 0;
    return number === 0 ? party : -number;
  };

  /** Returns the id of the organisation of an application; null if it is unknown. */
  idOf(application: number): string | null {
    return this.ids[this.numberOf(application) - 1] ?? null;
  }

  /** Adds time of a prepare thread. */
  addDecoding(application: number, milliseconds: number): void {
    const number = this.numberOf(application);
    if (number !== 0) Atomics.add(this.decoding, number, BigInt(Math.round(milliseconds * 1000)));
  }

  /** Returns the seconds of the prepare threads that the requests of an organisation have used since the start. */
  decodingSeconds(id: string): number {
    const number = this.numbers.get(id);
    return number === undefined ? 0 : Number(Atomics.load(this.decoding, number)) / 1e6;
  }

  /** Adds the cost of a judge; for the thread that assigns. */
  addJudgeCost(application: number, dollars: number): void {
    const number = this.numberOf(application);
    if (number !== 0) this.judgeDollars[number] = (this.judgeDollars[number] ?? 0) + dollars;
  }

  /** Adds bytes of traces that were stored. */
  addStored(application: number, bytes: number): void {
    const number = this.numberOf(application);
    if (number !== 0) Atomics.add(this.stored, number, BigInt(bytes));
  }

  /** Returns the bytes of traces that an organisation has stored since the start, deleted ones included. */
  bytesSinceStart(id: string): number {
    const number = this.numbers.get(id);
    return number === undefined ? 0 : Number(Atomics.load(this.stored, number));
  }

  /** Records counted bytes of traces, and what `bytesSinceStart` returned just before they were counted. */
  setStored(id: string, bytes: number, sinceStart: number): void {
    const number = this.numbers.get(id);
    if (number !== undefined) this.counted[number] = { bytes, sinceStart };
  }

  /** Returns the bytes of the traces of an organisation as last counted. */
  countedBytes(id: string): number {
    return this.counted[this.numbers.get(id) ?? 0]?.bytes ?? 0;
  }

  /** Returns the bytes of the traces of an organisation: as last counted, and what was stored since. */
  storedBytes(id: string): number {
    const { bytes, sinceStart } = this.counted[this.numbers.get(id) ?? 0] ?? { bytes: 0, sinceStart: 0 };
    return bytes + this.bytesSinceStart(id) - sinceStart;
  }

  /** Returns the group of the applications of an organisation; null if it is unknown. */
  groupOfId(id: string): number | null {
    const number = this.numbers.get(id);
    return number === undefined ? null : -number;
  }

  /** Returns what each organisation has and has used, without its quotas. */
  list(): OrganisationNumbers[] {
    return this.ids.map((id, index) => ({
      id,
      applications: this.applications[index + 1] ?? 0,
      decodingSeconds: this.decodingSeconds(id),
      storedBytes: this.storedBytes(id),
      judgeDollars: this.judgeDollars[index + 1] ?? 0,
      quotas: [],
    }));
  }

  private numberOf(application: number): number {
    return application > 0 && application < MAX_APPLICATIONS ? Atomics.load(this.table, application) : 0;
  }
}

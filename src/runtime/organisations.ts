import type { OrganisationNumbers } from './organisation-metrics.ts';
import type { GroupOf } from './party.ts';

/** Largest key of an application, and most organisations, that are looked up; those beyond are groups of their own. */
const MAX_APPLICATIONS = 1 << 20;
const MAX_ORGANISATIONS = 1 << 16;
const TABLE_BYTES = 4 * MAX_APPLICATIONS;

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

  constructor(buffer = new SharedArrayBuffer(TABLE_BYTES + 8 * (MAX_ORGANISATIONS + 1))) {
    this.buffer = buffer;
    this.table = new Int32Array(buffer, 0, MAX_APPLICATIONS);
    this.decoding = new BigInt64Array(buffer, TABLE_BYTES);
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

  /** Returns what each organisation has and has used. */
  list(): OrganisationNumbers[] {
    return this.ids.map((id, index) => ({
      id,
      applications: this.applications[index + 1] ?? 0,
      decodingSeconds: this.decodingSeconds(id),
    }));
  }

  private numberOf(application: number): number {
    return application > 0 && application < MAX_APPLICATIONS ? Atomics.load(this.table, application) : 0;
  }
}

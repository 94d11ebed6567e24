import type { FilterTerms } from '../../filter/term.ts';
import type { Database } from '../../storage/database.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import type { Attributes } from '../span-wire.ts';
import { bytesOfSteps, type LargeTrace, type StepBytes, StepsOfTraces } from './read-steps.ts';
import { ownRulesOf } from '../own-rules/open.ts';
import { StepTerms } from './step-terms.ts';

/** Limits of one search through the steps of traces. */
export interface SearchLimits {
  traces: number;
  /** Stored bytes of payloads and log records that are read. */
  bytes: number;
  milliseconds: number;
  /** Traces that are found. */
  found: number;
}

const SEARCH_LIMITS: SearchLimits = {
  traces: 20_000,
  bytes: 32 * 1024 * 1024,
  milliseconds: 2_000,
  found: 10_000,
};

/** Traces that are looked at by one statement, and bytes of their payloads and log records that are read by one. */
const TRACES_AT_ONCE = 256;
const BYTES_AT_ONCE = 4 * 1024 * 1024;

const NOTHING: StepBytes = { payloads: 0, logs: 0 };
const totalOf = ({ payloads, logs }: StepBytes): number => payloads + logs;

/** Place of a trace in the order of timestamps. */
interface Place {
  start: bigint;
  traceId: Buffer;
}

interface Candidate extends Place {
  tkey: number;
  flags: number;
  errorCount: number;
  shown: readonly (string | null)[];
}

/** Result of a search through steps, the newest traces first. */
export interface Searched {
  /** Keys of the traces that match. */
  tkeys: number[];
  /** The first and the last trace that was searched; null if none meets the other conditions. */
  newest: Place | null;
  oldest: Place | null;
  /** False if older traces were not searched, or not all steps of one. */
  isComplete: boolean;
}

/** Searches the steps of the traces that meet the other conditions, the newest first, until a limit is reached. */
export function searchSteps(
  database: Database,
  {
    application,
    where,
    terms,
    limits = {},
  }: {
    application: number;
    where: SqlFragment;
    terms: FilterTerms;
    limits?: Partial<SearchLimits> | undefined;
  },
): Searched {
  const search = new Search(database, application, terms, { ...SEARCH_LIMITS, ...limits });
  let after: Place | null = null;
  for (;;) {
    const candidates = candidatesAfter(database, application, where, after);
    if (!search.addAll(candidates)) break;
    after = candidates.at(-1) ?? null;
    if (candidates.length < TRACES_AT_ONCE) break;
  }
  return search.result;
}

class Search {
  readonly result: Searched = { tkeys: [], newest: null, oldest: null, isComplete: true };
  private readonly database: Database;
  private readonly application: number;
  private readonly steps: StepTerms;
  private readonly limits: SearchLimits;
  private readonly resources = new Map<string, Attributes>();
  private readonly end: number;
  private traces = 0;
  private bytes = 0;

  constructor(database: Database, application: number, terms: FilterTerms, limits: SearchLimits) {
    this.database = database;
    this.application = application;
    this.steps = new StepTerms(terms, ownRulesOf(database, application).mappings);
    this.limits = limits;
    this.end = performance.now() + limits.milliseconds;
  }

  /** Searches candidates in groups of bounded size. Returns false once a limit is reached. */
  addAll(candidates: readonly Candidate[]): boolean {
    const sizes = bytesOfSteps(
      this.database,
      this.application,
      candidates.map(({ tkey }) => tkey),
    );
    const sizeOf = (place: number): StepBytes => sizes.get(candidates[place]?.tkey ?? 0) ?? NOTHING;
    for (let at = 0; at < candidates.length; ) {
      const size = sizeOf(at);
      let bytes = totalOf(size);
      let next = at + 1;
      while (next < candidates.length && bytes + totalOf(sizeOf(next)) <= BYTES_AT_ONCE)
        bytes += totalOf(sizeOf(next++));
      const isLarge = bytes > BYTES_AT_ONCE;
      const large = isLarge
        ? { traceId: (candidates[at] as Candidate).traceId, hasLogs: size.logs > 0 }
        : null;
      if (!this.addGroup(candidates.slice(at, next), bytes, large)) return false;
      at = next;
    }
    return true;
  }

  private addGroup(group: readonly Candidate[], bytes: number, large: LargeTrace | null): boolean {
    if (this.traces > 0 && this.bytes >= this.limits.bytes) return this.stop();
    const { database, application, resources } = this;
    const steps = new StepsOfTraces(database, application, group, { resources, large });
    this.bytes += bytes;
    for (const trace of group) {
      // At least one trace is searched, so that each search gets further than the one before.
      if (this.traces > 0 && this.isFull) return this.stop();
      this.add(trace, steps);
    }
    return true;
  }

  private stop(): false {
    this.result.isComplete = false;
    return false;
  }

  private get isFull(): boolean {
    const { traces, found } = this.limits;
    return this.traces >= traces || this.result.tkeys.length >= found || performance.now() > this.end;
  }

  private add(trace: Candidate, steps: StepsOfTraces): void {
    const { result } = this;
    this.traces++;
    result.newest ??= trace;
    result.oldest = trace;
    this.steps.begin(trace.shown, trace.errorCount);
    if (!this.steps.isDecided) {
      for (const step of steps.of(trace.tkey)) {
        this.steps.read(step);
        if (this.steps.isDecided) break;
        if (performance.now() <= this.end) continue;
        // A trace that was not read to its end is left out, because a negated term may hold for the rest.
        result.isComplete = false;
        return;
      }
    }
    if (this.steps.isMatch) result.tkeys.push(trace.tkey);
  }
}

function candidatesAfter(
  database: Database,
  application: number,
  where: SqlFragment,
  after: Place | null,
): Candidate[] {
  const later = after === null ? '' : ' AND (start_ns, trace_id) < (?, ?)';
  const rows = database.allExact<{
    tkey: bigint;
    start: bigint;
    traceId: Buffer;
    flags: bigint;
    errorCount: bigint;
    rootName: string;
    sessionId: string | null;
    userId: string | null;
    input: string | null;
    output: string | null;
  }>(
    `SELECT trace.tkey, start_ns AS start, trace_id AS "traceId", flags, error_count AS "errorCount", root_name AS "rootName",
       session_id AS "sessionId", user_id AS "userId", input, output
     FROM trace LEFT JOIN trace_preview USING (application, tkey)
     WHERE application = ? AND trace.tkey IN (SELECT tkey FROM trace WHERE ${where.sql}${later}
       ORDER BY start_ns DESC, trace_id DESC LIMIT ?)
     ORDER BY start_ns DESC, trace_id DESC`,
    application,
    ...where.values,
    ...(after === null ? [] : [after.start, after.traceId]),
    TRACES_AT_ONCE,
  );
  return rows.map(({ tkey, start, traceId, flags, errorCount, ...row }) => ({
    tkey: Number(tkey),
    start,
    traceId,
    flags: Number(flags),
    errorCount: Number(errorCount),
    shown: [row.rootName, row.sessionId, row.userId, row.input, row.output],
  }));
}

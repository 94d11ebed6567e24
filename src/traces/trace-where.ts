import type { FilterTerm, FilterTerms } from '../filter/term.ts';
import type { Database, SqlValue } from '../storage/database.ts';
import { containsText, inTime, numbersOf, orderedJoin } from '../storage/dialect.ts';
import { countMatches } from '../storage/counted-page.ts';
import { placeholders, type SqlFragment } from '../storage/sql.ts';
import { type Searched, searchSteps, type SearchLimits } from './filter/search-steps.ts';
import { isOfSteps } from './filter/step-terms.ts';
import { shownTexts, type TermContext, termConditions, timesOf } from './filter/trace-terms.ts';
import { parseId } from './ids.ts';
import { spellingsOf } from './subject-ids.ts';
import { shownTo } from './withheld/store.ts';
import type { SeenBy } from '../contract/reviewer.ts';
import { SAMPLE } from './trace-attributes.ts';

export interface TraceFilter {
  /** The 16 bytes of trace ids. */
  traceIds?: Uint8Array[] | undefined;
  testId?: string[] | undefined;
  /** True to include traces of sample tests; a filter by test includes them in any case. */
  includeSamples?: boolean | undefined;
  /** True to include traces that have only the service's own spans; a filter by test includes them in any case. */
  includeDeliveries?: boolean | undefined;
  sessionId?: string[] | undefined;
  userId?: string[] | undefined;
  model?: string[] | undefined;
  kind?: string[] | undefined;
  /** Ids of issues that it is linked to one of. */
  issueId?: string[] | undefined;
  tag?: string[] | undefined;
  environment?: string[] | undefined;
  provider?: string[] | undefined;
  metadataKey?: string | undefined;
  metadataValue?: string | undefined;
  hasErrors?: boolean | undefined;
  minDurationMs?: number | undefined;
  maxDurationMs?: number | undefined;
  minCost?: number | undefined;
  maxCost?: number | undefined;
  minTokens?: number | undefined;
  maxTokens?: number | undefined;
  /** Bounds of the mean score of its evals, 0 to 1. */
  minScore?: number | undefined;
  maxScore?: number | undefined;
  /** Part of the root's name, of a preview, or of the session or user id, ignoring case. */
  search?: string | undefined;
  /** Start of the range in Unix nanoseconds, inclusive. */
  startDate?: bigint | undefined;
  endDate?: bigint | undefined;
  /** Terms of a filter line, and the time of the request in Unix milliseconds. */
  q?: { terms: FilterTerms; at: number } | undefined;
  /** Caller, from whom verdicts may be withheld. */
  seenBy?: SeenBy | undefined;
  /** Trace after which the list begins, the newest first. */
  after?: TracePlace | undefined;
}

/** Options of reading a list. */
export interface WhereOptions {
  /** Limits of the search through steps that differ from the usual ones. */
  limits?: Partial<SearchLimits>;
  /** True if the list continues where the search ended (`searchedUntil`), so that traces that were not searched are left out. */
  isContinued?: boolean;
}

/** Place of a trace in the order of timestamps. */
export interface TracePlace {
  /** Start of the trace, in Unix nanoseconds. */
  start: bigint;
  traceId: Uint8Array;
}

/** Mean score of the current evals of a trace, or of the test whose first trace it is; NULL without any. */
const MEAN_SCORE = `(SELECT avg(normalised) FROM eval
  WHERE eval.application = trace.application AND eval.trace_id = trace.trace_id AND superseded = 0)`;

/** Condition of traces that have only the service's own spans, as the index `trace_of_deliveries` has it. */
const ONLY_DELIVERIES =
  "native = 0 AND root_rank = 1048576 AND kinds = 1 AND root_name = 'POST webhook' AND services = '[]'";

/** Earlier than the start of any trace. */
const BEFORE_ALL = '-9223372036854775807';

/**
 * Number of traces up to which those with a property are looked up first; for a more common property each trace is
 * checked.
 */
const RARE = 5_000;

/** The WHERE clause of a list. No part of a request becomes SQL text. */
export class TraceWhere implements SqlFragment {
  /** The time limit is the first condition, because a row that fails one condition is not tested by the next. */
  private readonly conditions: SqlFragment[];
  /** A condition that many traces meet, and the query that finds them, each once. */
  private common: { condition: SqlFragment; found: SqlFragment } | null = null;
  /** True if a condition names the few traces that can match. */
  isLookedUp = false;
  /** Result of the search through the steps of traces; null if no term is about steps. */
  searched: Searched | null = null;
  /** Range of starts that the filter allows, in Unix nanoseconds. */
  readonly startDate: bigint | undefined;
  readonly endDate: bigint | undefined;
  private readonly database: Database;
  private readonly application: number;

  constructor(database: Database, application: number, filter: TraceFilter, options: WhereOptions = {}) {
    this.database = database;
    this.application = application;
    const { terms, at } = filter.q ?? NO_TERMS;
    const times = timesOf(terms, at);
    this.startDate = latest(filter.startDate, times.first);
    this.endDate = earliest(filter.endDate, times.last);
    this.conditions = [
      { sql: 'application = ?', values: [application] },
      { sql: inTime('tkey'), values: [] },
    ];
    if (filter.traceIds) {
      this.lookUp(`trace_id IN (${placeholders(filter.traceIds)})`, ...filter.traceIds);
    }
    if (filter.after) {
      const { start, traceId } = filter.after;
      this.add('(start_ns, trace_id) < (?, ?)', start, traceId);
    }
    if (filter.testId) {
      const ids = filter.testId.map(parseId);
      this.lookUp(
        `tkey IN (SELECT tkey FROM trace_test WHERE application = ? AND test_id IN (${placeholders(ids)}))`,
        application,
        ...ids,
      );
    }
    if (!filter.testId && !filter.includeSamples && !terms.some(includesSamples)) {
      // Looked up once through an index; a test of the flag itself would read every row.
      this.add(
        'tkey NOT IN (SELECT tkey FROM trace_attr WHERE application = ? AND key = ?)',
        application,
        SAMPLE,
      );
    }
    if (!filter.testId && !filter.includeDeliveries && !terms.some(includesDeliveries)) {
      // Looked up once through an index of these traces only; a test of these columns themselves would read every row.
      this.add(
        `tkey NOT IN (SELECT tkey FROM trace WHERE application = ? AND ${ONLY_DELIVERIES})`,
        application,
      );
    }
    if (filter.sessionId) this.column('session_id', filter.sessionId.flatMap(spellingsOf));
    if (filter.userId) this.column('user_id', filter.userId.flatMap(spellingsOf));
    if (filter.issueId) this.issues(filter.issueId);
    if (filter.model) this.attribute('model', filter.model);
    if (filter.kind) this.attribute('kind', filter.kind);
    if (filter.tag) this.attribute('tag', filter.tag);
    if (filter.environment) this.attribute('environment', filter.environment);
    if (filter.provider) this.attribute('provider', filter.provider);
    if (filter.metadataKey !== undefined) {
      this.attribute(
        `metadata.${filter.metadataKey}`,
        filter.metadataValue === undefined ? [] : [filter.metadataValue],
      );
    }
    if (filter.hasErrors !== undefined) this.add(filter.hasErrors ? 'error_count > 0' : 'error_count = 0');
    if (filter.minDurationMs !== undefined)
      this.add('end_ns - start_ns >= ?', nanoseconds(filter.minDurationMs));
    if (filter.maxDurationMs !== undefined)
      this.add('end_ns - start_ns <= ?', nanoseconds(filter.maxDurationMs));
    if (filter.minCost !== undefined) this.add('cost >= ?', filter.minCost);
    if (filter.maxCost !== undefined) this.add('cost <= ?', filter.maxCost);
    if (filter.minTokens !== undefined) this.add('total_tokens >= ?', filter.minTokens);
    if (filter.maxTokens !== undefined) this.add('total_tokens <= ?', filter.maxTokens);
    const shown = filter.seenBy ? shownTo(database, { application, ...filter.seenBy }) : null;
    if (shown && (filter.minScore ?? filter.maxScore ?? filter.issueId) !== undefined) {
      const { sql, values } = shown.trace('trace.trace_id');
      this.add(sql, ...values);
    }
    if (filter.minScore !== undefined) this.add(`${MEAN_SCORE} >= ?`, filter.minScore);
    if (filter.maxScore !== undefined) this.add(`${MEAN_SCORE} <= ?`, filter.maxScore);
    if (filter.startDate !== undefined) this.add('start_ns >= ?', filter.startDate);
    if (filter.endDate !== undefined) this.add('start_ns <= ?', filter.endDate);
    if (filter.search !== undefined) this.search(filter.search);
    this.addTerms({ database, application, at, shown }, terms, options);
    // True of every trace. Without it, SQLite would walk the index of ids, in whose order rows lie anywhere in the file.
    if (!this.isLookedUp && this.startDate === undefined) this.add(`start_ns > ${BEFORE_ALL}`);
  }

  get sql(): string {
    return allOf(this.conditions).sql;
  }

  get values(): SqlValue[] {
    return allOf(this.conditions).values;
  }

  /**
   * Returns SQL with a row for each match. The order is irrelevant, so the common condition is scanned instead of all
   * traces.
   */
  get matches(): SqlFragment {
    const { common, conditions } = this;
    const { sql, values } = allOf(conditions.filter((condition) => condition !== common?.condition));
    if (common === null) return { sql: `SELECT 1 FROM trace WHERE ${sql}`, values };
    return {
      sql: `SELECT 1 FROM (${common.found.sql}) ${orderedJoin} trace USING (tkey) WHERE ${sql}`,
      values: [...common.found.values, ...values],
    };
  }

  /** Place of the last trace whose steps were searched, if older ones were not; null otherwise. */
  get searchedUntil(): TracePlace | null {
    return this.searched?.isComplete === false ? this.searched.oldest : null;
  }

  private addTerms(context: TermContext, terms: FilterTerms, options: WhereOptions): void {
    for (const condition of termConditions(context, terms)) {
      if ('attribute' in condition) this.attribute(condition.attribute, condition.wanted);
      else this.add(condition.sql, ...condition.values);
    }
    const ofSteps = terms.filter(isOfSteps);
    if (ofSteps.length > 0) this.searchThrough(ofSteps, options);
  }

  /** Searches the steps of the traces that meet all other conditions. */
  private searchThrough(terms: FilterTerms, { limits, isContinued }: WhereOptions): void {
    const { database, application } = this;
    const searched = searchSteps(database, { application, where: allOf(this.conditions), terms, limits });
    this.searched = searched;
    const found = { sql: `tkey IN ${numbersOf('?')}`, values: [JSON.stringify(searched.tkeys)] };
    const { oldest } = searched;
    const isShown = terms.every(({ field, isNegated }) => field === 'text' && !isNegated);
    if (searched.isComplete || oldest === null || isContinued || !isShown)
      this.lookUp(found.sql, ...found.values);
    else {
      // Older traces, whose steps were not searched, match by the texts that lists show.
      const older = allOf([
        { sql: '(start_ns, trace_id) < (?, ?)', values: [oldest.start, oldest.traceId] },
        ...shownTexts(terms),
      ]);
      this.add(`(${found.sql} OR (${older.sql}))`, ...found.values, ...older.values);
    }
  }

  private add(sql: string, ...values: SqlValue[]): SqlFragment {
    const condition = { sql, values };
    this.conditions.push(condition);
    return condition;
  }

  /** Adds a condition that few traces meet, which are looked up. */
  private lookUp(sql: string, ...values: SqlValue[]): void {
    this.isLookedUp = true;
    this.add(sql, ...values);
  }

  /**
   * Adds a condition on an indexed column. For one value the index returns traces in order; for several they are
   * looked up first.
   */
  private column(name: 'session_id' | 'user_id', wanted: readonly string[]): void {
    if (wanted.length === 1) this.add(`${name} = ?`, ...wanted);
    else {
      const found = `SELECT tkey FROM trace WHERE application = ? AND ${name} IN (${placeholders(wanted)})`;
      this.lookUp(`tkey IN (${found})`, this.application, ...wanted);
    }
  }

  /** Adds the condition that a trace is linked to one of some issues. */
  private issues(ids: readonly string[]): void {
    const match = `application = ? AND issue_id IN (${placeholders(ids)})`;
    const values = [this.application, ...ids];
    const found = { sql: `SELECT trace_id FROM issue_link WHERE ${match}`, values };
    if (countMatches(this.database, found, RARE + 1) <= RARE)
      this.lookUp(`trace_id IN (${found.sql})`, ...values);
    else
      this.add(
        `EXISTS (SELECT 1 FROM issue_link AS link WHERE link.trace_id = trace.trace_id
           AND link.application = ? AND link.issue_id IN (${placeholders(ids)}))`,
        ...values,
      );
  }

  /** Adds a condition on a multi-valued property: one of `wanted`, or any value when that is empty. */
  private attribute(key: string, wanted: readonly string[]): void {
    const match = `application = ? AND key = ?${wanted.length > 0 ? ` AND value IN (${placeholders(wanted)})` : ''}`;
    const values = [this.application, key, ...wanted];
    const found = { sql: `SELECT tkey FROM trace_attr WHERE ${match}`, values };
    if (countMatches(this.database, found, RARE + 1) <= RARE)
      this.lookUp(`tkey IN (${found.sql})`, ...values);
    else {
      const correlated = match.replace('application = ?', 'a.application = ?');
      const condition = this.add(
        `EXISTS (SELECT 1 FROM trace_attr AS a WHERE ${correlated} AND a.tkey = trace.tkey)`,
        ...values,
      );
      if (wanted.length === 1) this.common ??= { condition, found };
    }
  }

  /**
   * Adds a full-text condition, which has no index. For each trace that meets the other conditions, two rows are read
   * and five short texts compared, about 2 µs when the file is in memory. A search through a million traces takes
   * seconds, at most the time limit.
   */
  private search(part: string): void {
    this.add(
      `EXISTS (SELECT 1 FROM trace_preview AS p WHERE p.tkey = trace.tkey
         AND ${containsText('?', 'root_name', 'session_id', 'user_id', 'p.input', 'p.output')})`,
      part,
    );
  }
}

const NO_TERMS: NonNullable<TraceFilter['q']> = { terms: [], at: 0 };

/** Reports whether a term includes traces of sample tests: those that it names, too. */
const includesSamples = ({ field, isNegated }: FilterTerm): boolean =>
  field === 'samples' || (field === 'test' && !isNegated);

/** Reports whether a term includes traces of deliveries: those of tests that it names, too. */
const includesDeliveries = ({ field, isNegated }: FilterTerm): boolean =>
  field === 'service' || (field === 'test' && !isNegated);

const latest = (a: bigint | undefined, b: bigint | null): bigint | undefined =>
  a === undefined || (b !== null && b > a) ? (b ?? undefined) : a;
const earliest = (a: bigint | undefined, b: bigint | null): bigint | undefined =>
  a === undefined || (b !== null && b < a) ? (b ?? undefined) : a;

const allOf = (conditions: readonly SqlFragment[]): { sql: string; values: SqlValue[] } => ({
  sql: conditions.map(({ sql }) => sql).join(' AND '),
  values: conditions.flatMap(({ values }) => values),
});

function nanoseconds(milliseconds: number): bigint {
  return BigInt(Math.round(Math.min(milliseconds, 9e12) * 1e6));
}

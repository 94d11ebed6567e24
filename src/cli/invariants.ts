/** Checks of a complete store, beside what `verify` checks of each trace. */
import { setImmediate } from 'node:timers/promises';
import { checkMetrics, missingMetrics, type WrongMetrics } from '../evaluate/check-metrics.ts';
import { judgedEvals, VerdictCheck } from '../evaluate/check-verdicts.ts';
import type { MetricsKey } from '../evaluate/quality-metrics.ts';
import type { StoreConnection } from '../storage/database.ts';
import type { DerivedRows } from '../storage/derived-rows.ts';
import { isPostgres } from '../storage/engine.ts';
import { missingIndexes } from '../storage/sqlite/check-indexes.ts';
import { checkCounts } from '../tests/check-counts.ts';
import { type BlockKey, ReferenceCounts } from '../traces/check-resources.ts';
import { facetPage, type IndexedFacet } from '../traces/check-trace-row.ts';
import type { ReportFault } from '../traces/verify.ts';
import { forEachPart } from './store-parts.ts';
import { checkRule, STORE_RULES } from './store-rules.ts';

/** Rows that are read in one step. */
const PAGE = 500;
const PAGE_METRICS = 20;
const PAGE_EVALS = 20;
/** Most rows of one kind that are reported. */
const MAX_OF_KIND = 1_000;

export interface InvariantCheck {
  report: ReportFault;
  isStopped: () => boolean;
  /** Called with what is compared, and the number of rows so far. */
  onProgress?: (what: string, rows: number) => void;
  /** True if a server may write meanwhile: counts that need several snapshots are left out. */
  isServed: boolean;
  /** Unix milliseconds, by which metrics are computed. */
  at: number;
}

type Check = (
  database: StoreConnection,
  given: InvariantCheck & { progress: (rows: number) => void },
) => Promise<void>;

/**
 * Computes again what the store has computed, and follows every reference. Each step reads one snapshot, so that a
 * running server can empty its log in between.
 */
export async function checkInvariants(database: StoreConnection, given: InvariantCheck): Promise<void> {
  for (const [what, check] of CHECKS) {
    if (given.isStopped()) return;
    try {
      const progress = (rows: number): void => given.onProgress?.(what, rows);
      progress(0);
      await check(database, { ...given, progress });
    } catch (error) {
      // A damaged value ends the comparison that reads it, and not the others.
      if (!(error instanceof Error)) throw error;
      given.report({ trace: '-', fault: `the ${what} cannot be compared (${error.message})` });
    }
    await setImmediate();
  }
}

const indexes: Check = async (database, { report }) => {
  // PostgreSQL checks its indexes with tools of its own.
  if (isPostgres) return;
  for (const { name } of database.snapshot(() => missingIndexes(database)))
    report({ trace: `index ${name}`, fault: 'it does not exist', canMend: true });
};

const derivedRows =
  ({ find, describe }: DerivedRows): Check =>
  async (database, { report }) => {
    for (const row of database.snapshot(() => find(database, MAX_OF_KIND))) {
      const { of, fault } = describe(row);
      report({ trace: of, fault, canMend: true });
    }
  };

const facets: Check = async (database, { report, isStopped, progress }) => {
  let rows = 0;
  for (let after: IndexedFacet | null = null; !isStopped(); ) {
    const from: IndexedFacet | null = after;
    const page: ReturnType<typeof facetPage> = database.snapshot(() =>
      facetPage(database, { after: from, limit: PAGE }),
    );
    for (const { key, value, tkey, isKnown } of page)
      if (!isKnown)
        report({
          trace: `key ${tkey}`,
          fault: `the index of facets has ${key.slice(0, 100)} = ${value.slice(0, 100)}, and the trace has not`,
          canMend: true,
        });
    after = page.at(-1) ?? null;
    if (after === null) return;
    progress((rows += page.length));
    await setImmediate();
  }
};

const resources: Check = async (database, { report, isStopped, progress, isServed }) => {
  if (isServed) return;
  for (const { application, hash, stored, counted } of await wrongReferences(
    database,
    isStopped,
    progress,
    MAX_OF_KIND,
  ))
    report({
      trace: `resource ${hash.toString('hex')} of application ${application}`,
      fault: `its row counts ${stored} blocks, and ${counted} refer to it`,
      canMend: true,
    });
};

/** Returns resources that count other blocks than refer to them; none when it was stopped. */
export async function wrongReferences(
  database: StoreConnection,
  isStopped: () => boolean,
  progress: (rows: number) => void,
  limit: number,
): Promise<ReturnType<ReferenceCounts['wrong']>> {
  const counts = new ReferenceCounts();
  let rows = 0;
  let after: BlockKey | null = null;
  do {
    if (isStopped()) return [];
    after = counts.addPage(database, { after, limit: PAGE });
    progress((rows += PAGE));
    await setImmediate();
  } while (after !== null);
  return counts.wrong(database, limit);
}

const testCounts: Check = async (database, { report, isStopped, progress }) => {
  let rows = 0;
  for (let after: string | null = ''; after !== null && !isStopped(); await setImmediate()) {
    const from: string = after;
    const { last, read, wrong } = database.snapshot(() =>
      checkCounts(database, { after: from, limit: PAGE }),
    );
    for (const { id, text } of wrong)
      report({ trace: `test ${id}`, fault: `its row counts ${text}`, canMend: true });
    after = last;
    progress((rows += read));
  }
};

const metrics: Check = async (database, { report, isStopped, progress, at }) => {
  const reportWrong = ({ kind, id, names }: WrongMetrics): void =>
    report({
      trace: `${kind} ${id}`,
      fault: `its metrics are not those of its tests: ${names.join(', ')}`,
      canMend: true,
    });
  database.snapshot(() => missingMetrics(database, MAX_OF_KIND)).forEach(reportWrong);
  let rows = 0;
  let after: MetricsKey | null = null;
  do {
    const from: MetricsKey | null = after;
    const page: ReturnType<typeof checkMetrics> = database.snapshot(() =>
      checkMetrics(database, { after: from, at, limit: PAGE_METRICS }),
    );
    page.wrong.forEach(reportWrong);
    after = page.last;
    progress((rows += page.read));
    await setImmediate();
  } while (after !== null && !isStopped());
};

const verdicts: Check = async (database, { report, isStopped, progress }) => {
  const again = new VerdictCheck();
  let rows = 0;
  try {
    for (let after: string | null = ''; after !== null && !isStopped(); ) {
      const from: string = after;
      const page: ReturnType<typeof judgedEvals> = database.snapshot(() =>
        judgedEvals(database, { after: from, limit: PAGE_EVALS }),
      );
      for (const one of page.judged) {
        const fault = await again.differenceOf(one);
        if (fault !== null) report({ trace: `eval ${one.id}`, fault });
      }
      after = page.last;
      progress((rows += page.read));
    }
  } finally {
    await again.close();
  }
};

const rules: Check = async (database, { report, isStopped, progress }) => {
  for (const [index, rule] of STORE_RULES.entries()) {
    if (isStopped()) return;
    database.snapshot(() => checkRule(database, rule, { limit: MAX_OF_KIND, report }));
    progress(index + 1);
    await setImmediate();
  }
};

const CHECKS = forEachPart<Check>(
  {
    indexes,
    // `verify` reads each trace before.
    traces: null,
    facets,
    resources,
    'counts of tests': testCounts,
    metrics,
    verdicts,
    rules,
  },
  derivedRows,
);

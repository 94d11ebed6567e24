/** Computes again what a store has computed wrongly. Each step is a transaction, so an interrupted repair continues later. */
import { setImmediate } from 'node:timers/promises';
import { checkMetrics, missingMetrics, repairMetrics } from '../evaluate/check-metrics.ts';
import type { MetricsKey } from '../evaluate/quality-metrics.ts';
import { saveTaskLevels } from '../resources/tasks/metrics-store.ts';
import type { StoreConnection } from '../storage/database.ts';
import type { DerivedRows } from '../storage/derived-rows.ts';
import { repairIndexes } from '../storage/sqlite/check-indexes.ts';
import { checkCounts, repairCounts } from '../tests/check-counts.ts';
import { repairReferences } from '../traces/check-resources.ts';
import { checkTraceRow, facetPage, type IndexedFacet, removeFacet } from '../traces/check-trace-row.ts';
import { repairSums, repairTrace } from '../traces/repair-trace.ts';
import { type Fault, tracesToVerify, type VerifiedTrace, verifyTrace } from '../traces/verify.ts';
import { wrongReferences } from './invariants.ts';
import { forEachPart } from './store-parts.ts';

/** Rows that one transaction repairs. */
const STEP = 200;

export interface Repair {
  /** Called with each row that was repaired, and what was done. */
  onRepaired: (of: string, did: string) => void;
  isStopped: () => boolean;
  /** Unix milliseconds. */
  at: number;
}

type Part = (database: StoreConnection, repair: Repair) => Promise<void>;

/** Repairs a store that no server uses. What cannot be computed from the rest of the store stays as it is. */
export async function repairStore(database: StoreConnection, repair: Repair): Promise<void> {
  for (const [, part] of PARTS) {
    if (repair.isStopped()) return;
    await part(database, repair);
  }
}

const repairAllIndexes: Part = async (database, { onRepaired, isStopped }) => {
  for (const { name, failure } of repairIndexes(database)) {
    if (failure === null) onRepaired(`index ${name}`, 'it was built again');
    if (isStopped()) return;
    await setImmediate();
  }
};

const repairTraces: Part = async (database, repair) => {
  for (let after = -1; !repair.isStopped(); ) {
    const page = tracesToVerify(database, { after });
    for (const trace of page) {
      if (repair.isStopped()) return;
      if (hasFault(database, trace)) repairOne(database, trace, repair);
      await setImmediate();
    }
    const last = page.at(-1);
    if (!last) return;
    after = last.tkey;
  }
};

function hasFault(database: StoreConnection, trace: VerifiedTrace): boolean {
  let canMend = false;
  const report = (fault: Fault): void => void (canMend ||= fault.canMend === true);
  const isComplete = verifyTrace(database, trace, report);
  checkTraceRow(database, trace, { report, isComplete });
  return canMend;
}

/** Repairs the directory, the counts and the facets of a trace, and then the sums, which are read by way of them. */
function repairOne(database: StoreConnection, trace: VerifiedTrace, { onRepaired, at }: Repair): void {
  const did = database.transaction(() => repairTrace(database, trace));
  for (const one of did) onRepaired(trace.traceId, one);
  const [now] = tracesToVerify(database, { after: trace.tkey - 1, limit: 1 });
  if (now && hasFault(database, now) && database.transaction(() => repairSums(database, now, at)))
    onRepaired(trace.traceId, 'its sums were computed again');
}

/** Removes entries of the index of facets that no trace has. */
const repairFacets: Part = async (database, { onRepaired, isStopped }) => {
  for (let after: IndexedFacet | null = null; !isStopped(); ) {
    const page = facetPage(database, { after, limit: STEP });
    const unknown = page.filter(({ isKnown }) => !isKnown);
    if (unknown.length > 0)
      database.transaction(() => {
        for (const facet of unknown) removeFacet(database, facet);
      });
    for (const { tkey, key } of unknown)
      onRepaired(`key ${tkey}`, `the entry ${key.slice(0, 100)} of the index of facets was removed`);
    after = page.at(-1) ?? null;
    if (after === null) return;
    await setImmediate();
  }
};

const repairDerived =
  ({ find, describe, repair: repairRow }: DerivedRows): Part =>
  async (database, { onRepaired, isStopped }) => {
    for (let before = ''; !isStopped(); await setImmediate()) {
      const rows = find(database, STEP);
      // Rows that a repair leaves wrong end it.
      const now = JSON.stringify(rows);
      if (rows.length === 0 || now === before) return;
      before = now;
      database.transaction(() => rows.forEach((row) => repairRow(database, row)));
      for (const row of rows) onRepaired(describe(row).of, 'it was computed again');
    }
  };

const repairResources: Part = async (database, { onRepaired, isStopped }) => {
  for (let before = ''; !isStopped(); ) {
    const wrong = await wrongReferences(database, isStopped, () => undefined, STEP);
    const now = JSON.stringify(wrong);
    if (wrong.length === 0 || now === before) return;
    before = now;
    database.transaction(() => wrong.forEach((one) => repairReferences(database, one)));
    for (const { hash } of wrong) onRepaired(`resource ${hash.toString('hex')}`, 'its blocks were counted');
  }
};

const repairTests: Part = async (database, { onRepaired, isStopped }) => {
  for (let after: string | null = ''; after !== null && !isStopped(); await setImmediate()) {
    const { last, wrong }: ReturnType<typeof checkCounts> = checkCounts(database, { after, limit: STEP });
    if (wrong.length > 0) database.transaction(() => wrong.forEach((one) => repairCounts(database, one)));
    for (const { id } of wrong) onRepaired(`test ${id}`, 'its evals were counted');
    after = last;
  }
};

const repairAllMetrics: Part = async (database, repair) => {
  const of = { at: repair.at, onTaskMetricsSaved: [saveTaskLevels] };
  const mend = (keys: readonly MetricsKey[]): void => {
    for (const key of keys) {
      database.transaction(() => repairMetrics(database, key, of));
      repair.onRepaired(`${key.kind} ${key.id}`, 'its metrics were computed again');
    }
  };
  for (let rows = missingMetrics(database, STEP); rows.length > 0 && !repair.isStopped(); ) {
    mend(rows);
    await setImmediate();
    rows = missingMetrics(database, STEP);
  }
  let after: MetricsKey | null = null;
  do {
    const from: MetricsKey | null = after;
    const page: ReturnType<typeof checkMetrics> = checkMetrics(database, {
      after: from,
      at: repair.at,
      limit: STEP,
    });
    mend(page.wrong);
    after = page.last;
    await setImmediate();
  } while (after !== null && !repair.isStopped());
};

const PARTS = forEachPart<Part>(
  {
    indexes: repairAllIndexes,
    traces: repairTraces,
    facets: repairFacets,
    resources: repairResources,
    'counts of tests': repairTests,
    metrics: repairAllMetrics,
    // What people, judges or other programs decided cannot be computed.
    verdicts: null,
    rules: null,
  },
  repairDerived,
);

import { AppError } from '../../errors.ts';
import type { Target } from '../../evaluate/target.ts';
import type { Database } from '../../storage/database.ts';
import { bytesOf, each, hexOf, orderedJoin, uuidOf } from '../../storage/dialect.ts';
import { tests as testRows } from '../../tests/record.ts';
import { parseId } from '../../traces/ids.ts';
import { definitions } from '../definitions/record.ts';
import { differingTargets } from '../definitions/differing-targets.ts';
import { holdoutTraces } from '../definitions/holdout.ts';
import { newestOf, opinionOf } from '../definitions/human-opinion.ts';
import { verdictsOnDefinition } from '../definitions/verdict-store.ts';
import { requireTrace } from '../traces/trace-reference.ts';
import type { TryBody, TryPick } from './contract.ts';

/** Tests and traces that are considered, of which the first that may be tried are taken. */
const MAX_CANDIDATES = 200;

/** A test, or a trace without a test, with the ids of its traces in hex. */
export interface TryCandidate {
  testId: string | null;
  traces: readonly string[];
}

interface OfApplication {
  application: number;
}

/** Returns what evals of a candidate are of. */
export const candidateTarget = ({ testId, traces }: TryCandidate): Target =>
  testId === null ? { traceId: Buffer.from(traces[0] as string, 'hex') } : { testId };

/**
 * Returns the tests and traces that a sample names or picks, without those that are held out, and the number of these. Throws `not_found`
 * for what it names, and `conflict` when that is held out.
 */
export function tryCandidates(
  database: Database,
  { application, sample, definitionId }: OfApplication & Omit<TryBody, 'definition' | 'dryRun'>,
): { candidates: TryCandidate[]; heldOut: number } {
  if (definitionId !== undefined) definitions.require(database, application, definitionId);
  const holdout = holdoutTraces(database, application);
  const isFree = ({ traces }: TryCandidate): boolean => !traces.some((traceHex) => holdout.has(traceHex));
  const { pick, testIds, traceIds } = sample;
  if (pick !== undefined) {
    const found = picked(database, { application, pick, definitionId: definitionId ?? null });
    const free = found.filter(isFree);
    return { candidates: free, heldOut: found.length - free.length };
  }
  testRows.requireAll(database, application, testIds ?? []);
  const named = [
    ...withTraces(database, application, testIds ?? []),
    ...(traceIds ?? []).map((id) => ({
      testId: null,
      traces: [requireTrace(database, application, id).toString('hex')],
    })),
  ];
  const held = named.find((one) => !isFree(one));
  if (held)
    throw new AppError(
      'conflict',
      `${held.testId === null ? 'A trace' : `The test ${held.testId}`} is in the held-out half of a random sample, on which nothing is tried`,
    );
  return { candidates: named, heldOut: 0 };
}

interface PickArgs extends OfApplication {
  pick: TryPick;
  definitionId: string | null;
}

function picked(database: Database, args: PickArgs): TryCandidate[] {
  const { application, pick, definitionId } = args;
  if (pick === 'RECENT') return recent(database, application);
  if (pick === 'FAILED') return failed(database, args);
  const of = { application, definitionId: definitionId as string };
  return pick === 'REVIEWED' ? reviewed(database, of) : disagreeing(database, of);
}

interface Found {
  testId: string | null;
  traceId: string | null;
  at: number;
}

/** Returns the newest completed tests, and the newest traces without a test that have an input and an output. */
function recent(database: Database, application: number): TryCandidate[] {
  const args = { application, limit: MAX_CANDIDATES };
  const tests = database.all<Found>(
    `SELECT id AS "testId", NULL AS "traceId", created_at AS at FROM test
     WHERE application = :application AND status = 'COMPLETED' ORDER BY created_at DESC, id LIMIT :limit`,
    args,
  );
  const traces = database.all<Found>(
    `SELECT NULL AS "testId", ${hexOf('trace_id')} AS "traceId", start_ns / 1000000 AS at
     FROM (SELECT tkey, trace_id, start_ns FROM trace WHERE application = :application
       ORDER BY start_ns DESC, trace_id LIMIT :limit) AS newest
     WHERE NOT EXISTS (SELECT 1 FROM trace_test WHERE trace_test.tkey = newest.tkey)
       AND EXISTS (SELECT 1 FROM trace_preview AS preview
         WHERE preview.tkey = newest.tkey AND input IS NOT NULL AND output IS NOT NULL)
     ORDER BY start_ns DESC`,
    args,
  );
  const found = [...tests, ...traces].toSorted((a, b) => b.at - a.at).slice(0, MAX_CANDIDATES);
  return candidatesOf(database, application, found);
}

/** Returns what a definition, or any, has failed, the newest verdict first. */
function failed(database: Database, { application, definitionId }: PickArgs): TryCandidate[] {
  const ofDefinition = definitionId === null ? '' : 'AND definition_id = :definitionId';
  const found = database.all<Found>(
    `SELECT test_id AS "testId", ${hexOf('trace_id')} AS "traceId", created_at AS at FROM eval
     WHERE application = :application AND passed = 0 AND superseded = 0 AND status = 'COMPLETED'
       ${ofDefinition}
     ORDER BY created_at DESC LIMIT :limit`,
    { application, limit: MAX_CANDIDATES, ...(definitionId !== null && { definitionId }) },
  );
  return candidatesOf(database, application, found);
}

type OfDefinition = OfApplication & { definitionId: string };

const opinions = (database: Database, { application, definitionId }: OfDefinition) => {
  const { isOverall } = definitions.require(database, application, definitionId);
  return verdictsOnDefinition(database, { application, definitionId, isOverall });
};

/** Returns what people have judged by a definition, failed and passed in turn, the newest verdict first. */
function reviewed(database: Database, of: OfDefinition): TryCandidate[] {
  const byTrace = Map.groupBy(opinions(database, of).annotations, ({ traceId }) => traceId);
  const sides: [string[], string[]] = [[], []];
  for (const [traceId, annotations] of byTrace) {
    const { human } = opinionOf(newestOf(annotations));
    if (human !== null) sides[human ? 1 : 0].push(traceId);
  }
  const [fails, passes] = sides;
  const turns = Array.from({ length: Math.max(fails.length, passes.length) }, (_, at) =>
    [fails[at], passes[at]].filter((one) => one !== undefined),
  ).flat();
  return ofTraces(database, of.application, turns.slice(0, MAX_CANDIDATES));
}

/** Returns where the current version of a definition and people differ. */
function disagreeing(database: Database, of: OfDefinition): TryCandidate[] {
  const traces = differingTargets(database, of).flatMap(({ annotations }) => annotations[0]?.traceId ?? []);
  return ofTraces(database, of.application, [...new Set(traces)].slice(0, MAX_CANDIDATES));
}

/** Returns the tests of traces, else the traces themselves; deleted traces are left out. */
function ofTraces(database: Database, application: number, traces: readonly string[]): TryCandidate[] {
  const found = database.all<Found & { place: number }>(
    `SELECT value AS "traceId", (SELECT ${uuidOf('test_id')} FROM trace_test WHERE trace_test.tkey = trace.tkey
         ORDER BY first_ns, test_id LIMIT 1) AS "testId", 0 AS at
     FROM ${each(':traces')} ${orderedJoin} trace ON trace.application = :application AND trace.trace_id = ${bytesOf('value')}`,
    { application, traces: JSON.stringify(traces) },
  );
  const places = new Map(traces.map((traceId, place) => [traceId, place]));
  const inOrder = found.toSorted(
    (a, b) => (places.get(a.traceId ?? '') ?? 0) - (places.get(b.traceId ?? '') ?? 0),
  );
  return candidatesOf(database, application, inOrder);
}

/** Returns each test or trace once, in order. */
function candidatesOf(database: Database, application: number, found: readonly Found[]): TryCandidate[] {
  const testIds = found.flatMap(({ testId }) => testId ?? []);
  const tests = new Map(withTraces(database, application, testIds).map((one) => [one.testId, one]));
  const seen = new Set<string>();
  return found.flatMap(({ testId, traceId }) => {
    const key = testId ?? traceId;
    if (key === null || seen.has(key)) return [];
    seen.add(key);
    if (testId !== null) return tests.get(testId) ?? [];
    return { testId: null, traces: [traceId as string] };
  });
}

/** Returns tests with their traces. */
function withTraces(
  database: Database,
  application: number,
  testIds: readonly string[],
): { testId: string; traces: string[] }[] {
  const links = database.all<{ testId: string; traceId: string }>(
    `SELECT ${uuidOf('trace_test.test_id')} AS "testId", ${hexOf('trace_id')} AS "traceId"
     FROM ${each(':testIds')} ${orderedJoin} trace_test ON trace_test.application = :application
       AND trace_test.test_id = ${bytesOf('value')}
     ${orderedJoin} trace ON trace.tkey = trace_test.tkey ORDER BY via = 2, start_ns, trace_id`,
    { application, testIds: JSON.stringify(testIds.map((id) => parseId(id).toString('hex'))) },
  );
  const byTest = Map.groupBy(links, ({ testId }) => testId);
  return testIds.map((testId) => ({
    testId,
    traces: (byTest.get(testId) ?? []).map(({ traceId }) => traceId),
  }));
}

import type { Database, RowStatement } from '../storage/database.ts';
import { formatUuid, parseId } from './ids.ts';
import { FIND_TESTS } from './load.ts';
import { type Rollup, type TestLink, VIA_DELIVERY } from './rollup.ts';
import type { TestTouches } from './test-touches.ts';
import type { TraceKey } from './trace-keys.ts';

const LINK_TEST: RowStatement = {
  sql: `INSERT INTO trace_test (application, test_id, tkey, first_ns, via) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (application, test_id, tkey) DO UPDATE SET first_ns = excluded.first_ns, via = excluded.via
         WHERE (excluded.via = ${VIA_DELIVERY}, excluded.first_ns, excluded.via)
           < (trace_test.via = ${VIA_DELIVERY}, trace_test.first_ns, trace_test.via)`,
  columns: ['integer', 'blob', 'integer', 'integer', 'integer'],
};

/** Links of traces to the tests of their spans that one command stores. */
export class TestLinks {
  private readonly links = new Map<string, TestLink & TraceKey>();

  add({ application, tkey }: TraceKey, tests: readonly TestLink[]): void {
    for (const link of tests) {
      const key = `${tkey} ${link.testId}`;
      const known = this.links.get(key);
      if (!known || goesFirst(link, known)) this.links.set(key, { ...link, application, tkey });
    }
  }

  write(database: Database): void {
    const rows = [...this.links.values()].map(({ application, testId, tkey, first, via }) => [
      application,
      parseId(testId),
      tkey,
      first,
      via,
    ]);
    database.runMany(LINK_TEST, rows);
  }
}

/** Links a trace to the tests of its spans. */
export function storeTests(
  database: Database,
  application: number,
  tkey: number,
  tests: readonly TestLink[],
): void {
  const links = new TestLinks();
  links.add({ application, tkey }, tests);
  links.write(database);
}

/** Compares links as LINK_TEST does. */
function goesFirst(a: TestLink, b: TestLink): boolean {
  if ((a.via === VIA_DELIVERY) !== (b.via === VIA_DELIVERY)) return b.via === VIA_DELIVERY;
  return a.first === b.first ? a.via < b.via : a.first < b.first;
}

/** Most tests of a trace that a command touches besides those of its spans; the earliest ones first. */
const MAX_TOUCHED = 1_000;
/** Most tests that one command touches although no span of its slices carries their id. */
const MAX_OTHERS = 4_000;
/** Traces whose tests are read together. */
const TRACES_AT_ONCE = 16;

interface TouchedTrace extends TraceKey {
  at: number;
  named: Set<string>;
}

/** Traces with tests that got spans: all their tests are touched, not only those that the spans name. */
export class TouchedTraces {
  private readonly traces = new Map<number, TouchedTrace>();

  /** Records the arrival of spans, which name tests. Ids may not belong to tests of the service. */
  add({ application, tkey }: TraceKey, at: number, { tests }: Rollup): void {
    let trace = this.traces.get(tkey);
    if (!trace) this.traces.set(tkey, (trace = { application, tkey, at, named: new Set() }));
    trace.at = at;
    for (const { testId } of tests) trace.named.add(testId);
  }

  /** Touches the tests of all traces; their links must be stored. */
  touch(database: Database, touches: TestTouches): void {
    const traces = [...this.traces.values()];
    for (const { application, at, named } of traces)
      for (const testId of named) touches.add({ application, testId, at });
    let room = MAX_OTHERS;
    for (let from = 0; from < traces.length && room > 0; from += TRACES_AT_ONCE) {
      const some = traces.slice(from, from + TRACES_AT_ONCE);
      const most = Math.min(MAX_TOUCHED, room);
      const found = database.allMany<{ testId: Buffer }>(
        FIND_TESTS,
        some.map(({ tkey }) => [tkey, most]),
      );
      for (const [index, { application, at, named }] of some.entries()) {
        const ids = found[index]?.map(({ testId }) => formatUuid(testId)) ?? [];
        const others = ids.filter((testId) => !named.has(testId)).slice(0, room);
        for (const testId of others) touches.add({ application, testId, at });
        room -= others.length;
      }
    }
  }
}

const FIND_SAMPLE: RowStatement = {
  sql: 'SELECT 1 AS found FROM sample_test WHERE application = ? AND test_id = ?',
  columns: ['integer', 'blob'],
};

/** Returns those of the given tests that are sample tests of the webhook, as `sampleKey` gives them. */
export function findSamples(
  database: Database,
  tests: readonly { application: number; testId: string }[],
): Set<string> {
  const wanted = [...new Map(tests.map((test) => [sampleKey(test.application, test.testId), test]))];
  const found = database.allMany(
    FIND_SAMPLE,
    wanted.map(([, { application, testId }]) => [application, parseId(testId)]),
  );
  return new Set(wanted.filter((_, index) => found[index]?.length).map(([key]) => key));
}

export const sampleKey = (application: number, testId: string): string => `${application} ${testId}`;

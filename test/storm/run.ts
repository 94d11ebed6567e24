import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { folderBytes } from '../support/folder-bytes.ts';
import { run } from '../support/process.ts';
import { mulberry32 } from '../support/random.ts';
import type { Action, Done } from './action.ts';
import { killAction, operatorActions } from './operator-actions.ts';
import { recordActions } from './record-actions.ts';
import { checkShown, SHOWN_RULES } from './shown-invariants.ts';
import { checkStored, STORED_RULES } from './stored-invariants.ts';
import { traceActions } from './trace-actions.ts';
import { Fixture } from './fixture.ts';

export const ACTIONS: readonly Action[] = [...traceActions, ...recordActions, ...operatorActions];
export const INVARIANTS = STORED_RULES + SHOWN_RULES + 5;

export interface StormOptions {
  seed: number;
  steps: number;
  kill: boolean;
  /** Steps after which the invariants are checked. */
  every: number;
  /** Actions that are left out, by name, to find those that a fault needs. */
  without?: ReadonlySet<string>;
  print: (line: string) => void;
}

export interface StormResult {
  /** Step after which an invariant was broken; null if none was. */
  failedAt: number | null;
  broken: string[];
  /** Number of times that each action succeeded, was rejected and had nothing to do. */
  done: Map<string, { succeeded: number; rejected: number; skipped: number }>;
}

const QUIET_POLL_MS = 100;
const MAX_QUIET_MS = 60_000;
const NEWEST_MS = 15_000;
/** Counts the work in progress that no request waits for, except tests that wait for their time. */
const WORK = `SELECT (SELECT count(*) FROM purge) + (SELECT count(*) FROM test_touch) + (SELECT count(*) FROM erasure WHERE status = 'PENDING')
  + (SELECT count(*) FROM delivery WHERE finished_at IS NULL) + (SELECT count(*) FROM job WHERE state = 'running')`;
const NEWEST = 'SELECT (SELECT count(*) FROM span) AS spans, (SELECT count(*) FROM audit_entry) AS audit';

function withStore<T>(fixture: Fixture, read: (store: Sqlite.Database) => T): T {
  const store = new Sqlite(fixture.store, { readonly: true });
  try {
    return read(store);
  } finally {
    store.close();
  }
}

async function until(isTrue: () => boolean, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (!isTrue()) {
    if (performance.now() > end) return false;
    await delay(QUIET_POLL_MS);
  }
  return true;
}

async function check(fixture: Fixture): Promise<string[]> {
  const left = (): number =>
    withStore(fixture, (store) => store.prepare<[], number>(WORK).pluck().get() ?? 0);
  await until(() => left() === 0, MAX_QUIET_MS);
  const store = new Sqlite(fixture.store, { readonly: true });
  try {
    // On one snapshot, so that work that continues breaks no rule.
    const stored = store.transaction(() => checkStored(store))();
    const shown = await checkShown(fixture, store);
    const newest = (): boolean =>
      JSON.stringify(fixture.seenOutside) === JSON.stringify(store.prepare(NEWEST).get());
    const outside = (await until(newest, NEWEST_MS))
      ? []
      : [
          `another program sees ${JSON.stringify(fixture.seenOutside)}, and the store has ${JSON.stringify(store.prepare(NEWEST).get())}`,
        ];
    return [...stored, ...shown, ...outside];
  } finally {
    store.close();
  }
}

/** Waits until all tests have ended, and returns those that do not. */
async function unfinishedTests(fixture: Fixture): Promise<string[]> {
  fixture.appWorks(true);
  const open = (): number =>
    withStore(
      fixture,
      (store) =>
        store
          .prepare<[], number>(`SELECT count(*) FROM test WHERE status NOT IN ('COMPLETED', 'FAILED')`)
          .pluck()
          .get() ?? 0,
    );
  for (let hour = 0; hour < 12 && open() > 0; hour++) {
    await until(() => open() === 0, QUIET_POLL_MS * 50);
    // Deliveries that failed are retried after a time that grows.
    fixture.server.shiftClock(fixture.server.shiftMs + 3_600_000);
  }
  return open() === 0 ? [] : [`each test ends: ${open()} tests do not`];
}

/** Returns the columns of a store that contain a text. */
function columnsWith(store: Sqlite.Database, text: string): string[] {
  const columns = store
    .prepare<[], { table: string; column: string }>(
      `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table'`,
    )
    .all();
  return columns
    .filter(({ table, column }) =>
      store.prepare(`SELECT 1 FROM "${table}" WHERE instr(CAST("${column}" AS TEXT), ?) > 0`).get(text),
    )
    .map(({ table, column }) => `${table}.${column}`);
}

/** Stops the server and checks its folder: erased texts are nowhere in its bytes, and `touchstone verify --deep` finds no fault. */
async function checkStopped(fixture: Fixture): Promise<string[]> {
  const how = await fixture.server.stop('SIGTERM');
  // Otherwise it creates and deletes the log while the files are listed and read.
  await fixture.stopNeighbour();
  const files = folderBytes(fixture.server.dataDir);
  const left = fixture.erased.filter(({ secret }) => files.some(({ bytes }) => bytes.includes(secret)));
  const { code, stdout } = await run(['verify', '--deep', '--data-dir', fixture.server.dataDir]);
  return [
    ...(how === 0 ? [] : [`the server stops in order: it ended with ${how}`]),
    ...left.map(({ id, secret }) => {
      const places = withStore(fixture, (store) => columnsWith(store, secret));
      return `erased texts are nowhere in the folder: "${secret}" of the trace ${id} is in ${places.join() || 'unused bytes'}`;
    }),
    ...(code === 0 ? [] : [`verify --deep finds no fault: ${stdout}`]),
  ];
}

/** Rounds in which an action is tried. */
const TOUR_ROUNDS = 12;

/** Runs all actions, those that did not succeed again and again; returns the names of those that never did, and broken rules. */
export async function runTour(
  seed: number,
  without: ReadonlySet<string> = new Set(),
): Promise<{ never: string[]; broken: string[] }> {
  await using fixture = await Fixture.open(seed);
  let left = ACTIONS.filter(({ name }) => !without.has(name));
  for (let round = 0; round < TOUR_ROUNDS && left.length > 0; round++) {
    const again: Action[] = [];
    for (const action of left) {
      if (!isSuccess(await action.run(fixture))) again.push(action);
    }
    left = again;
    fixture.appWorks(true);
    for (const { name, run: prepare } of ACTIONS) if (PREPARING.has(name)) await prepare(fixture);
  }
  return { never: left.map(({ name }) => name), broken: await check(fixture) };
}

/** Actions that make what others need. */
const PREPARING = new Set([
  'send a trace',
  'annotate a trace',
  'create a task',
  'trigger a task',
  'create an assertion',
  'create an example',
  'invite a person',
  'save a view',
]);

function chooser(actions: readonly Action[], random: () => number): () => Action {
  const total = actions.reduce((sum, { weight }) => sum + weight, 0);
  return () => {
    let at = random() * total;
    return actions.find(({ weight }) => (at -= weight) < 0) ?? (actions[0] as Action);
  };
}

/** What the steps of a storm run on. */
export interface Scenario {
  actions: readonly Action[];
  run: (action: Action) => Promise<Done>;
  /** Returns the broken invariants. */
  check: () => Promise<string[]>;
  /** Checks, after the last step, what holds only at the end. */
  checkEnd: () => Promise<string[]>;
}

/** Runs the steps of one seed of a scenario, and checks the invariants after every few of them and at the end. */
export async function runSteps(
  { seed, steps, every, without, print }: StormOptions,
  { actions, run: runAction, check: checkNow, checkEnd }: Scenario,
): Promise<StormResult> {
  const next = chooser(actions, mulberry32(seed + 1));
  const result: StormResult = { failedAt: null, broken: [], done: new Map() };
  for (let step = 1; step <= steps; step++) {
    const action = next();
    const isLast = step === steps;
    if (!without?.has(action.name)) {
      const done = await runAction(action);
      count(result, action, done);
      print(`${String(step).padStart(5)}  ${action.name}: ${done}`);
    } else if (!isLast) continue;
    if (step % every !== 0 && !isLast) continue;
    const broken = await checkNow();
    if (isLast) broken.push(...(await checkEnd()));
    if (broken.length > 0) return { ...result, failedAt: step, broken };
  }
  return result;
}

const isSuccess = (done: Done): boolean => done !== 'skipped' && done >= 200 && done < 300;

function count({ done: all }: StormResult, { name }: Action, done: Done): void {
  const counts = all.get(name) ?? { succeeded: 0, rejected: 0, skipped: 0 };
  all.set(name, counts);
  counts[done === 'skipped' ? 'skipped' : isSuccess(done) ? 'succeeded' : 'rejected'] += 1;
}

/** Actions of a storm with these options. */
export const actionsOf = ({ kill }: Pick<StormOptions, 'kill'>): readonly Action[] =>
  kill ? [...ACTIONS, killAction] : ACTIONS;

/** Runs a storm on a server of its own. */
export async function runStorm(
  options: StormOptions,
  actions: readonly Action[] = actionsOf(options),
): Promise<StormResult> {
  await using fixture = await Fixture.open(options.seed);
  return await runSteps(options, {
    actions,
    run: (action) => action.run(fixture),
    check: () => check(fixture),
    checkEnd: async () => [
      ...(await unfinishedTests(fixture)),
      ...(await check(fixture)),
      ...(await checkStopped(fixture)),
    ],
  });
}

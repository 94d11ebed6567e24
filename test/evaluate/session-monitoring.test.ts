import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { hexOf } from '../../src/storage/dialect.ts';
import { drawLiveSessions, noteLiveSessions } from '../../src/evaluate/engine/draw-sessions.ts';
import { drawLiveTraces, placeOf } from '../../src/evaluate/engine/monitor-store.ts';
import { dueSessions, nextSessionAt, planSessions } from '../../src/evaluate/engine/plan-sessions.ts';
import { wantedEvals } from '../../src/evaluate/engine/work.ts';
import { purgeEvalsOfSession } from '../../src/evaluate/purge-evals.ts';
import { StepBudget } from '../../src/traces/purge-step.ts';
import { queryPlan } from '../support/query-plan.ts';
import { BASE_MS, MS, traceBytes, uuid, type Values } from '../support/spans.ts';
import { openDatabase, Tenant, temporaryFolder } from '../support/storage.ts';

const IDLE = 60_000;
/** Time when the first spans are stored. */
const AT = BASE_MS;

let tenant: Tenant;
/** Statements as they were prepared. */
let statements: string[];
/** Key of the last trace that sampling has seen. */
let seen: number | null;
beforeEach(() => {
  // How far traces have been sampled is recorded once for a complete store.
  const folder = temporaryFolder();
  statements = [];
  seen = 0;
  tenant = new Tenant(
    openDatabase(folder.file('store.db'), (sql) => statements.push(sql)),
    1,
  );
  return () => {
    tenant.database.connection.close();
    folder[Symbol.dispose]();
  };
});

interface Monitor {
  sampleRate?: number | undefined;
  idleTimeoutMs?: number | undefined;
  type?: string;
  status?: string;
  kind?: string;
  application?: number;
}

function monitor({ sampleRate = 1, idleTimeoutMs = IDLE, ...more }: Monitor = {}): string {
  const { type = 'CONVERSATION', status = 'ACTIVE', kind = 'application', application = 1 } = more;
  const id = randomUUID();
  tenant.database.run(
    `INSERT INTO definition (id, application, name, type, status, global_config, version, repeats, created_at, modified_at)
     VALUES (?, ?, 'Definition', ?, ?, ?, 1, 1, 0, 0)`,
    id,
    application,
    type,
    status,
    JSON.stringify({ monitoring: { sampleRate, idleTimeoutMs } }),
  );
  tenant.database.run(
    `INSERT INTO definition_link (application, definition_id, kind, target_id, config, created_at) VALUES (?, ?, ?, ?, '{}', 0)`,
    application,
    id,
    kind,
    id,
  );
  return id;
}

interface Stored {
  at?: number;
  of?: Tenant;
  id?: number;
  parent?: number;
  attributes?: Values;
}

/** Stores a turn of a session that starts `trace` seconds after the first; a null session is unknown. */
function turn(trace: number, session: string | null, more: Stored = {}): void {
  const { at = AT, of = tenant, id = 1, parent, attributes = {} } = more;
  const texts = { 'input.value': `input ${trace}`, 'output.value': `output ${trace}` };
  const ofSession = session === null ? {} : { 'session.id': session };
  of.store(
    [
      {
        trace,
        id,
        start: trace * 1_000 * MS,
        ...(parent === undefined ? {} : { parent }),
        attributes: { ...texts, ...ofSession, ...attributes },
      },
    ],
    { at },
  );
}

const draw = (now: number, after: number | null = seen) =>
  drawLiveSessions(tenant.database, { after, now, limit: 100 });

/** Does what the server does when it looks for due work; returns the number of planned sessions. */
function look(now: number): number {
  const { database } = tenant;
  const { last, drawn } = draw(now);
  noteLiveSessions(database, { drawn, last });
  seen = last;
  let planned = 0;
  for (let due = dueSessions(database, { now, limit: 100, hashes: true }); due.length > 0; ) {
    planned += planSessions(database, { due, now });
    due = dueSessions(database, { now, limit: 100, hashes: true });
  }
  return planned;
}

const waiting = (): { session: string | null; dueAt: number }[] =>
  tenant.database.all(
    'SELECT session_id AS session, due_at AS "dueAt" FROM monitored_session ORDER BY session_id, due_at',
  );

const planned = (application = 1): { trace: string; definition: string; superseded: number }[] =>
  tenant.database.all(
    `SELECT ${hexOf('trace_id')} AS trace, definition_id AS definition, superseded FROM eval
     WHERE application = ? AND run_type = 'MONITORING' ORDER BY trace, created_at, version`,
    application,
  );
const hexOfTrace = (trace: number): string => traceBytes(trace).toString('hex');

/** Ends the waiting evals as a judge does that has seen the present state of their session. */
function judge(): void {
  const { database } = tenant;
  const rows = database.all<{ id: string; traceId: Buffer; definitionId: string }>(
    `SELECT id, trace_id AS "traceId", definition_id AS "definitionId" FROM eval WHERE status = 'PENDING'`,
  );
  for (const { id, traceId, definitionId } of rows) {
    const wanted = wantedEvals(database, { application: 1, target: { traceId }, hashes: true });
    const hash = wanted.find((one) => one.definitionId === definitionId)?.inputHash ?? '';
    database.run(`UPDATE eval SET status = 'COMPLETED', input_hash = ? WHERE id = ?`, hash, id);
  }
}

describe('sampling of sessions', () => {
  it.each<[what: string, more: Monitor]>([
    ['the rate 0', { sampleRate: 0 }],
    ['the status DRAFT', { status: 'DRAFT' }],
    ['a link to a topic only', { kind: 'topic' }],
    ['a type that judges traces', { type: 'CUSTOM' }],
  ])('is off with definitions that have %s', (_what, more) => {
    monitor(more);
    turn(1, 'a');
    expect(draw(AT + IDLE, null)).toMatchObject({ isOn: false, last: null, drawn: [] });
  });

  it('leaves traces out of the sample of traces', () => {
    monitor();
    expect(drawLiveTraces(tenant.database, { after: 0, limit: 10 })).toMatchObject({ isOn: false });
  });

  it('begins with traces that arrive after it was turned on', () => {
    turn(1, 'a');
    monitor();
    const { last } = draw(AT + IDLE, null);
    expect(last).toBe(tenant.tkey(1));
    turn(2, 'b');
    expect(draw(AT + IDLE, last).drawn.map(({ sessionId }) => sessionId)).toEqual(['b']);
  });

  it('examines a trace once it is as old as the shortest idle timeout, and says when the next one is', () => {
    monitor({ idleTimeoutMs: 3 * IDLE });
    monitor({ idleTimeoutMs: IDLE, application: 2 });
    turn(1, 'a');
    turn(2, 'b', { at: AT + 500 });
    expect(draw(AT + IDLE - 1)).toMatchObject({ last: 0, drawn: [], nextAt: AT + IDLE });
    expect(draw(AT + IDLE)).toMatchObject({
      last: tenant.tkey(1),
      drawn: [{ sessionId: 'a', dueAt: AT + 3 * IDLE }],
      nextAt: AT + 500 + IDLE,
    });
  });

  it('examines traces from the future, which a clock that was set back leaves', () => {
    monitor();
    turn(1, 'a', { at: AT + 10 * IDLE });
    expect(draw(AT).drawn).toHaveLength(1);
  });

  it('takes the sessions whose place is within the largest rate, each once, of applications that judge sessions', () => {
    monitor({ sampleRate: 0.2 });
    monitor({ sampleRate: 0.6 });
    turn(1, 'theirs', { of: new Tenant(tenant.database, 2) });
    const sessions = Array.from({ length: 40 }, (_, index) => `session ${index}`);
    sessions.forEach((session, index) => {
      turn(2 * index, session);
      turn(2 * index + 1, session);
    });
    const { drawn } = draw(AT + IDLE);
    const expected = sessions.filter((session) => placeOf(session) < 0.6);
    expect(drawn.map(({ sessionId }) => sessionId)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(10);
    expect(expected.length).toBeLessThan(40);
  });

  it('drops sessions when too many wait, but none that waits already', () => {
    tenant.database.run(
      `WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < 49999)
       INSERT INTO monitored_session (application, session_id, due_at) SELECT 1, 'session ' || i, 0 FROM numbers`,
    );
    const note = (...numbers: number[]) => {
      const drawn = numbers.map((number) => {
        return { application: 1, sessionId: `session ${number}`, traceId: null, dueAt: AT };
      });
      return noteLiveSessions(tenant.database, { drawn, last: 1 });
    };
    expect(note(50_000, 50_001, 50_002)).toEqual({ added: 1, dropped: 2 });
    expect(note(1, 50_000, 50_003)).toEqual({ added: 0, dropped: 1 });
  });

  it('reads neither definitions that do not monitor nor their configs', () => {
    draw(AT);
    const [sql = ''] = statements.filter((text) => text.includes('FROM definition'));
    const details = queryPlan(tenant.database, sql).map(({ detail }) => detail);
    expect(details.join('\n')).toContain('USING COVERING INDEX definition_monitoring');
  });
});

describe('an idle session', () => {
  it('is judged at its last trace, once', () => {
    const definition = monitor();
    monitor({ sampleRate: placeOf('a') / 2 });
    turn(2, 'a');
    turn(1, 'a');
    expect(look(AT + IDLE - 1)).toBe(0);
    expect(look(AT + IDLE)).toBe(1);
    expect(planned()).toEqual([{ trace: hexOfTrace(2), definition, superseded: 0 }]);
    judge();
    // A start may examine traces again.
    seen = 0;
    expect(look(AT + 2 * IDLE)).toBe(0);
    expect(planned()).toHaveLength(1);
    expect(nextSessionAt(tenant.database, null)).toBeNull();
  });

  it('waits for spans of its earlier traces too', () => {
    monitor();
    turn(1, 'a');
    turn(2, 'a', { at: AT + 10_000 });
    turn(1, 'a', { at: AT + 30_000, id: 2, parent: 1 });
    expect(look(AT + IDLE)).toBe(0);
    expect(waiting()).toEqual([{ session: 'a', dueAt: AT + 30_000 + IDLE }]);
    expect(look(AT + 30_000 + IDLE)).toBe(1);
  });

  it('that grows is judged again at its new last trace, and the earlier verdict remains', () => {
    const definition = monitor();
    turn(1, 'a');
    look(AT + IDLE);
    judge();
    turn(2, 'a', { at: AT + 2 * IDLE });
    expect(look(AT + 2 * IDLE)).toBe(0);
    expect(look(AT + 3 * IDLE)).toBe(1);
    expect(planned()).toEqual([
      { trace: hexOfTrace(1), definition, superseded: 0 },
      { trace: hexOfTrace(2), definition, superseded: 0 },
    ]);
  });

  it('that grows before its last trace supersedes the verdict', () => {
    monitor();
    turn(2, 'a');
    look(AT + IDLE);
    judge();
    turn(1, 'a', { at: AT + 2 * IDLE });
    expect(look(AT + 3 * IDLE)).toBe(1);
    expect(planned().map(({ superseded }) => superseded)).toEqual([1, 0]);
  });

  it('whose turns cannot be read is planned for definitions that did not judge its last trace', () => {
    monitor();
    turn(2, 'a');
    look(AT + IDLE);
    judge();
    const second = monitor();
    turn(1, 'a', { at: AT + 2 * IDLE });
    const now = AT + 3 * IDLE;
    noteLiveSessions(tenant.database, draw(now));
    const due = dueSessions(tenant.database, { now, limit: 1, hashes: false });
    expect(planSessions(tenant.database, { due, now })).toBe(1);
    expect(
      planned()
        .map(({ definition, superseded }) => [definition, superseded])
        .at(-1),
    ).toEqual([second, 0]);
    expect(planned()).toHaveLength(2);
    expect(waiting()).toEqual([]);
  });

  it('is judged by each definition after its own timeout', () => {
    const first = monitor();
    const second = monitor({ idleTimeoutMs: 3 * IDLE });
    turn(1, 'a');
    expect(look(AT + IDLE)).toBe(1);
    judge();
    expect(planned().map(({ definition }) => definition)).toEqual([first]);
    expect(waiting()).toEqual([{ session: 'a', dueAt: AT + 3 * IDLE }]);
    expect(look(AT + 3 * IDLE)).toBe(1);
    expect(planned().map(({ definition }) => definition)).toEqual([first, second]);
    expect(waiting()).toEqual([]);
  });

  it('that changes while its evals are being planned stays due', () => {
    monitor();
    turn(1, 'a');
    const { drawn, last } = draw(AT + IDLE);
    noteLiveSessions(tenant.database, { drawn, last });
    const due = dueSessions(tenant.database, { now: AT + IDLE, limit: 10, hashes: true });
    turn(2, 'a', { at: AT + IDLE });
    expect(planSessions(tenant.database, { due, now: AT + IDLE })).toBe(0);
    expect(waiting()).toHaveLength(1);
    expect(look(AT + 2 * IDLE)).toBe(1);
    expect(planned().map(({ trace }) => trace)).toEqual([hexOfTrace(2)]);
  });

  it('is planned within steps of 500 evals', () => {
    for (let count = 0; count < 60; count++) monitor();
    for (let trace = 1; trace <= 20; trace++) turn(trace, `session ${trace}`);
    const { drawn, last } = draw(AT + IDLE);
    noteLiveSessions(tenant.database, { drawn, last });
    const steps: number[] = [];
    for (
      let due = dueSessions(tenant.database, { now: AT + IDLE, limit: 100, hashes: true });
      due.length > 0;
    ) {
      steps.push(planSessions(tenant.database, { due, now: AT + IDLE }));
      due = dueSessions(tenant.database, { now: AT + IDLE, limit: 100, hashes: true });
    }
    expect(steps).toEqual([9, 9, 2]);
    expect(planned()).toHaveLength(20 * 60);
  });

  it.each<[what: string, happen: () => void]>([
    ['belongs to a test', () => turn(2, 'a', { attributes: { 'service.test.id': uuid(5) } })],
    ['was deleted', () => tenant.delete(1)],
    [
      'is judged by no definition any more',
      () => tenant.database.run(`UPDATE definition SET status = 'ARCHIVED'`),
    ],
  ])('no longer waits when it %s', (_what, happen) => {
    monitor();
    turn(1, 'a', { at: AT + 10 });
    const { drawn, last } = draw(AT + IDLE + 10);
    noteLiveSessions(tenant.database, { drawn, last });
    happen();
    expect(look(AT + 9 * IDLE)).toBe(0);
    expect(planned()).toEqual([]);
    expect(waiting()).toEqual([]);
  });

  it('leaves nothing behind when its last trace is deleted', () => {
    const drawn = ['a', 'b'].map((sessionId) => ({ application: 1, sessionId, traceId: null, dueAt: AT }));
    turn(1, 'b');
    noteLiveSessions(tenant.database, { drawn, last: 1 });
    for (const sessionId of ['a', 'b'])
      purgeEvalsOfSession(tenant.database, { application: 1, sessionId, deletedAt: AT }, new StepBudget());
    expect(waiting().map(({ session }) => session)).toEqual(['b']);
  });
});

it('sessions and traces are found by indexes', () => {
  monitor();
  turn(1, 'a');
  turn(2, null, { at: AT + 10 });
  look(AT + IDLE);
  statements = statements.filter((sql) => /^\s*(?:SELECT|DELETE|UPDATE)/.test(sql));
  const details = statements.flatMap((sql) => queryPlan(tenant.database, sql)).map(({ detail }) => detail);
  expect(details.filter((detail) => /trace|monitored_session/.test(detail)).length).toBeGreaterThan(5);
  expect(details.filter((detail) => /SCAN (?:trace|monitored_session|eval)\b/.test(detail))).toEqual([]);
});

describe('a trace in flight whose session is unknown', () => {
  it('waits until its root span says the session', () => {
    monitor();
    turn(1, null, { id: 2, parent: 1, at: AT });
    turn(1, null, { id: 3, parent: 1, at: AT + IDLE - 1 });
    expect(look(AT + IDLE)).toBe(0);
    expect(waiting()).toEqual([{ session: null, dueAt: AT + 2 * IDLE - 1 }]);
    turn(1, 'a', { at: AT + IDLE + 1 });
    expect(look(AT + 2 * IDLE)).toBe(0);
    expect(waiting()).toEqual([{ session: 'a', dueAt: AT + 2 * IDLE + 1 }]);
    expect(look(AT + 2 * IDLE + 1)).toBe(1);
    expect(waiting()).toEqual([]);
  });

  it('no longer waits once it is idle', () => {
    monitor();
    turn(1, null, { at: AT });
    turn(1, null, { id: 2, parent: 1, at: AT + 10 });
    expect(look(AT + IDLE)).toBe(0);
    expect(waiting()).toHaveLength(1);
    expect(look(AT + IDLE + 10)).toBe(0);
    expect(waiting()).toEqual([]);
  });
});

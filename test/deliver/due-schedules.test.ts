import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { CRITICALITIES, type Criticality, nextRun } from '../../src/deliver/schedule.ts';
import {
  catchUpSchedules,
  nextScheduleAt,
  replanSchedules,
  runDueSchedules,
} from '../../src/deliver/due-schedules.ts';
import { uuid } from '../support/spans.ts';
import { storeExamples } from '../support/stored-examples.ts';
import { type Tenant, useStore } from '../support/storage.ts';
import { effort } from '../support/effort.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const store = useStore();
let tenant: Tenant;
let tasks = 0;
beforeEach(() => {
  // What an earlier test left would be due as well.
  store.database().run('DELETE FROM task_schedule');
  tenant = store.newTenant();
});

interface Scheduled {
  status?: string;
  inputExamples?: readonly string[];
  criticality?: Criticality;
  cron?: string | null;
  timezone?: string;
  enabled?: boolean;
  nextRunAt?: number;
}

/** The id of a new task whose schedule has just fallen due, by default. */
function newTask(of: Scheduled = {}, owner = tenant): string {
  const id = uuid(0x5c4e_0000 + tasks++);
  const { status = 'ACTIVE', inputExamples = ['a', 'b'], criticality = 'HIGH', cron = null } = of;
  owner.database.run(
    `INSERT INTO task (id, application, title, description, type, status, is_verified, created_at,
       modified_at) VALUES (?, ?, 'Task', 'Say hello.', 'STATIC', ?, 0, 0, 0)`,
    id,
    owner.application,
    status,
  );
  storeExamples(owner.database, owner.application, id, inputExamples);
  owner.database.run(
    `INSERT INTO task_schedule (task_id, application, criticality, cron, timezone, enabled, next_run_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    id,
    owner.application,
    criticality,
    cron,
    of.timezone ?? 'UTC',
    of.enabled === false ? 0 : 1,
    of.nextRunAt ?? NOW,
  );
  return id;
}

const run = (now = NOW): string[] =>
  runDueSchedules(store.database(), { now, hasPromptModel: false }).map(({ taskId }) => taskId);
const isDue = (now = NOW): boolean => (nextScheduleAt(store.database(), null) ?? Infinity) <= now;

interface Times {
  nextRunAt: number;
  lastRunAt: number | null;
}

const timesOf = (taskId: string): Times =>
  store
    .database()
    .get<Times>(
      'SELECT next_run_at AS nextRunAt, last_run_at AS lastRunAt FROM task_schedule WHERE task_id = ?',
      taskId,
    ) as Times;

interface TestRow {
  application: number;
  prompt: string;
  exampleIndex: number | null;
  type: string;
  jobs: number;
}

const testsOf = (taskId: string): TestRow[] =>
  store.database().all<TestRow>(
    `SELECT application, prompt, example_index AS exampleIndex, run_type AS type,
       (SELECT count(*) FROM job WHERE kind = 'deliver' AND key = test.id AND due_at = test.created_at) AS jobs
     FROM test WHERE task_id = ? ORDER BY example_index`,
    taskId,
  );

function endTests(taskId: string, status: string): void {
  store.database().run('UPDATE test SET status = ? WHERE task_id = ?', status, taskId);
}

describe('a schedule that is due', () => {
  it('runs once, and is planned for its next time', () => {
    const taskId = newTask();
    expect(isDue()).toBe(true);
    expect(run()).toEqual([taskId]);
    expect(timesOf(taskId)).toEqual({
      nextRunAt: nextRun({ taskId, criticality: 'HIGH', cron: null, timezone: 'UTC', after: NOW }),
      lastRunAt: NOW,
    });
    expect(isDue()).toBe(false);
    expect(run()).toEqual([]);
  });

  it('runs not a moment before', () => {
    const taskId = newTask({ nextRunAt: NOW + 1 });
    expect(isDue()).toBe(false);
    expect(run()).toEqual([]);
    expect(run(NOW + 1)).toEqual([taskId]);
  });

  it.each<[inputExamples: readonly string[], prompts: readonly string[]]>([
    [
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ],
    [['a'], ['a']],
    [[], []],
    [Array.from({ length: 150 }, (_, i) => `${i}`), Array.from({ length: 100 }, (_, i) => `${i}`)],
  ])('takes each input example once, no more than a hundred', (inputExamples, prompts) => {
    const taskId = newTask({ inputExamples });
    run();
    expect(testsOf(taskId)).toEqual(
      prompts.map((prompt, index) => ({
        application: tenant.application,
        prompt,
        exampleIndex: index,
        type: 'SCHEDULED',
        jobs: 1,
      })),
    );
  });

  it('is one of many that all run, some at a time', () => {
    const [own, other] = [store.newTenant(), store.newTenant()];
    const ids = Array.from({ length: 120 }, (_, i) => newTask({}, i % 2 ? own : other));
    const ran: string[] = [];
    while (isDue()) ran.push(...run());
    expect(ran.toSorted()).toEqual(ids.toSorted());
    expect(testsOf(ids[1] as string)[0]?.application).toBe(own.application);
  });
});

describe('a schedule that is due is left out until its next time', () => {
  it.each(['PENDING', 'IN_PROGRESS'])('while a test of its task is %s', (status) => {
    const [taskId, free] = [newTask(), newTask()];
    run();
    endTests(taskId, status);
    endTests(free, 'COMPLETED');
    const { nextRunAt } = timesOf(taskId);
    const later = Math.max(nextRunAt, timesOf(free).nextRunAt);
    expect(run(later)).toEqual([free]);
    expect(timesOf(taskId).nextRunAt).toBeGreaterThan(later);
    expect(timesOf(taskId).lastRunAt).toBe(NOW);
    expect(testsOf(taskId)).toHaveLength(2);

    endTests(taskId, 'FAILED');
    expect(run(timesOf(taskId).nextRunAt)).toContain(taskId);
  });

  it.each(['DRAFT', 'ARCHIVED'])('when its task is %s', (status) => {
    const taskId = newTask({ status });
    expect(run()).toEqual([]);
    expect(testsOf(taskId)).toEqual([]);
    const { nextRunAt, lastRunAt } = timesOf(taskId);
    expect(nextRunAt).toBeGreaterThan(NOW);
    expect(lastRunAt).toBeNull();
  });

  it('and never taken when it is off', () => {
    const taskId = newTask({ enabled: false });
    expect(isDue()).toBe(false);
    expect(run()).toEqual([]);
    expect(timesOf(taskId).nextRunAt).toBe(NOW);
  });
});

describe('what was missed while no process ran', () => {
  it('is made up for once, spread over ten minutes', () => {
    const ids = Array.from({ length: 200 }, () => newTask({ nextRunAt: NOW - 3 * DAY }));
    catchUpSchedules(store.database(), { startedAt: NOW });
    const times = ids.map((id) => timesOf(id).nextRunAt);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(NOW);
    expect(Math.max(...times)).toBeLessThanOrEqual(NOW + 10 * MINUTE);
    for (let minute = 0; minute < 10; minute++) {
      const from = NOW + minute * MINUTE;
      const count = times.filter((time) => from <= time && time < from + MINUTE).length;
      expect(count).toBeGreaterThan(5);
      expect(count).toBeLessThan(50);
    }

    const ran: string[] = [];
    while (isDue(NOW + 10 * MINUTE)) ran.push(...run(NOW + 10 * MINUTE));
    expect(ran.toSorted()).toEqual(ids.toSorted());
  });

  it('does not change what is not due yet, and what is off', () => {
    const [later, off] = [newTask({ nextRunAt: NOW + HOUR }), newTask({ enabled: false })];
    catchUpSchedules(store.database(), { startedAt: NOW });
    expect(timesOf(later).nextRunAt).toBe(NOW + HOUR);
    expect(timesOf(off).nextRunAt).toBe(NOW);
  });
});

it.each(CRITICALITIES)(
  'a %s schedule that ran while the clock was ahead runs at its next regular time',
  (criticality) => {
    const ahead = NOW + 365 * DAY;
    const cron = criticality === 'HIGH' ? '30 9 * * *' : null;
    const other = newTask({ criticality, cron });
    const id = newTask({ criticality, cron });
    const regular = nextRun({ taskId: other, criticality, cron, timezone: 'UTC', after: NOW });
    store.database().run('UPDATE task_schedule SET next_run_at = ? WHERE task_id = ?', regular, other);
    expect(run(ahead)).toContain(id);
    store.database().run('UPDATE task_schedule SET next_run_at = ? WHERE task_id = ?', regular, other);
    expect(timesOf(id).nextRunAt).toBeGreaterThan(ahead);
    expect(replanSchedules(store.database(), { now: NOW })).toBe(false);
    expect(timesOf(id).nextRunAt).toBe(
      nextRun({ taskId: id, criticality, cron, timezone: 'UTC', after: NOW }),
    );
    expect(timesOf(other).nextRunAt).toBe(regular);
  },
);

it('next_run_at always moves forward, whatever the rhythm and however late it is', () => {
  const rhythm = fc.record({
    criticality: fc.constantFrom(...CRITICALITIES),
    minute: fc.constantFrom(null, 0, 30, 59),
    hour: fc.integer({ min: 0, max: 23 }),
    timezone: fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
    ),
    status: fc.constantFrom('ACTIVE', 'DRAFT'),
  });
  const span = fc.integer({ min: 0, max: 400 * DAY });
  fc.assert(
    fc.property(rhythm, span, span, fc.boolean(), (of, plannedAfter, lateBy, isRestarted) => {
      const { criticality, minute, hour, timezone, status } = of;
      const cron = minute === null ? null : `${minute} ${hour} * * ${criticality === 'HIGH' ? '*' : 'SUN'}`;
      const nextRunAt = NOW + plannedAfter;
      const taskId = newTask({ criticality, cron, timezone, status, nextRunAt, inputExamples: ['a'] });
      let now = nextRunAt + lateBy;
      if (isRestarted) {
        catchUpSchedules(store.database(), { startedAt: now });
        expect(timesOf(taskId).nextRunAt).toBeGreaterThanOrEqual(now);
        now = timesOf(taskId).nextRunAt;
      }
      expect(run(now)).toEqual(status === 'ACTIVE' ? [taskId] : []);
      expect(timesOf(taskId).nextRunAt).toBeGreaterThan(now);
      store.database().run('DELETE FROM task_schedule');
    }),
    { numRuns: effort(67) },
  );
});

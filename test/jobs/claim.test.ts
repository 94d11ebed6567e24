import { describe, expect, it, vi } from 'vitest';
import { claimJobs, type JobOfOrganisation, leaveQueues, type Served } from '../../src/jobs/claim.ts';
import { queueKind } from '../../src/jobs/queue-kind.ts';
import { openLease, renewLease } from '../../src/jobs/lease.ts';
import {
  buryJob,
  enqueueJob,
  finishJob,
  jobNumbers,
  listDeadJobs,
  markRun,
  retryJob,
} from '../../src/jobs/store.ts';
import { withDefaults } from '../../src/resources/applications/contract.ts';
import { insertApplication } from '../../src/resources/applications/store.ts';
import type { SqlValue } from '../../src/storage/database.ts';
import { KIND } from './kind.ts';
import { Desk, newDatabase, NOW } from './support.ts';

const newDesk = (): Desk => new Desk(newDatabase());
/** Gives each of the applications so many jobs, called `application-number`. */
function fill(desk: Desk, counts: Readonly<Record<number, number>>): void {
  for (const [application, count] of Object.entries(counts)) {
    for (let n = 1; n <= count; n++) desk.enqueue(`${application}-${n}`, Number(application), NOW - 100 + n);
  }
}
const keys = (jobs: readonly { key: string }[]): string[] => jobs.map(({ key }) => key);

describe('claimJobs', () => {
  it('claims what is due, and claims it once', () => {
    const desk = newDesk();
    desk.enqueue('due', 1, NOW);
    desk.enqueue('later', 1, NOW + 1);
    expect(desk.claim()).toMatchObject([{ application: 1, kind: KIND, key: 'due', attempt: 1 }]);
    expect(desk.claim()).toEqual([]);
  });

  it('takes the jobs of an application in the order they are due', () => {
    const desk = newDesk();
    for (const [key, dueAt] of [
      ['b', NOW - 1],
      ['c', NOW],
      ['a', NOW - 2],
    ] as const) {
      desk.enqueue(key, 1, dueAt);
    }
    expect(keys(desk.claim())).toEqual(['a', 'b', 'c']);
  });

  it('gives every application its turn before any has a second one', () => {
    const desk = newDesk();
    fill(desk, { 1: 9, 2: 1, 3: 2 });
    expect(keys(desk.claim({ limit: 7 }))).toEqual(['1-1', '2-1', '3-1', '1-2', '3-2', '1-3', '1-4']);
  });

  it('continues with the next application where slots become free one by one', () => {
    const desk = newDesk();
    fill(desk, { 1: 3, 2: 3, 3: 1 });
    let lastServed: Served[] = [];
    const served: string[] = [];
    for (let n = 0; n < 7; n++) {
      const [job] = desk.claim({ limit: 1, lastServed });
      if (!job) break;
      served.push(job.key);
      lastServed = [...lastServed.filter(({ application }) => application !== job.application), job];
      finishJob(desk.database, job.id);
    }
    expect(served).toEqual(['1-1', '2-1', '3-1', '1-2', '2-2', '1-3', '2-3']);
  });

  describe('with organisations of several applications', () => {
    const organisationOf = { 1: 'A', 2: 'A', 3: 'A', 4: 'B' };
    function deskOf(counts: Readonly<Record<number, number>>): Desk {
      const desk = newDesk();
      for (const [application, orgId] of Object.entries(organisationOf))
        insertApplication(desk.database, {
          id: `application ${application}`,
          orgId,
          fields: withDefaults({ title: application, type: 'AGENT' }),
          at: NOW,
        });
      fill(desk, counts);
      return desk;
    }

    it('gives an organisation with three applications the turns of one', () => {
      const desk = deskOf({ 1: 2, 2: 2, 3: 2, 4: 4 });
      expect(keys(desk.claim({ limit: 8 }))).toEqual([
        '1-1',
        '4-1',
        '2-1',
        '4-2',
        '3-1',
        '4-3',
        '1-2',
        '4-4',
      ]);
    });

    it('continues with the next application of each where slots become free one by one', () => {
      const desk = deskOf({ 1: 2, 2: 2, 3: 2, 4: 3 });
      const served = new Map<string, Served>();
      const order = Array.from({ length: 7 }, () => {
        const [job] = desk.claim({ limit: 1, lastServed: [...served.values()] });
        served.delete(job?.organisation ?? '');
        if (job) served.set(job.organisation, job);
        finishJob(desk.database, job?.id ?? 0);
        return job?.key;
      });
      expect(order).toEqual(['1-1', '4-1', '2-1', '4-2', '3-1', '4-3', '1-2']);
    });

    it('keeps to the limit of an organisation, counting what is running', () => {
      const desk = deskOf({ 1: 4, 2: 4, 4: 4 });
      expect(keys(desk.claim({ perOrganisation: 3, perApplication: 2 }))).toEqual([
        '1-1',
        '4-1',
        '2-1',
        '4-2',
        '1-2',
      ]);
      expect(keys(desk.claim({ perOrganisation: 4, perApplication: 2 }))).toEqual(['2-2']);
    });
  });

  it.each([
    ['limit', { limit: 2 }, ['1-1', '2-1'], ['1-2', '2-2']],
    ['limit of an application', { perApplication: 2 }, ['1-1', '2-1', '1-2', '2-2'], []],
    ['total', { total: 3 }, ['1-1', '2-1', '1-2'], []],
  ])('keeps to the %s, counting what is running', (_what, limits, first, second) => {
    const desk = newDesk();
    fill(desk, { 1: 4, 2: 4 });
    expect(keys(desk.claim(limits))).toEqual(first);
    expect(keys(desk.claim(limits))).toEqual(second);
  });

  it('counts the running jobs of each kind for themselves', () => {
    const desk = newDesk();
    desk.enqueue('a');
    desk.enqueue('a', 1, NOW, 'other');
    const one = { limit: 5, total: 1, perApplication: 1, perOrganisation: 1, lastServed: [] };
    const wanted = [KIND, 'other', 'none'].map((kind) => ({ kind, ...one }));
    const { jobs } = claimJobs(desk.database, { lease: desk.lease, now: NOW, wanted });
    expect(jobs.map(({ kind }) => kind)).toEqual([KIND, 'other']);
  });

  it('reports when the next job is due, those that wait for a slot aside', () => {
    const desk = newDesk();
    const ask = (): number | null =>
      claimJobs(desk.database, {
        lease: desk.lease,
        now: NOW,
        wanted: [{ kind: KIND, limit: 9, total: 9, perApplication: 1, perOrganisation: 9, lastServed: [] }],
      }).nextDueAt;
    expect(ask()).toBeNull();
    fill(desk, { 1: 2 });
    desk.enqueue('later', 2, NOW + 70);
    desk.enqueue('next', 3, NOW + 30);
    desk.enqueue('other kind', 3, NOW + 10, 'other');
    expect(ask()).toBe(NOW + 30);
  });

  it('looks into the store as often whether few jobs of an application wait or many', () => {
    const reads = (waiting: number): number => {
      const desk = newDesk();
      fill(desk, { 1: waiting, 2: 1 });
      const get = vi.spyOn(desk.database, 'get');
      const all = vi.spyOn(desk.database, 'all');
      expect(keys(desk.claim({ limit: 3 }))).toEqual(['1-1', '2-1', '1-2']);
      return get.mock.calls.length + all.mock.calls.length;
    };
    expect(reads(3_000)).toBe(reads(3));
  });
});

describe('a claim for one slot', () => {
  it('runs as many statements whether few applications wait or many', () => {
    const reads = (applications: number): number => {
      const desk = newDesk();
      for (let application = 1; application <= applications; application++)
        desk.enqueue(`${application}`, application);
      const get = vi.spyOn(desk.database, 'get');
      const all = vi.spyOn(desk.database, 'all');
      const lastServed = [{ organisation: '1', application: 1 }];
      expect(keys(desk.claim({ limit: 1, lastServed }))).toEqual(['2']);
      return get.mock.calls.length + all.mock.calls.length;
    };
    expect(reads(300)).toBe(reads(3));
  });
});

describe('the statements of jobs', () => {
  /** The plans of all that `use` runs, by statement. */
  function plansOf(use: (desk: Desk) => void): Map<string, string> {
    const statements: string[] = [];
    const desk = new Desk(newDatabase((sql) => statements.push(sql)));
    fill(desk, { 1: 2, 2: 2 });
    use(desk);
    return new Map(
      [...new Set(statements)]
        .filter((sql) => /\bjob\b/.test(sql))
        .map((sql) => {
          const names = [...sql.matchAll(/:(\w+)/g)].map(([, name]) => [name, 0]);
          const values = Object.fromEntries(names) as Record<string, SqlValue>;
          const steps = desk.database.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values);
          return [sql, steps.map(({ detail }) => detail).join('; ')];
        }),
    );
  }

  it('find their rows by an index, and need no sorting', () => {
    const plans = plansOf((desk) => {
      const [one, two, three] = desk.claim({ limit: 3 });
      markRun(desk.database, { id: one?.id ?? 0, begun: false });
      finishJob(desk.database, one?.id ?? 0);
      retryJob(desk.database, { id: two?.id ?? 0, dueAt: NOW, reason: 'busy' });
      buryJob(desk.database, { id: three?.id ?? 0, reason: 'hopeless' });
      desk.enqueue('gone', 1, NOW, queueKind(KIND, 'gone'));
      openLease(desk.database, { now: NOW, isShared: false });
      listDeadJobs(desk.database, { application: 1, limit: 1 });
    });
    expect(plans.size).toBeGreaterThan(9);
    for (const [sql, plan] of plans) {
      expect(plan, sql).not.toContain('SCAN job');
      if (!sql.includes('GROUP BY')) expect(plan, sql).not.toContain('TEMP B-TREE');
    }
    const looks = [...plans]
      .filter(([sql]) => sql.includes(`'waiting' AND kind = :kind AND application`))
      .map(([, plan]) => /SEARCH job [^;]*/.exec(plan)?.[0]);
    expect(looks).toEqual([
      'SEARCH job USING COVERING INDEX job_waiting (kind=? AND application>?)',
      'SEARCH job USING COVERING INDEX job_waiting (kind=? AND application=?)',
    ]);
  });

  it('count the waiting in the index of the waiting', () => {
    const [plan] = plansOf(({ database }) => void jobNumbers(database))
      .values()
      .toArray()
      .slice(-1);
    for (const index of ['COVERING INDEX job_waiting', 'INDEX job_running', 'INDEX job_dead'])
      expect(plan).toContain(index);
  });
});

describe('openLease', () => {
  describe('for kinds that report when their work begins', () => {
    const attemptAfterDeath = (desk: Desk): [Desk, JobOfOrganisation] => {
      const next = new Desk(desk.database);
      return [next, next.claimOne(NOW, true)];
    };

    it('counts no attempt of a run that only waited, however often the process dies', () => {
      let desk = newDesk();
      desk.enqueue('a');
      let job = desk.claimOne(NOW, true);
      for (let death = 1; death <= 20; death++) {
        if (death > 1) markRun(desk.database, { id: job.id, begun: false });
        [desk, job] = attemptAfterDeath(desk);
        expect(job).toMatchObject({ attempt: 1, cuts: death });
      }
    });

    it('counts each run that had begun but for the first that was interrupted', () => {
      let desk = newDesk();
      desk.enqueue('a');
      let job = desk.claimOne(NOW, true);
      const attempts: number[] = [];
      for (let death = 1; death <= 4; death++) {
        markRun(desk.database, { id: job.id, begun: false });
        if (death > 1) markRun(desk.database, { id: job.id, begun: true });
        [desk, job] = attemptAfterDeath(desk);
        attempts.push(job.attempt);
      }
      expect(attempts).toEqual([1, 2, 3, 4]);
    });

    it('counts no attempt of a run that was interrupted before it reported anything', () => {
      let desk = newDesk();
      desk.enqueue('a');
      let job = desk.claimOne(NOW, true);
      const attempts: number[] = [];
      for (let death = 1; death <= 20; death++) {
        [desk, job] = attemptAfterDeath(desk);
        attempts.push(job.attempt);
      }
      expect(new Set(attempts)).toEqual(new Set([1]));
    });

    it('puts a job whose run had begun behind the others, so that many kills do not hit one job each time', () => {
      const desk = newDesk();
      for (const key of ['a', 'b']) desk.enqueue(key);
      const [first] = desk.claim({ waits: true });
      expect(first?.key).toBe('a');
      const second = new Desk(desk.database);
      const [again] = second.claim({ waits: true });
      markRun(desk.database, { id: again?.id ?? 0, begun: true });
      const third = new Desk(desk.database);
      expect(third.claim({ now: NOW + 1, waits: true }).map(({ key }) => key)).toEqual(['b', 'a']);
    });
  });

  it('makes what an earlier process was running due at once, its attempts kept', () => {
    const desk = newDesk();
    for (const key of ['crashed', 'dead', 'later']) desk.enqueue(key);
    const [, dead, later] = desk.claim();
    buryJob(desk.database, { id: dead?.id ?? 0, reason: 'hopeless' });
    retryJob(desk.database, { id: later?.id ?? 0, dueAt: NOW + 9, reason: 'busy' });
    const lease = openLease(desk.database, { now: NOW + 5, isShared: false });
    expect(lease).toBe(desk.lease + 1);
    expect(desk.rows()).toMatchObject([
      { key: 'crashed', state: 'waiting', attempts: 1, due_at: NOW + 5, lease: null },
      { key: 'dead', state: 'dead' },
      { key: 'later', state: 'waiting', due_at: NOW + 9 },
    ]);
  });

  it('and claims later: jobs are due at once after the clock was set back by more than a second', () => {
    const desk = newDesk();
    desk.enqueue('soon', 1, NOW + 600);
    desk.enqueue('far', 1, NOW + 3_600_000);
    expect(desk.claim({ now: NOW - 900 })).toEqual([]);
    expect(desk.claim({ now: NOW - 146_000 }).map(({ key }) => key)).toEqual(['soon', 'far']);
    for (const key of ['c', 'd']) desk.enqueue(key, 1, NOW + 5);
    // It is noticed once: what is enqueued from now on has the right time.
    expect(desk.claim({ now: NOW - 145_000 })).toEqual([]);
    // And also by a process that was not there when it happened.
    const next = new Desk(desk.database, NOW - 500_000);
    expect(next.claim({ now: NOW - 500_000 })).toHaveLength(4);
  });

  it('leaves jobs in the queues that the process has, and takes those of others out of theirs', () => {
    const desk = newDesk();
    const [kept, gone] = ['kept', 'gone'].map((queue) => queueKind(KIND, queue)) as [string, string];
    desk.enqueue('a', 1, NOW, kept);
    for (const key of ['b', 'c']) desk.enqueue(key, 1, NOW, gone);
    desk.claim({ kind: gone, limit: 1 });
    desk.enqueue('c', 1, NOW + 9);
    desk.enqueue('d', 1, NOW, 'other');
    openLease(desk.database, { now: NOW, isShared: false });
    expect(leaveQueues(desk.database, { kinds: [KIND, kept] })).toBe(false);
    expect(desk.database.all('SELECT kind, key, state, attempts FROM job ORDER BY key')).toEqual([
      { kind: kept, key: 'a', state: 'waiting', attempts: 0 },
      { kind: KIND, key: 'b', state: 'waiting', attempts: 1 },
      { kind: KIND, key: 'c', state: 'waiting', attempts: 0 },
      { kind: 'other', key: 'd', state: 'waiting', attempts: 0 },
    ]);
  });

  it('makes void what the earlier process claimed, and rejects it new claims', () => {
    const database = newDatabase();
    const earlier = new Desk(database);
    earlier.enqueue('a');
    const claimed = earlier.claimOne();
    const later = new Desk(database);
    const [again] = later.claim();
    expect(again).toMatchObject({ key: 'a', attempt: 2 });
    finishJob(database, claimed.id);
    expect(later.rows()).toMatchObject([{ key: 'a', state: 'running', lease: later.lease }]);
    enqueueJob(database, { application: 1, kind: KIND, key: 'b', dueAt: NOW, at: NOW });
    expect(() => earlier.claim()).toThrow('has expired');
    finishJob(database, again?.id ?? 0);
    expect(keys(later.claim())).toEqual(['b']);
  });
});

describe('the lease of a process that shares the store', () => {
  const LEASE_MS = 30_000;
  /** Two processes, of which the first is running a job. */
  function newDesks(): { first: Desk; second: Desk; running: JobOfOrganisation } {
    const database = newDatabase();
    const first = new Desk(database, NOW, true);
    const second = new Desk(database, NOW, true);
    first.enqueue('a');
    return { first, second, running: first.claimOne() };
  }

  it('keeps its jobs from the others while it is renewed', () => {
    const { first, second } = newDesks();
    renewLease(first.database, { lease: first.lease, now: NOW + LEASE_MS - 1 });
    expect(second.claim({ now: NOW + LEASE_MS + 1 })).toEqual([]);
    expect(first.rows()).toMatchObject([{ key: 'a', state: 'running', lease: first.lease }]);
  });

  it('is renewed by each claim', () => {
    const { first, second } = newDesks();
    expect(first.claim({ now: NOW + LEASE_MS - 1 })).toEqual([]);
    expect(second.claim({ now: NOW + LEASE_MS + 1 })).toEqual([]);
  });

  it('is not written again when it was renewed just before', () => {
    const { database, lease } = newDesks().first;
    const changes = () => database.get('SELECT total_changes() AS n');
    const before = changes();
    renewLease(database, { lease, now: NOW + 1 });
    expect(changes()).toEqual(before);
  });

  it('is void after 30 seconds: its jobs run elsewhere, and it claims no more', () => {
    const { first, second, running } = newDesks();
    const now = NOW + LEASE_MS;
    expect(second.claim({ now })).toMatchObject([{ key: 'a', attempt: 2, cuts: 1 }]);
    finishJob(first.database, running.id);
    expect(second.rows()).toMatchObject([{ key: 'a', state: 'running', lease: second.lease }]);
    const lost = { code: 'conflict' };
    expect(() => first.claim({ now })).toThrow(expect.objectContaining(lost) as Error);
    expect(() => renewLease(first.database, { lease: first.lease, now })).toThrow(
      expect.objectContaining(lost) as Error,
    );
  });

  it('leaves the jobs of others alone when it is opened', () => {
    const { first } = newDesks();
    const third = new Desk(first.database, NOW + 1, true);
    expect(third.claim({ now: NOW + 1 })).toEqual([]);
  });

  it('counts what an application runs in all processes, and the slots of its own', () => {
    const { first, second } = newDesks();
    for (const key of ['b', 'c']) first.enqueue(key);
    first.enqueue('d', 2);
    expect(keys(second.claim({ total: 2, perApplication: 2 }))).toEqual(['b', 'd']);
  });
});

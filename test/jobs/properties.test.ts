import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buryJob, finishJob, retryJob } from '../../src/jobs/store.ts';
import { Desk, newDatabase, NOW } from './support.ts';
import { effort } from '../support/effort.ts';

const TOTAL = 4;
const PER_APPLICATION = 2;
const APPLICATIONS = [1, 2, 3];
const KEYS = APPLICATIONS.flatMap((application) =>
  [1, 2, 3].map((n) => ({ application, key: `${application}-${n}` })),
);

type Step =
  | { do: 'enqueue'; key: number; dueIn: number }
  | { do: 'claim'; limit: number; lastServed: number }
  | { do: 'finish' | 'retry' | 'bury'; claim: number }
  | { do: 'restart' }
  | { do: 'wait'; ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('enqueue' as const),
      key: fc.nat(KEYS.length - 1),
      dueIn: fc.integer({ min: -5, max: 20 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('claim' as const), limit: fc.nat(5), lastServed: fc.nat(3) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('finish' as const, 'retry' as const, 'bury' as const),
      claim: fc.nat(30),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 15 }) }),
  },
);

/** What is to be true of one job. */
interface Expected {
  application: number;
  state: 'waiting' | 'running' | 'dead';
  attempts: number;
  dueAt: number;
  /** Of a running job: when it is due again, once it was requested. */
  again: number | null;
  /** Of a running job: the id of its claim. */
  claim: number | null;
}

/** The rules of jobs once more, over a map. */
class Model {
  readonly jobs = new Map<string, Expected>();

  enqueue(key: string, application: number, dueAt: number): void {
    const job = this.jobs.get(key);
    if (job?.state === 'waiting') job.dueAt = Math.min(job.dueAt, dueAt);
    else if (job?.state === 'running') job.again = Math.min(job.again ?? dueAt, dueAt);
    else this.jobs.set(key, { application, state: 'waiting', attempts: 0, dueAt, again: null, claim: null });
  }

  end(claim: number, how: 'finish' | 'retry' | 'bury', retryAt: number): void {
    const found = [...this.jobs].find(([, job]) => job.claim === claim);
    if (!found) return;
    const [key, job] = found;
    job.claim = null;
    const { again } = job;
    job.again = null;
    if (how === 'retry') Object.assign(job, { state: 'waiting', dueAt: Math.min(again ?? retryAt, retryAt) });
    else if (again !== null) Object.assign(job, { state: 'waiting', dueAt: again, attempts: 0 });
    else if (how === 'bury') job.state = 'dead';
    else this.jobs.delete(key);
  }

  restart(now: number): void {
    for (const job of this.jobs.values()) {
      if (job.state === 'running')
        Object.assign(job, { state: 'waiting', dueAt: now, again: null, claim: null });
    }
  }

  running(application?: number): number {
    return this.jobs
      .values()
      .filter((job) => job.state === 'running' && (application ?? job.application) === job.application)
      .toArray().length;
  }

  /** Whether a slot is free for a job of this application that is due. */
  couldClaim(now: number): boolean {
    return (
      this.running() < TOTAL &&
      this.jobs
        .values()
        .some(
          ({ state, dueAt, application }) =>
            state === 'waiting' && dueAt <= now && this.running(application) < PER_APPLICATION,
        )
    );
  }
}

describe('whatever is done with jobs', () => {
  it('loses none, runs none twice at once, and keeps to the limits', () => {
    const database = newDatabase();
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        database.run('DELETE FROM job');
        let desk = new Desk(database);
        const model = new Model();
        const claims: number[] = [];
        let now = NOW;
        for (const one of steps) {
          if (one.do === 'wait') now += one.ms;
          else if (one.do === 'restart') {
            desk = new Desk(database, now);
            model.restart(now);
          } else if (one.do === 'enqueue') {
            const { key, application } = KEYS[one.key] as (typeof KEYS)[number];
            desk.enqueue(key, application, now + one.dueIn);
            model.enqueue(key, application, now + one.dueIn);
          } else if (one.do === 'claim') {
            const { limit, lastServed } = one;
            const jobs = desk.claim({
              now,
              limit,
              lastServed: [{ organisation: String(lastServed), application: lastServed }],
              total: TOTAL,
              perApplication: PER_APPLICATION,
            });
            for (const { id, key, application, attempt } of jobs) {
              const job = model.jobs.get(key) as Expected;
              expect(job).toMatchObject({ application, state: 'waiting', attempts: attempt - 1 });
              expect(job.dueAt).toBeLessThanOrEqual(now);
              expect(claims).not.toContain(id);
              Object.assign(job, { state: 'running', attempts: attempt, claim: id });
              claims.push(id);
            }
            expect(jobs.length).toBeLessThanOrEqual(limit);
            if (jobs.length < limit) expect(model.couldClaim(now)).toBe(false);
          } else {
            const id = claims[one.claim % claims.length] ?? 0;
            if (one.do === 'finish') finishJob(database, id);
            else if (one.do === 'retry') retryJob(database, { id, dueAt: now + 10, reason: 'busy' });
            else buryJob(database, { id, reason: 'hopeless' });
            model.end(id, one.do, now + 10);
          }
          expect(stateOf(desk)).toEqual(expectedOf(model));
          expect(model.running()).toBeLessThanOrEqual(TOTAL);
          for (const application of APPLICATIONS)
            expect(model.running(application)).toBeLessThanOrEqual(PER_APPLICATION);
        }
      }),
      { numRuns: effort(100) },
    );
  });
});

function stateOf(desk: Desk): unknown[] {
  return desk.rows().map(({ key, state, attempts, due_at: dueAt }) => ({
    key,
    state,
    attempts,
    ...(state === 'waiting' ? { dueAt } : {}),
  }));
}

function expectedOf({ jobs }: Model): unknown[] {
  return [...jobs]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { state, attempts, dueAt }]) => ({
      key,
      state,
      attempts,
      ...(state === 'waiting' ? { dueAt } : {}),
    }));
}

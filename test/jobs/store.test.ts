import { beforeEach, describe, expect, it } from 'vitest';
import {
  buryJob,
  endRun,
  finishJob,
  jobNumbers,
  listDeadJobs,
  NEVER,
  retryJob,
} from '../../src/jobs/store.ts';
import { Desk, newDatabase, NOW } from './support.ts';

let desk: Desk;
beforeEach(() => {
  desk = new Desk(newDatabase());
});

const retry = (id: number, dueAt = NOW + 500) => retryJob(desk.database, { id, dueAt, reason: 'busy' });
const bury = (id: number, reason = 'hopeless') => buryJob(desk.database, { id, reason });
const fresh = { state: 'waiting', attempts: 0, lease: null, reason: null };

describe('enqueueJob', () => {
  it.each([
    ['earlier', NOW - 10, NOW - 10],
    ['later', NOW + 10, NOW],
  ])('keeps the earlier due time of a waiting job when enqueued again for %s', (_when, dueAt, kept) => {
    desk.enqueue('a');
    desk.enqueue('a', 1, dueAt);
    expect(desk.rows()).toMatchObject([{ ...fresh, due_at: kept }]);
  });

  it('takes the same key of two kinds for two jobs', () => {
    desk.enqueue('a');
    desk.enqueue('a', 1, NOW, 'other');
    expect(desk.rows()).toHaveLength(2);
    expect(desk.claim()).toHaveLength(1);
  });

  it('revives a dead job with all its attempts', () => {
    desk.enqueue('a');
    bury(desk.claimOne().id);
    desk.enqueue('a', 1, NOW + 7);
    expect(desk.rows()).toMatchObject([{ ...fresh, due_at: NOW + 7 }]);
    expect(listDeadJobs(desk.database, { application: 1, limit: 10 })).toEqual([]);
  });

  it('does not start a second run beside the one in progress', () => {
    desk.enqueue('a');
    desk.claimOne();
    desk.enqueue('a');
    expect(desk.claim()).toEqual([]);
  });
});

describe('a running job that is requested meanwhile', () => {
  it.each([
    ['finished', (id: number) => finishJob(desk.database, id)],
    ['buried', (id: number) => bury(id)],
  ])('waits afresh when it is %s', (_what, end) => {
    desk.enqueue('a');
    const { id } = desk.claimOne();
    desk.enqueue('a', 1, NOW + 7);
    end(id);
    expect(desk.rows()).toMatchObject([{ ...fresh, due_at: NOW + 7 }]);
  });

  it.each([
    [NOW + 7, NOW + 7],
    [NOW + 1_000, NOW + 500],
  ])('and requested at %d, then put off, is due at %d', (asked, due) => {
    desk.enqueue('a');
    const { id } = desk.claimOne();
    desk.enqueue('a', 1, asked);
    retry(id);
    expect(desk.rows()).toMatchObject([{ state: 'waiting', attempts: 1, due_at: due }]);
  });
});

describe('the end of a run', () => {
  it('removes a job that is finished', () => {
    desk.enqueue('a');
    finishJob(desk.database, desk.claimOne().id);
    expect(desk.rows()).toEqual([]);
  });

  it('puts off a job that is retried, and counts its attempts', () => {
    desk.enqueue('a');
    retry(desk.claimOne().id);
    expect(desk.rows()).toMatchObject([{ state: 'waiting', due_at: NOW + 500, reason: 'busy', lease: null }]);
    expect(desk.claim({ now: NOW + 499 })).toEqual([]);
    expect(desk.claimOne(NOW + 500)).toMatchObject({ key: 'a', attempt: 2 });
  });

  it('keeps a job that is buried out of the way, with its reason truncated', () => {
    desk.enqueue('a', 7);
    bury(desk.claimOne().id, 'no'.repeat(1_000));
    expect(desk.claim({ now: NEVER })).toEqual([]);
    const [dead] = listDeadJobs(desk.database, { application: 7, limit: 10 });
    expect(dead).toMatchObject({ kind: 'work', key: 'a', attempts: 1, createdAt: NOW });
    expect(dead?.reason).toBe('no'.repeat(250));
  });

  const ends: [string, (id: number) => void][] = [
    ['finishJob', (id) => finishJob(desk.database, id)],
    ['retryJob', (id) => retry(id)],
    ['buryJob', (id) => bury(id)],
  ];
  it.each(ends)('%s leaves alone what is not running', (_name, end) => {
    for (const key of ['dead', 'waiting']) desk.enqueue(key);
    const [dead, waiting] = desk.claim();
    bury(dead?.id ?? 0);
    retry(waiting?.id ?? 0);
    const before = desk.rows();
    for (const id of [dead?.id, waiting?.id, 999]) end(id ?? 0);
    expect(desk.rows()).toEqual(before);
  });

  it.each(ends)('%s leaves alone a later run of the same job', (_name, end) => {
    desk.enqueue('a');
    const { id } = desk.claimOne();
    retry(id, NOW);
    expect(desk.claimOne().id).not.toBe(id);
    const before = desk.rows();
    end(id);
    expect(desk.rows()).toEqual(before);
  });
});

describe('endRun', () => {
  const end = (id: number, fate: 'retry' | 'bury' | 'release') =>
    endRun(desk.database, { id, fate, dueAt: NOW + 5, reason: 'odd' });

  it.each([
    ['retry', { state: 'waiting', attempts: 1, due_at: NOW + 5, reason: 'odd' }],
    ['release', { state: 'waiting', attempts: 0, due_at: NOW + 5 }],
    ['bury', { state: 'dead', attempts: 1, reason: 'odd' }],
  ] as const)('can %s a job that its run has not settled', (fate, row) => {
    desk.enqueue('a');
    expect(end(desk.claimOne().id, fate)).toBe(true);
    expect(desk.rows()).toMatchObject([row]);
  });

  it('does nothing to a job that its run has settled', () => {
    desk.enqueue('a');
    const { id } = desk.claimOne();
    retry(id);
    const before = desk.rows();
    for (const fate of ['retry', 'release', 'bury'] as const) expect(end(id, fate)).toBe(false);
    expect(desk.rows()).toEqual(before);
  });
});

describe('what is reported of jobs', () => {
  it('lists the dead of one application, the newest first, no more than requested', () => {
    for (const key of ['a', 'b', 'c']) desk.enqueue(key, 1);
    desk.enqueue('x', 2);
    for (const { id } of desk.claim()) bury(id);
    const keys = (application: number, limit: number): string[] =>
      listDeadJobs(desk.database, { application, limit }).map(({ key }) => key);
    expect(keys(1, 2)).toEqual(['c', 'b']);
    expect(keys(2, 9)).toEqual(['x']);
  });

  it('counts them by kind and state, and knows the first that is due', () => {
    for (const key of ['a', 'b', 'c', 'd']) desk.enqueue(key);
    bury(desk.claim({ limit: 1 })[0]?.id ?? 0);
    desk.claim({ limit: 1 });
    desk.enqueue('d', 1, NOW - 9);
    desk.enqueue('e', 1, NOW, 'other');
    desk.claim({ kind: 'other' });
    expect(jobNumbers(desk.database)).toEqual([
      { kind: 'other', waiting: 0, running: 1, dead: 0, oldestDueAt: null },
      { kind: 'work', waiting: 2, running: 1, dead: 1, oldestDueAt: NOW - 9 },
    ]);
  });
});

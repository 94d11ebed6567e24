import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  DELIVER,
  insertDelivery,
  interruptedDeliveries,
  type InterruptedDelivery,
} from '../../src/deliver/delivery-store.ts';
import { renewLease } from '../../src/jobs/lease.ts';
import { commands } from '../../src/operations.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { findTest } from '../../src/tests/store.ts';
import { Desk, newDatabase, NOW } from '../jobs/support.ts';
import { storeRun, storeTask, storeTest } from '../support/stored-tests.ts';

const APPLICATION = 7;
const MINUTE = 60_000;

/** An attempt as it is recorded before it is sent. */
const deliveryOf = (testId: string) => ({
  id: randomUUID(),
  application: APPLICATION,
  testId,
  attempt: 1,
  isSample: false,
  replayOf: null,
  url: 'http://app.example',
  spanId: Buffer.alloc(8, 1),
  requestHeaders: { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` },
  requestBody: Buffer.from('{}'),
  sentAt: NOW,
});

/** Stores a test that waits to be sent, with its job. */
function addTest(desk: Desk, id: string): void {
  const run = { id: randomUUID(), taskId: randomUUID(), createdAt: NOW };
  storeTask(desk.database, APPLICATION, run.taskId);
  storeRun(desk.database, APPLICATION, run);
  storeTest(desk.database, APPLICATION, { id, run, createdAt: NOW });
  desk.enqueue(id, APPLICATION, NOW, DELIVER);
}

/** Claims the job of a test and begins to send it; returns the id of the job. */
function begin(desk: Desk, id: string, now = NOW): number {
  const [job] = desk.claim({ kind: DELIVER, now });
  const jobId = job?.id ?? -1;
  expect(commands.beginDelivery(desk.database, { delivery: deliveryOf(id), jobId })).toBe(true);
  return jobId;
}

const lookAt = (
  database: SqliteDatabase,
  at: number,
  isShared = true,
): Pick<InterruptedDelivery, 'testId'>[] =>
  interruptedDeliveries(database, { isShared, at }).map(({ testId }) => ({ testId }));

const phaseOf = (database: SqliteDatabase, testId: string): unknown[] => {
  const test = findTest(database, { application: APPLICATION, testId });
  return [test?.phase, test?.unknownSince];
};
const outcomes = (database: SqliteDatabase): unknown[] =>
  database.all('SELECT test_id AS test, outcome FROM delivery ORDER BY test_id');

describe('attempts of other processes', () => {
  it('are closed once their lease is void, and not while it is renewed', () => {
    const database = newDatabase();
    const [first, second] = [new Desk(database, NOW, true), new Desk(database, NOW, true)];
    const [a, b] = [randomUUID(), randomUUID()].toSorted() as [string, string];
    addTest(first, a);
    begin(first, a);
    addTest(second, b);
    begin(second, b);
    expect(lookAt(database, NOW)).toEqual([]);
    const at = NOW + MINUTE / 2 - 1;
    renewLease(database, { lease: second.lease, now: at });
    expect(lookAt(database, at)).toEqual([]);
    expect(lookAt(database, at + 1)).toEqual([{ testId: a }]);
    const interrupted = [a, b].map((testId) => ({ application: APPLICATION, testId }));
    commands.recoverDeliveries(database, { interrupted, isShared: true, at: at + 1 });
    expect(outcomes(database)).toEqual([
      { test: a, outcome: 'unknown' },
      { test: b, outcome: null },
    ]);
    expect(phaseOf(database, a)).toEqual(['delivering', at + 1]);
    expect(phaseOf(database, b)).toEqual(['delivering', null]);
    expect(first.rows().map(({ key }) => key)).toEqual([b]);
  });

  it('are all closed by the start of a process that alone uses the store', () => {
    const database = newDatabase();
    const desk = new Desk(database);
    const id = randomUUID();
    addTest(desk, id);
    begin(desk, id);
    expect(lookAt(database, NOW, false)).toEqual([{ testId: id }]);
    const interrupted = [{ application: APPLICATION, testId: id }];
    commands.recoverDeliveries(database, { interrupted, isShared: false, at: NOW });
    expect(outcomes(database)).toEqual([{ test: id, outcome: 'unknown' }]);
    expect(desk.rows()).toEqual([]);
  });

  it('keep their job if they ended in the meantime', () => {
    const database = newDatabase();
    const desk = new Desk(database, NOW, true);
    const id = randomUUID();
    addTest(desk, id);
    const jobId = begin(desk, id);
    const later = NOW + MINUTE;
    expect(lookAt(database, later)).toEqual([{ testId: id }]);
    const open = database.get<{ id: string }>('SELECT id FROM delivery WHERE finished_at IS NULL');
    commands.finishDelivery(database, {
      delivery: {
        id: open?.id ?? '',
        application: APPLICATION,
        testId: id,
        outcome: 'not_sent',
        statusCode: null,
        message: 'No connection.',
        responseHeaders: null,
        responseBody: null,
        timings: null,
        finishedAt: later,
      },
      result: {
        failure: { code: 'webhook_unreachable', message: 'No connection.', hint: '' },
        retryAt: later + MINUTE,
      },
      jobId,
    });
    const interrupted = [{ application: APPLICATION, testId: id }];
    commands.recoverDeliveries(database, { interrupted, isShared: true, at: later });
    expect(outcomes(database)).toEqual([{ test: id, outcome: 'not_sent' }]);
    expect(desk.rows()).toMatchObject([{ key: id, state: 'waiting' }]);
  });

  it('that no job sends are closed after half an hour, which no webhook may take', () => {
    const database = newDatabase();
    insertDelivery(database, deliveryOf('sample'));
    expect(lookAt(database, NOW + 30 * MINUTE)).toEqual([]);
    expect(lookAt(database, NOW + 30 * MINUTE + 1)).toEqual([{ testId: 'sample' }]);
  });
});

import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import type { Test } from '../../src/resources/tests/contract.ts';
import type { TestNews } from '../../src/resources/tests/store.ts';
import { testEvents } from '../../src/resources/tests/stream.ts';
import { uuid } from '../support/spans.ts';

const testOf = (status: Test['status'], phase: Test['phase']): Test => ({
  id: uuid(1),
  orgId: 'organisation',
  applicationId: uuid(2),
  createdAt: '2026-01-01T00:00:00.000Z',
  modifiedAt: '2026-01-01T00:00:00.000Z',
  taskId: uuid(3),
  runId: uuid(4),
  inputDigest: '',
  exampleId: null,
  exampleVersion: null,
  runType: 'MANUAL',
  status,
  phase,
  failure: null,
  prompt: 'line one\nline two\r\n\u2028',
  exampleIndex: null,
  experimentId: null,
  experimentVariantId: null,
  result: null,
  outcome: 'RUNNING',
  outcomeBasis: null,
  causeKey: null,
  metadata: null,
  advice: null,
  timeline: [],
  traceIds: [],
  traceId: null,
  task: { id: uuid(3), title: 'Task', topicId: null },
  input: null,
  output: null,
  inputSpanId: null,
  outputSpanId: null,
  evals: [],
});

const QUEUED = { eventId: 1, test: testOf('PENDING', 'queued') };
const DELIVERED = { eventId: 2, test: testOf('IN_PROGRESS', 'delivered') };
const DONE = { eventId: 3, test: testOf('COMPLETED', 'done') };

interface Watched {
  /** What is found at each look after the first; nothing new after the last one. */
  looks?: readonly (TestNews | Error | null)[];
  /** Looks after which the client goes or the server ends. */
  stopsAfter?: number;
}

/** What is sent, each event by its name and phase, and when: in milliseconds of a clock that only pauses move. */
async function watch(first: TestNews, { looks = [], stopsAfter = Number.POSITIVE_INFINITY }: Watched) {
  let [time, made] = [0, 0];
  const sent: { at: number; what: string }[] = [];
  const seen: number[] = [];
  const texts = testEvents({
    first,
    look: async (eventId) => {
      seen.push(eventId);
      const found = looks[made++] ?? { eventId, test: null };
      if (found instanceof Error) throw found;
      return found;
    },
    clock: () => time,
    pause: async (milliseconds) => (time += milliseconds),
    isStopped: () => made >= stopsAfter,
  });
  for await (const text of texts) {
    const [, name, data] = /^event: (\w+)\ndata: ([^\r\n]*)\n\n$/.exec(text) ?? [];
    const phase = data === undefined ? undefined : (JSON.parse(data) as Partial<Test>).phase;
    sent.push({ at: time, what: name === undefined ? text : [name, phase].filter(Boolean).join(' ') });
  }
  return { sent, seen, time };
}

const what = ({ sent }: { sent: { what: string }[] }): string[] => sent.map((one) => one.what);

describe('the events of a test', () => {
  it('are its state, each change once, and an end', async () => {
    const watched = await watch(QUEUED, { looks: [null, DELIVERED, null, null, DONE] });
    expect(watched.sent).toEqual([
      { at: 0, what: 'test queued' },
      { at: 500, what: 'test delivered' },
      { at: 1_250, what: 'test done' },
      { at: 1_250, what: 'end' },
    ]);
    expect(watched.seen).toEqual([1, 1, 2, 2, 2]);
  });

  it('end at once for a test that is over', async () => {
    expect(await watch(DONE, {})).toMatchObject({ sent: [{ what: 'test done' }, { what: 'end' }], seen: [] });
    expect(what(await watch({ eventId: 1, test: testOf('FAILED', 'done') }, {}))).toEqual([
      'test done',
      'end',
    ]);
  });

  it('have a sign of life every 15 seconds without news', async () => {
    const quiet = Array<null>(99).fill(null);
    const { sent } = await watch(QUEUED, { looks: [...quiet, DELIVERED], stopsAfter: 180 });
    expect(sent).toEqual([
      { at: 0, what: 'test queued' },
      { at: 15_000, what: ': nothing new\n\n' },
      { at: 25_000, what: 'test delivered' },
      { at: 40_000, what: ': nothing new\n\n' },
    ]);
  });

  it('stop after 15 minutes, without an end', async () => {
    const { sent, time } = await watch(QUEUED, {});
    expect(time).toBe(15 * 60_000);
    expect(sent.at(-1)?.what).toBe(': nothing new\n\n');
  });

  it('stop when the client goes or the server ends, without an end', async () => {
    const watched = await watch(QUEUED, { stopsAfter: 3 });
    expect(what(watched)).toEqual(['test queued']);
    expect(watched.time).toBe(750);
  });

  it('continue when the store is busy for a moment', async () => {
    const busy = new AppError('unavailable', 'busy');
    expect(what(await watch(QUEUED, { looks: [busy, busy, DONE] }))).toEqual([
      'test queued',
      'test done',
      'end',
    ]);
  });

  it('break when the store is broken', async () => {
    await expect(watch(QUEUED, { looks: [new Error('broken')] })).rejects.toThrow('broken');
  });
});

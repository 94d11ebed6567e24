import { MessageChannel } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { type Envelope, openEnvelope } from '../../src/runtime/outbox.ts';
import { type CallMessage, ThreadCaller, ThreadResponder } from '../../src/runtime/thread-calls.ts';

it('reports for each call how long it took, also when several responses arrive together', async () => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const responder = new ThreadResponder(port2);
  port2.on('message', (calls: Envelope<CallMessage>) =>
    openEnvelope(calls, ({ id, args }) => responder.answer(id, args, args as number)),
  );
  const caller = new ThreadCaller(port1, 10);
  expect(await Promise.all([10, 20].map((ms) => caller.timedCall('wait', ms)))).toEqual([
    { value: 10, tookMs: 10 },
    { value: 20, tookMs: 20 },
  ]);
});

it.each([
  new AppError('conflict', 'twice'),
  new AppError('invalid', 'bad', { issues: [{ code: 'custom', message: 'bad', path: ['a'] }] }),
  new AppError('unavailable', 'the store is damaged', { retryAfter: 5, fault: 'SQLITE_CORRUPT' }),
])('rejects with the error of the other side: $message', async (error) => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const responder = new ThreadResponder(port2);
  port2.on('message', (calls: Envelope<CallMessage>) =>
    openEnvelope(calls, ({ id }) => responder.fail(id, error)),
  );
  const { code, message, issues, retryAfter, fault } = error;
  await expect(new ThreadCaller(port1, 1).call('fail', null)).rejects.toMatchObject({
    code,
    message,
    issues,
    retryAfter,
    fault,
  });
});

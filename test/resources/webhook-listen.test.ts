/** A program that listens for the deliveries of the webhook and answers them; the relay itself: test/deliver/relay.test.ts. */
import { describe, expect, it } from 'vitest';
import { openEvents, type ServerEvent } from '../support/events.ts';
import { useWebhook } from './webhook-support.ts';

const { server, make, post, deliveries } = useWebhook();

/** Sends a sample that waits for its listener; returns its id and its answer. */
async function relayed() {
  const listener = await openEvents(`${server().url}/v0/webhook/listen`, server().headers);
  const answered = post('/v0/webhook/test');
  const { name, data } = (await listener.next()) as ServerEvent;
  expect(name).toBe('delivery');
  return { id: (data as { id: string }).id, answered, leave: listener.leave };
}

describe('a listener', () => {
  it('needs a webhook', async () => {
    expect((await server().call('GET', '/v0/webhook/listen')).status).toBe(409);
  });

  it('answers a delivery once, in place of the webhook', async () => {
    await make();
    const { id, answered, leave } = await relayed();
    const path = `/v0/webhook/listen/${id}` as const;
    expect((await server().call('POST', path, { body: { status: 99 } })).status).toBe(422);
    await server().ok('POST', path, { body: { status: 202, body: 'later' } });
    expect((await answered).json).toMatchObject({ success: false, statusCode: 202 });
    expect(await deliveries()).toMatchObject([{ isSample: true, statusCode: 202 }]);
    expect((await post(path, { status: 200 })).status).toBe(404);
    leave();
  });
});

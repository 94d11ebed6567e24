// A customer's app that is tested by webhook: it answers at an address, and a sender beside it delivers tests.
const { createHmac, randomBytes } = require('node:crypto');
const { once } = require('node:events');
const { createServer } = require('node:http');
const { setTimeout: sleep } = require('node:timers/promises');

/** Delivers a test, with an id for the trace that it is to be part of. */
async function deliver(url, secret, testId) {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  const body = JSON.stringify({ prompt: 'Where is my parcel?', testId });
  const at = Date.now();
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${at}.${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-service-timestamp': String(at),
    'x-service-signature': signature,
    traceparent: `00-${traceId}-${spanId}-01`,
  };
  const response = await fetch(url, { method: 'POST', headers, body });
  return { testId, traceId, spanId, status: response.status, body: await response.text() };
}

exports.main = async ({ otel, api }) => {
  const said = [];
  const log = (...parts) => said.push(parts.join(' '));
  api.diag.setLogger({ error: log, warn: log, info() {}, debug() {}, verbose() {} });

  const touchstone = otel.register({ serviceName: 'customer', strict: true, delayMillis: 600_000 });
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const handler = otel.createWebhookHandler({
    secret,
    // No answer may come before its spans are stored, also by a busy server.
    flushTimeoutMs: 100_000,
    run: async ({ prompt }) => {
      await sleep(Math.random() * 20);
      api.trace.getTracer('customer').startSpan(prompt).end();
    },
  });
  const server = createServer(otel.toNodeListener(handler)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}/`;
  const testIds = JSON.parse(process.env.TEST_IDS);
  const answers = await Promise.all(testIds.map((testId) => deliver(url, secret, testId)));
  const { status: unsigned } = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const report = { isRegistered: touchstone.isRegistered, answers, unsigned, said };
  // Without a last flush: what the answers stand for is stored already.
  process.stdout.write(JSON.stringify(report), () => process.exit());
};

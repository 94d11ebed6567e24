import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { callTarget, spansOf, type Target } from './target.ts';

export interface WebhookApp {
  url: string;
  close: () => void;
}

/** Listens on loopback for the webhooks of a target; answers each, then sends the span of its test. */
export function startWebhookApp(target: Target, output: string): Promise<WebhookApp> {
  const app = createServer((incoming, response) => {
    const serve = async (): Promise<void> => {
      const { testId } = JSON.parse(await text(incoming)) as { testId: string };
      const [, traceId = '', parentSpanId] = String(incoming.headers['traceparent']).split('-');
      response.end();
      const body = spansOf(traceId, 1, output) as {
        resourceSpans: [{ scopeSpans: [{ spans: [{ attributes: object[]; parentSpanId?: string }] }] }];
      };
      const [span] = body.resourceSpans[0].scopeSpans[0].spans;
      Object.assign(span, { parentSpanId });
      span.attributes.push({ key: 'service.test.id', value: { stringValue: testId } });
      await callTarget(target, 'POST', '/v1/traces', body);
    };
    // A test without its span is not complete, which shows where tests are waited for.
    serve().catch(() => undefined);
  });
  return listening(app);
}

/** Listens on loopback and never answers. */
export const startSilentApp = (): Promise<WebhookApp> => listening(createServer(() => undefined));

/** The server under attack is to hold no connection to an app for long. */
const KEEP_ALIVE_MS = 500;

async function listening(app: Server): Promise<WebhookApp> {
  app.keepAliveTimeout = KEEP_ALIVE_MS;
  app.listen(0, '127.0.0.1');
  await once(app, 'listening');
  return {
    url: `http://127.0.0.1:${(app.address() as AddressInfo).port}`,
    close: () => {
      app.close();
      app.closeAllConnections();
    },
  };
}

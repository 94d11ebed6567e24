import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { register } from '../../exporters/otel/src/register.ts';
import { toNodeListener } from '../../exporters/otel/src/webhook-node.ts';
import { createWebhookHandler } from '../../exporters/otel/src/webhook.ts';
import { respondToCustomer } from './agent.ts';
import type { Api } from './api.ts';
import type { DemoLog } from './log.ts';

export interface SampleApp {
  /** The address of its webhook. */
  url: string;
  /** Sets the secret that verifies deliveries; called before the first test arrives. */
  useSecret: (secret: string) => void;
  close: () => Promise<void>;
}

/** The customer's side: an agent behind a webhook. It prints a line for each event. */
export async function startApp({ url, apiKey, applicationId }: Api, log: DemoLog): Promise<SampleApp> {
  // Short, so that spans can be seen arriving while the agent is at work.
  const touchstone = register({
    url,
    apiKey,
    applicationId,
    serviceName: 'parcel-agent',
    delayMillis: 100,
    // A demo that is stopped while the agent is at work loses spans, and whoever stops it knows why.
    reportLoss: false,
  });
  let listener: ReturnType<typeof toNodeListener> | undefined;
  const server = createServer((request, response) => {
    const { headers } = request;
    const signature = String(headers['x-service-signature']).slice(0, 12);
    log.print('app', `got ${request.method} ${request.url} of ${headers['content-length']} bytes`);
    log.print('app', `x-service-signature: ${signature}…`);
    log.print('app', `x-service-timestamp: ${String(headers['x-service-timestamp'])}`);
    log.print('app', `traceparent: ${String(headers['traceparent'])}`);
    response.once('finish', () => log.print('app', `answered ${response.statusCode}`));
    listener?.(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
    useSecret: (secret) => {
      const handler = createWebhookHandler({
        secret,
        touchstone,
        run: async (test) => {
          log.print('app', `the signature is right; the agent is asked: ${test.prompt}`);
          const answer = await respondToCustomer(test);
          log.print('app', `the agent says: ${answer}`);
        },
      });
      listener = toNodeListener(handler);
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      await touchstone.shutdown();
    },
  };
}

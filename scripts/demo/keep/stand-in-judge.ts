import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface StandInJudge {
  /** Base URL for the setting of a judge. */
  url: string;
  close: () => Promise<void>;
}

/** Starts an endpoint like that of a model, which judges by a few words instead of a model, so that a demo costs nothing. */
export async function startJudge(): Promise<StandInJudge> {
  const judge = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const isGood = !/cannot help|do not know/i.test(body);
    const content = JSON.stringify({
      rationale: isGood
        ? 'The answer addresses the question.'
        : 'The answer leaves the customer without help.',
      verdict: isGood ? 'yes' : 'no',
    });
    const usage = { prompt_tokens: Math.ceil(body.length / 4), completion_tokens: 24 };
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        id: 'stand-in',
        object: 'chat.completion',
        created: 0,
        model: 'stand-in',
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
      }),
    );
  };
  const server: Server = createServer((request, response) => void judge(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

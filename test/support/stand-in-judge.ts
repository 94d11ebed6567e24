/** A judge model over loopback HTTP, in the dialects of OpenAI (`/v1`) and Anthropic (`/anthropic/v1`). It says what a test makes it say. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** One request it got. */
export interface JudgeRequest {
  /** Path with its query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  system: string;
  /** Messages of the user and of the judge, in turn. */
  messages: string[];
}

/** Model and fingerprint that a response reports. */
export interface ServedBy {
  model?: string;
  system_fingerprint?: string;
}

/** Behaviour for a request. */
export type JudgeBehaviour =
  /** A text by the model, in the dialect's form. */
  | { say: string | object; afterMs?: number; served?: ServedBy }
  /** Any answer of HTTP; `body` is sent as it is. */
  | { status: number; body: string; headers?: Record<string, string> }
  /** Answers nothing, ever. */
  | 'stall'
  /** Closes the connection in the middle of its answer. */
  | 'break off';

export interface StandInJudge extends AsyncDisposable {
  /** Base URLs of the two dialects. */
  openAi: string;
  anthropic: string;
  /** All so far, in the order of their coming. */
  requests: JudgeRequest[];
  /** Requests in progress at most, so far. */
  readonly mostAtOnce: number;
  /** Breaks all connections, including those whose requests wait for a response. */
  disconnect: () => void;
}

/** Tokens it says it took, whatever it is asked. */
export const STAND_IN_TOKENS = { input: 1000, output: 100 } as const;

/** Starts the judge. `behave` is called for each request; the second argument counts them from 0. */
export async function startStandInJudge(
  behave: (request: JudgeRequest, index: number) => JudgeBehaviour,
): Promise<StandInJudge> {
  const requests: JudgeRequest[] = [];
  let underWay = 0;
  let mostAtOnce = 0;
  const server = createServer((incoming, response) => {
    underWay += 1;
    mostAtOnce = Math.max(mostAtOnce, underWay);
    response.once('close', () => {
      underWay -= 1;
    });
    const serve = async (request: JudgeRequest): Promise<void> => {
      requests.push(request);
      await answer(incoming.url ?? '', request, response, behave(request, requests.length - 1));
    };
    void read(incoming).then(serve, (error: unknown) => {
      // A client that is killed leaves half a body behind.
      if (incoming.complete) throw error;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    openAi: `${origin}/v1`,
    anthropic: `${origin}/anthropic/v1`,
    requests,
    get mostAtOnce() {
      return mostAtOnce;
    },
    disconnect: () => server.closeAllConnections(),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Message {
  role: string;
  content: string | { text: string }[];
}

async function read(incoming: IncomingMessage): Promise<JudgeRequest> {
  const body = (await json(incoming)) as { system?: Message['content']; messages?: Message[] };
  const { messages = [] } = body;
  const isSystem = ({ role }: Message): boolean => role === 'system';
  return {
    path: incoming.url ?? '',
    headers: incoming.headers,
    body: { ...body },
    system: textOf(body.system ?? messages.find(isSystem)?.content ?? ''),
    messages: messages.filter((message) => !isSystem(message)).map(({ content }) => textOf(content)),
  };
}

const textOf = (content: Message['content']): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('');

async function answer(
  address: string,
  { body }: JudgeRequest,
  response: ServerResponse,
  behaviour: JudgeBehaviour,
): Promise<void> {
  if (behaviour === 'stall') return;
  if (behaviour === 'break off') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
    response.write('{"choices": [');
    await sleep(10);
    response.destroy();
    return;
  }
  if ('status' in behaviour) {
    const { status, headers = {}, body: text } = behaviour;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
    return;
  }
  await sleep(behaviour.afterMs ?? 0);
  const [path = ''] = address.split('?');
  if (path === '/v1/embeddings') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(embeddings(body)));
    return;
  }
  const text = typeof behaviour.say === 'string' ? behaviour.say : JSON.stringify(behaviour.say);
  const form = { '/v1/chat/completions': completion, '/anthropic/v1/messages': message }[path];
  response.writeHead(form ? 200 : 404, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify(
      form ? { ...form(body, text), ...behaviour.served } : { error: { message: `no such path ${path}` } },
    ),
  );
}

/** Embeddings that count the letters a to z of each text. */
const embeddings = ({ model, input }: Record<string, unknown>): object => ({
  object: 'list',
  model,
  data: (input as string[]).map((text, index) => ({
    object: 'embedding',
    index,
    embedding: Array.from(
      'abcdefghijklmnopqrstuvwxyz',
      (letter) => text.toLowerCase().split(letter).length - 1,
    ),
  })),
  usage: { prompt_tokens: STAND_IN_TOKENS.input, total_tokens: STAND_IN_TOKENS.input },
});

const completion = ({ model }: Record<string, unknown>, content: string): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_780_000_000,
  model: `${String(model)}-2026-08-07`,
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: {
    prompt_tokens: STAND_IN_TOKENS.input,
    completion_tokens: STAND_IN_TOKENS.output,
    total_tokens: STAND_IN_TOKENS.input + STAND_IN_TOKENS.output,
  },
});

/** A model that is made to answer by a tool has its JSON as that tool's input. */
const message = ({ model, tools }: Record<string, unknown>, text: string): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: `${String(model)}-20260807`,
  content: [
    Array.isArray(tools)
      ? { type: 'tool_use', id: 'toolu_1', name: 'json', input: JSON.parse(text) as object }
      : { type: 'text', text },
  ],
  stop_reason: Array.isArray(tools) ? 'tool_use' : 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: STAND_IN_TOKENS.input, output_tokens: STAND_IN_TOKENS.output },
});

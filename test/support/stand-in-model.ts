/**
 * A model server that knows one scenario, in two APIs: OpenAI's chat completions and embeddings, Anthropic's
 * messages. The same request always gets the same response.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

interface Reply {
  thought?: string;
  text?: string;
  toolCall?: { id: string; name: string; arguments: { city: string } };
  /** `input` includes what was read from and written to the cache, `output` includes the tokens of the thought. */
  tokens: { input: number; cacheRead: number; cacheWrite: number; output: number; reasoning: number };
}

/** Scenario: the last message, and the reply of the model. */
const SCENARIO: readonly (readonly [RegExp, Reply])[] = [
  [
    /What is the weather in Paris\?/,
    {
      thought: 'The tool knows the weather.',
      toolCall: { id: 'call_1', name: 'get_weather', arguments: { city: 'Paris' } },
      tokens: { input: 60, cacheRead: 32, cacheWrite: 16, output: 25, reasoning: 8 },
    },
  ],
  [
    /18 degrees, sunny/,
    {
      text: 'It is 18 degrees and sunny in Paris.',
      tokens: { input: 95, cacheRead: 48, cacheWrite: 0, output: 12, reasoning: 0 },
    },
  ],
  [
    /Thank you!/,
    {
      text: 'You are welcome.',
      tokens: { input: 115, cacheRead: 64, cacheWrite: 0, output: 5, reasoning: 0 },
    },
  ],
];

const CREATED_S = 1_790_000_000;
/** Long enough that no two calls of a conversation start in the same millisecond: some clients count time no finer. */
const ANSWER_MS = 5;

export interface StandInModel extends AsyncDisposable {
  /** Base URL; OpenAI clients append `/v1`. */
  url: string;
}

/** Starts one on a free port of the loopback interface. */
export async function startStandInModel(): Promise<StandInModel> {
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Ask {
  model: string;
  messages?: { content?: unknown }[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  thinking?: { type: string };
  input?: string | string[];
  encoding_format?: string;
}

/** Requests outside the scenario get the response 400, so that a test notices them. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Some clients open a connection with a request that has no body.
  const ask = JSON.parse((await textOf(request)) || '{}') as Ask;
  await sleep(ANSWER_MS);
  const reply = replyTo(ask);
  const path = `${request.method} ${request.url?.split('?')[0]}`;
  if (path === 'POST /v1/embeddings') return sendJson(response, 200, embeddings(ask));
  if (path === 'POST /v1/chat/completions' && reply) {
    if (ask.stream !== true) return sendJson(response, 200, chatCompletion(ask, reply));
    return sendEvents(response, [...chatChunks(ask, reply).map((data) => ({ data })), { data: '[DONE]' }]);
  }
  if (path === 'POST /v1/messages' && reply) {
    if (ask.stream !== true) return sendJson(response, 200, message(ask, reply));
    const events = messageEvents(ask, reply);
    return sendEvents(
      response,
      events.map((data) => ({ event: data.type, data })),
    );
  }
  const problem = `the story has no answer to ${path} ${JSON.stringify(ask.messages?.at(-1))}`;
  return sendJson(response, 400, { error: { message: problem, type: 'invalid_request_error' } });
}

function replyTo({ messages = [] }: Ask): Reply | undefined {
  const last = JSON.stringify(messages.at(-1)?.content ?? '');
  return SCENARIO.find(([heard]) => heard.test(last))?.[1];
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendEvents(response: ServerResponse, events: { event?: string; data: object | string }[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const { event, data } of events) {
    if (event !== undefined) response.write(`event: ${event}\n`);
    response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}

function embeddings({ model, input = [], encoding_format: format }: Ask): object {
  const texts = [input].flat();
  return {
    object: 'list',
    model,
    data: texts.map((text, index) => {
      const vector = [text.length, 0.5, -0.25];
      const embedding =
        format === 'base64' ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector;
      return { object: 'embedding', index, embedding };
    }),
    usage: { prompt_tokens: 4 * texts.length, total_tokens: 4 * texts.length },
  };
}

/** Responses contain the dated model behind the requested alias, like real ones. */
const chatHead = ({ model }: Ask, object: string): object => ({
  id: 'chatcmpl-1',
  object,
  created: CREATED_S,
  model: `${model}-2026-08-07`,
  service_tier: 'default',
  system_fingerprint: 'fp_1',
});

function chatMessage({ thought, text = null, toolCall }: ReplyText): object {
  return {
    role: 'assistant',
    content: text,
    // Not OpenAI's own, but what servers compatible with it add.
    ...(thought !== undefined && { reasoning_content: thought }),
    ...(toolCall && {
      tool_calls: [
        {
          index: 0,
          id: toolCall.id,
          type: 'function',
          function: { name: toolCall.name, arguments: JSON.stringify(toolCall.arguments) },
        },
      ],
    }),
  };
}

type ReplyText = Omit<Reply, 'text' | 'tokens'> & { text?: string | null };

const chatUsage = ({ tokens }: Reply): object => ({
  prompt_tokens: tokens.input,
  completion_tokens: tokens.output,
  total_tokens: tokens.input + tokens.output,
  prompt_tokens_details: { cached_tokens: tokens.cacheRead, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: tokens.reasoning, audio_tokens: 0 },
});

const finishReason = ({ toolCall }: Reply): string => (toolCall ? 'tool_calls' : 'stop');

const chatCompletion = (ask: Ask, reply: Reply): object => ({
  ...chatHead(ask, 'chat.completion'),
  choices: [{ index: 0, message: chatMessage(reply), logprobs: null, finish_reason: finishReason(reply) }],
  usage: chatUsage(reply),
});

/** A text comes in two pieces. */
function chatChunks(ask: Ask, reply: Reply): object[] {
  const head = chatHead(ask, 'chat.completion.chunk');
  const [start, rest] = halves(reply.text);
  const deltas = [
    chatMessage({ ...reply, text: start ?? null }),
    ...(rest === undefined ? [] : [{ content: rest }]),
  ];
  const choice = (delta: object, finish: string | null): object => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  return [
    ...deltas.map((delta) => choice(delta, null)),
    choice({}, finishReason(reply)),
    ...(ask.stream_options?.include_usage ? [{ ...head, choices: [], usage: chatUsage(reply) }] : []),
  ];
}

function halves(text: string | undefined): string[] {
  if (text === undefined) return [];
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

const messageHead = ({ model }: Ask, { tokens }: Reply): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: `${model}-20260807`,
  // Anthropic counts what the cache gave and took apart from the input.
  usage: {
    input_tokens: tokens.input - tokens.cacheRead - tokens.cacheWrite,
    cache_creation_input_tokens: tokens.cacheWrite,
    cache_read_input_tokens: tokens.cacheRead,
    output_tokens: tokens.output,
    service_tier: 'standard',
  },
});

const stopReason = ({ toolCall }: Reply): string => (toolCall ? 'tool_use' : 'end_turn');

function message(ask: Ask, reply: Reply): object {
  const { thought, text, toolCall } = reply;
  const content: object[] = [];
  if (ask.thinking?.type === 'enabled' && thought !== undefined)
    content.push({ type: 'thinking', thinking: thought, signature: 'c2lnbmVk' });
  if (text !== undefined) content.push({ type: 'text', text });
  if (toolCall)
    content.push({ type: 'tool_use', id: toolCall.id, name: toolCall.name, input: toolCall.arguments });
  return { ...messageHead(ask, reply), content, stop_reason: stopReason(reply), stop_sequence: null };
}

/** Yields the events of a message. Only texts are streamed: the scenario calls its tool in a response that is sent completely. */
function messageEvents(ask: Ask, reply: Reply): ({ type: string } & Record<string, unknown>)[] {
  const start = { ...messageHead(ask, reply), content: [], stop_reason: null, stop_sequence: null };
  return [
    { type: 'message_start', message: start },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...halves(reply.text).map((text) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason(reply), stop_sequence: null },
      usage: { output_tokens: reply.tokens.output },
    },
    { type: 'message_stop' },
  ];
}

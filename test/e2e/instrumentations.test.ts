import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OF_INSTRUMENTATIONS } from '../instrumentations/apps.ts';
import type { AppPicture, SpanPicture } from '../instrumentations/picture.ts';
import { recordedSection } from '../instrumentations/table.ts';
import { JAVASCRIPT, readRecording, recordedApps } from '../instrumentations/recording.ts';
import { replay } from '../instrumentations/replay.ts';
import {
  ANSWER,
  CLAUDE,
  type Difference,
  KEEPS_THOUGHT,
  NO_CALL_ID,
  NO_DETAILS,
  NO_THANKS,
  NO_THOUGHT,
  NO_TOOL_SPAN,
  NOTHING_COUNTED_OF_STREAMS,
  QUESTION,
  scenarioOf,
  scenarioWith,
  THANKS,
  WELCOME,
} from '../instrumentations/reported.ts';
import { conventionsPage } from '../support/conventions-page.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

interface Expected {
  /** Names and kinds of all spans, a level of the tree two spaces deeper. */
  tree: string[];
  /** What the conventions of the package are recognised by: attributes of some spans, by their place in the tree. */
  attributes: Record<number, Record<string, unknown>>;
  /** Names of the events and log records of a span, by its place in the tree. */
  events?: Record<number, string[]>;
  /** What is shown of each trace: its input and output, and what its model calls took together. */
  traces: [input: unknown, output: unknown, inputTokens: number, outputTokens: number, cost: number][];
  /** Where the scenario it tells is not that of the others, and why. */
  differs: Difference[];
  /** Fields that are no part of the scenario, by the place of their span in the tree. */
  fields?: Record<number, Record<string, unknown>>;
}

const AI_SDK_7_TREE = [
  'embeddings text-embedding-3-small: EMBEDDING',
  '  embeddings text-embedding-3-small: EMBEDDING',
  'invoke_agent claude-sonnet-5: AGENT',
  '  step 1: CHAIN',
  '    chat claude-sonnet-5: LLM',
  '    execute_tool get_weather: TOOL',
  '  step 2: CHAIN',
  '    chat claude-sonnet-5: LLM',
  'invoke_agent claude-sonnet-5: AGENT',
  '  step 1: CHAIN',
  '    chat claude-sonnet-5: LLM',
];

const EXPECTED: Record<string, Expected> = {
  'ai-sdk-6': {
    tree: [
      'ai.embed: CHAIN',
      '  ai.embed.doEmbed: EMBEDDING',
      'ai.generateText: AGENT',
      '  ai.generateText.doGenerate: LLM',
      '  ai.toolCall: TOOL',
      '  ai.generateText.doGenerate: LLM',
      'ai.streamText: AGENT',
      '  ai.streamText.doStream: LLM',
    ],
    attributes: {
      2: { 'ai.telemetry.metadata.sessionId': 'session-1', 'ai.usage.inputTokens': 155 },
      3: {
        'ai.response.model': 'gpt-5-mini-2026-08-07',
        'ai.response.reasoning': 'The tool knows the weather.',
        'ai.usage.cachedInputTokens': 32,
        'ai.usage.reasoningTokens': 8,
        'gen_ai.usage.input_tokens': 60,
      },
      4: { 'ai.toolCall.name': 'get_weather', 'ai.toolCall.result': '"18 degrees, sunny"' },
      7: { 'ai.response.text': 'You are welcome.' },
    },
    events: { 7: ['ai.stream.firstChunk', 'ai.stream.finish'] },
    traces: [
      [[QUESTION], null, 4, 0, 0.000_000_08],
      [QUESTION, ANSWER, 155, 37, 0.000_094_75],
      [THANKS, WELCOME, 115, 5, 0.000_024_35],
    ],
    differs: [KEEPS_THOUGHT, ['there are three traces', ({ whose }) => whose.push(...whose, ...whose)]],
    fields: {
      0: { tags: ['weather'], agentName: 'find-documents' },
      3: { toolDefinitions: [expect.objectContaining({ name: 'get_weather' })] },
      7: { parameters: { temperature: 0.5 }, firstTokenMs: '<measured>' },
    },
  },
  'ai-sdk-7': {
    tree: AI_SDK_7_TREE,
    attributes: {
      2: { 'gen_ai.agent.name': 'weather-agent', 'ai.settings.context.sessionId': 'session-1' },
      4: { 'gen_ai.usage.input_tokens': 60, 'gen_ai.usage.cache_creation.input_tokens': 16 },
      5: { 'gen_ai.tool.call.arguments': '{"city":"Paris"}' },
    },
    traces: [
      // The package does not say what was embedded.
      [null, null, 4, 0, 0.000_000_08],
      [QUESTION, ANSWER, 155, 37, 0.000_816],
      [THANKS, WELCOME, 115, 5, 0.000_247_2],
    ],
    differs: [
      CLAUDE,
      KEEPS_THOUGHT,
      [
        'there are three traces; that of the embedding has no context to take session and user from',
        (scenario) => (scenario.whose = [[null, null], ...scenario.whose, ...scenario.whose]),
      ],
    ],
    fields: { 10: { parameters: { temperature: 0.5 }, firstTokenMs: '<measured>' } },
  },
  'genai-1.27': {
    tree: ['weather: SPAN', '  chat gpt-5-mini: LLM', '  chat gpt-5-mini: LLM'],
    attributes: { 1: { 'gen_ai.system': 'openai', 'gen_ai.response.finish_reasons': ['tool_calls'] } },
    events: { 1: ['gen_ai.content.prompt', 'gen_ai.content.completion'] },
    traces: [[QUESTION, ANSWER, 155, 37, 0.000_112_75]],
    differs: [NO_THOUGHT, NO_DETAILS, NO_TOOL_SPAN, NO_THANKS],
    fields: { 1: { parameters: { maxTokens: 1000, topP: 0.9 } } },
  },
  'genai-1.28': {
    tree: ['weather: SPAN', '  chat gpt-5-mini: LLM', '  chat gpt-5-mini: LLM', '  chat gpt-5-mini: LLM'],
    attributes: { 3: { 'gen_ai.usage.output_tokens': 5 } },
    events: {
      1: ['gen_ai.system.message', 'gen_ai.user.message', 'gen_ai.choice'],
      3: ['gen_ai.user.message', 'gen_ai.choice'],
    },
    traces: [[QUESTION, WELCOME, 270, 42, 0.000_151_5]],
    differs: [
      NO_THOUGHT,
      NO_DETAILS,
      NO_TOOL_SPAN,
      [
        'its last call is sent without the conversation before',
        ({ calls: [, , thanked] }) => (thanked.heard = [`user: ${THANKS}`]),
      ],
    ],
  },
  'genai-1.36': {
    tree: [
      'invoke_agent weather-agent: AGENT',
      '  chat gpt-5-mini: LLM',
      '  execute_tool get_weather: TOOL',
      '  chat gpt-5-mini: LLM',
    ],
    attributes: { 0: { 'gen_ai.conversation.id': 'session-1' }, 2: { 'gen_ai.tool.call.id': 'call_1' } },
    events: { 1: ['gen_ai.system.message', 'gen_ai.user.message', 'gen_ai.choice'] },
    traces: [[QUESTION, ANSWER, 155, 37, 0.000_112_75]],
    differs: [
      NO_THOUGHT,
      NO_DETAILS,
      NO_THANKS,
      ['it names no user', ({ whose: [trace] }) => trace?.splice(1, 1, null)],
      [
        'its tool has no content: these conventions had no place for it',
        ({ tools: [tool] }) => Object.assign(tool ?? {}, { input: undefined, output: undefined }),
      ],
    ],
  },
  'genai-1.41': {
    tree: [
      'invoke_agent weather-agent: AGENT',
      '  embeddings text-embedding-3-small: EMBEDDING',
      '  retrieval atlas: RETRIEVER',
      '  chat gpt-5-mini: LLM',
      '  execute_tool get_weather: TOOL',
      '  chat gpt-5-mini: LLM',
      '  chat gpt-5-mini: LLM',
    ],
    attributes: {
      2: { 'gen_ai.retrieval.documents': [{ id: 'doc-1', score: 0.9 }] },
      3: {
        'gen_ai.input.messages': [
          { role: 'user', parts: [{ type: 'text', content: 'What is the weather in Paris?' }] },
        ],
        'gen_ai.usage.reasoning.output_tokens': 8,
      },
      5: { 'gen_ai.input.messages': expect.stringMatching(/^\[\{"role":"user","parts"/) as string },
    },
    events: { 5: ['gen_ai.evaluation.result'], 6: ['gen_ai.client.inference.operation.details'] },
    traces: [[QUESTION, ANSWER, 274, 42, 0.000_133_58]],
    differs: [
      [
        'its first call says less of the thought and more of the cache, the others less',
        ({ calls: [asked, answered, thanked] }) => {
          const call = 'assistant: (The tool knows.) + get_weather({"city":"Paris"}) as call_1';
          Object.assign(asked, { said: [call], output: [call], cacheWriteTokens: 16 });
          answered.heard[2] = call;
          answered.reasoningTokens = undefined;
          Object.assign(thanked, {
            cacheReadTokens: undefined,
            reasoningTokens: undefined,
            cost: 0.000_038_75,
          });
        },
      ],
      [
        'its last call is sent without the conversation before',
        ({ calls: [, , thanked] }) => thanked.heard.splice(1, 4),
      ],
      [
        'its tool answers with an object',
        ({ tools: [tool] }) => Object.assign(tool ?? {}, { output: { weather: '18 degrees, sunny' } }),
      ],
    ],
    fields: {
      2: { input: QUESTION, documents: [{ id: 'doc-1', score: 0.9 }], output: [{ id: 'doc-1', score: 0.9 }] },
      3: { parameters: { temperature: 0.5, stop: ['END'] } },
      5: { evaluations: [expect.objectContaining({ name: 'Relevance', score: 0.75 })] },
    },
  },
  langfuse: {
    tree: [
      'weather-agent: AGENT',
      '  find_documents: RETRIEVER',
      '    embed: EMBEDDING',
      '  chat: LLM',
      '  get_weather: TOOL',
      '  chat: LLM',
      '  chat stream: LLM',
      '  done: SPAN',
    ],
    attributes: {
      0: {
        'langfuse.observation.type': 'agent',
        'langfuse.trace.output': 'It is 18 degrees and sunny in Paris.',
        'session.id': 'session-1',
        'user.id': 'user-1',
      },
      3: {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.usage_details':
          '{"input":28,"cache_read_input_tokens":32,"output":17,"output_reasoning_tokens":8,"total":85}',
      },
    },
    traces: [[QUESTION, ANSWER, 274, 42, 0.000_624_43]],
    differs: [
      NO_CALL_ID,
      [
        'it has no attribute for the provider',
        ({ calls }) => calls.forEach((call) => Object.assign(call, { provider: undefined })),
      ],
      [
        'the application gives the cost of two calls itself',
        ({ calls: [asked, answered] }) => Object.assign(asked, { cost: (answered.cost = 0.0003) }),
      ],
      [
        'the application records its stream by hand: the model it asked for, and the bare text of the answer',
        ({ calls: [, , thanked] }) => Object.assign(thanked, { model: 'gpt-5-mini', said: [] }),
      ],
    ],
    fields: {
      0: { traceInput: QUESTION, traceOutput: ANSWER, tags: ['weather'], environment: 'test' },
      1: { output: [expect.objectContaining({ id: 'doc-1', score: 0.9 })] },
      6: { promptName: 'thanks', promptVersion: '3' },
      7: { level: 'WARNING', statusMessage: 'no forecast' },
    },
  },
  langsmith: {
    tree: [
      'weather-agent: CHAIN',
      '  find_documents: RETRIEVER',
      '  ChatOpenAI: LLM',
      '  get_weather: TOOL',
      '  ChatOpenAI: LLM',
      '  ChatOpenAI: LLM',
    ],
    attributes: {
      0: {
        'langsmith.span.kind': 'chain',
        'langsmith.metadata.session_id': 'session-1',
        'gen_ai.completion': '{"outputs":"It is 18 degrees and sunny in Paris."}',
      },
      1: { 'langsmith.span.kind': 'retriever' },
      2: { 'langsmith.span.kind': 'llm', 'gen_ai.usage.input_tokens': 60 },
      3: { 'langsmith.span.kind': 'tool', 'gen_ai.prompt': '{"city":"Paris"}' },
    },
    traces: [[QUESTION, ANSWER, 270, 42, 0.000_119_1]],
    differs: [NO_CALL_ID],
    fields: {
      0: { tags: ['weather'] },
      1: { documents: [expect.objectContaining({ content: 'Paris is the capital of France.' })] },
    },
  },
  'openinference-ai-sdk-7': {
    tree: AI_SDK_7_TREE,
    attributes: {
      2: { 'openinference.span.kind': 'AGENT', 'session.id': 'session-1', 'user.id': 'user-1' },
      4: { 'llm.token_count.prompt_details.cache_write': 16 },
    },
    traces: [
      [[QUESTION], null, 4, 0, 0.000_000_08],
      [QUESTION, ANSWER, 155, 37, 0.000_816],
      [THANKS, WELCOME, 115, 5, 0.000_247_2],
    ],
    differs: [
      CLAUDE,
      KEEPS_THOUGHT,
      ['there are three traces', ({ whose }) => whose.push(...whose, ...whose)],
    ],
  },
  'openinference-openai': {
    tree: [
      'weather-agent: AGENT',
      '  find_documents: RETRIEVER',
      '    OpenAI Embeddings: EMBEDDING',
      '  OpenAI Chat Completions: LLM',
      '  get_weather: TOOL',
      '  OpenAI Chat Completions: LLM',
      '  OpenAI Chat Completions: LLM',
    ],
    attributes: {
      1: { 'retrieval.documents.0.document.id': 'doc-1' },
      2: { 'embedding.embeddings.0.embedding.vector': [29, 0.5, -0.25] },
      3: {
        'session.id': 'session-1',
        'llm.token_count.prompt_details.cache_read': 32,
        'llm.token_count.completion_details.reasoning': 8,
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'get_weather',
      },
    },
    traces: [[QUESTION, ANSWER, 155, 37, 0.000_094_75]],
    differs: [
      NO_THOUGHT,
      NO_CALL_ID,
      NOTHING_COUNTED_OF_STREAMS,
      [
        'of a stream it knows the model that was asked for only',
        ({ calls: [, , thanked] }) => (thanked.model = 'gpt-5-mini'),
      ],
    ],
    fields: {
      1: { documents: [expect.objectContaining({ id: 'doc-1', score: 0.9 })] },
      2: { input: [QUESTION] },
    },
  },
  'openllmetry-anthropic': {
    tree: [
      'conversation.session-1.workflow: CHAIN',
      '  weather_agent.agent: AGENT',
      '    chat claude-sonnet-5: LLM',
      '    get_weather.tool: TOOL',
      '    chat claude-sonnet-5: LLM',
      '    chat claude-sonnet-5: LLM',
    ],
    attributes: {
      2: {
        'gen_ai.conversation.id': 'session-1',
        'traceloop.association.properties.user_id': 'user-1',
        // Anthropic's count, without what came from the cache.
        'gen_ai.usage.input_tokens': 12,
        'gen_ai.usage.cache_read.input_tokens': 32,
      },
    },
    traces: [[QUESTION, WELCOME, 270, 42, 0.001_063_2]],
    differs: [
      CLAUDE,
      KEEPS_THOUGHT,
      NO_CALL_ID,
      [
        'with Anthropic what a tool gave is said by the user',
        ({ calls: [, answered, thanked] }) =>
          [answered, thanked].forEach(({ heard }) =>
            heard.splice(3, 1, 'user: → "18 degrees, sunny" as call_1'),
          ),
      ],
    ],
  },
  'openllmetry-openai': {
    tree: [
      'weather.workflow: CHAIN',
      '  find_documents.task: CHAIN',
      '    pinecone.query: RETRIEVER',
      '  weather_agent.agent: AGENT',
      '    chat gpt-5-mini: LLM',
      '    get_weather.tool: TOOL',
      '    chat gpt-5-mini: LLM',
      '  chat gpt-5-mini: LLM',
    ],
    attributes: {
      4: { 'gen_ai.provider.name': 'openai', 'traceloop.association.properties.session_id': 'session-1' },
      5: { 'traceloop.span.kind': 'tool', 'traceloop.entity.output': '"18 degrees, sunny"' },
    },
    events: { 2: ['db.query.embeddings', 'db.query.result'] },
    traces: [[QUESTION, WELCOME, 155, 37, 0.000_112_75]],
    differs: [NO_THOUGHT, NO_DETAILS, NO_CALL_ID, NOTHING_COUNTED_OF_STREAMS],
    fields: { 2: { documents: [expect.objectContaining({ id: 'doc-1', score: 0.9 })] } },
  },
  'openllmetry-openai-0.22': {
    tree: ['weather: SPAN', '  openai.chat: LLM', '  openai.chat: LLM', '  openai.chat: LLM'],
    attributes: {
      1: {
        'llm.request.type': 'chat',
        'gen_ai.prompt.1.content': 'What is the weather in Paris?',
        'gen_ai.completion.0.tool_calls.0.name': 'get_weather',
        'gen_ai.usage.prompt_tokens': 60,
      },
    },
    traces: [[QUESTION, WELCOME, 155, 37, 0.000_112_75]],
    differs: [
      NO_THOUGHT,
      NO_DETAILS,
      NO_TOOL_SPAN,
      NOTHING_COUNTED_OF_STREAMS,
      [
        'it leaves out the id of a call, and of the messages it sends to the model the calls',
        ({ calls: [asked, answered, thanked] }) => {
          asked.said = ['assistant: get_weather({"city":"Paris"})'];
          asked.output = asked.said;
          for (const { heard } of [answered, thanked])
            heard.splice(2, 2, 'assistant: ', 'tool: → "18 degrees, sunny"');
        },
      ],
    ],
    fields: { 1: { toolDefinitions: [expect.objectContaining({ name: 'get_weather' })] } },
  },
  'opentelemetry-openai': {
    tree: [
      'weather: SPAN',
      '  chat gpt-5-mini: LLM',
      '  chat gpt-5-mini: LLM',
      '  chat gpt-5-mini: LLM',
      '  embeddings text-embedding-3-small: EMBEDDING',
    ],
    attributes: { 1: { 'gen_ai.system': 'openai', 'gen_ai.usage.input_tokens': 60 } },
    events: { 1: ['gen_ai.system.message', 'gen_ai.user.message', 'gen_ai.choice'] },
    traces: [[QUESTION, WELCOME, 274, 42, 0.000_151_58]],
    differs: [NO_THOUGHT, NO_DETAILS, NO_TOOL_SPAN],
    fields: { 1: { parameters: { maxTokens: 1000 } }, 3: { parameters: { temperature: 0.5 } } },
  },
};

const spansOf = ({ traces }: AppPicture): SpanPicture[] => traces.flatMap(({ spans }) => spans);
const eventNames = ({ events, logs = [] }: Partial<SpanPicture> = {}): string[] =>
  [...(events ?? []), ...logs].map(({ name }) => name);
const valuesOf = (span: SpanPicture | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(span?.mapped.fields ?? {}).map(([field, { value }]) => [field, value]));

const APPS = OF_INSTRUMENTATIONS.names;

let server: TestServer;
const pictures = new Map<string, AppPicture>();
const pictureOf = (app: string): AppPicture => pictures.get(app) as AppPicture;
beforeAll(async () => {
  server = await sharedServer();
  for (const app of APPS) pictures.set(app, await replay(server, JAVASCRIPT, app));
});
afterAll(() => server.close());

it('knows every application', () => {
  expect(Object.keys(EXPECTED).sort()).toEqual(APPS);
  expect(recordedApps(JAVASCRIPT)).toEqual(APPS);
});

it.each(APPS)('%s was recorded as it is today; after a change: npm run record:javascript', (app) => {
  expect(readRecording(JAVASCRIPT, app).sources).toBe(OF_INSTRUMENTATIONS.sourcesOf(app));
});

describe.each(Object.entries(EXPECTED))('%s', (app, expected) => {
  it('sends its spans, and none is rejected', () => {
    const names = spansOf(pictureOf(app)).map(
      ({ name, depth, kind }) => `${'  '.repeat(depth)}${name}: ${kind}`,
    );
    expect(names).toEqual(expected.tree);
    expect(pictureOf(app).rejected).toBe(0);
  });

  it('finds its attributes and events stored', () => {
    const spans = spansOf(pictureOf(app));
    for (const [place, attributes] of Object.entries(expected.attributes))
      expect(spans[Number(place)]?.attributes).toMatchObject(attributes);
    for (const [place, names] of Object.entries(expected.events ?? {}))
      expect(eventNames(spans[Number(place)])).toEqual(names);
  });

  it('is understood: it sends the common scenario, but for its differences', () => {
    expect(scenarioOf(pictureOf(app))).toEqual(scenarioWith(expected.differs));
    const spans = spansOf(pictureOf(app));
    for (const [place, fields] of Object.entries(expected.fields ?? {}))
      expect(valuesOf(spans[Number(place)])).toMatchObject(fields);
  });

  it('is shown as traces with their input and output, and every use counted once', () => {
    const shown = pictureOf(app).traces.map(({ input, output, usage, cost }) => [
      input,
      output,
      usage['promptTokens'],
      usage['completionTokens'],
      cost,
    ]);
    expect(shown).toEqual(expected.traces);
  });
});

it('are listed in docs/conventions.md, as they are understood; after a change: vitest -u', async () => {
  const page = conventionsPage([...pictures.values()], await recordedSection(server));
  await expect(page).toMatchFileSnapshot('../../docs/conventions.md');
});

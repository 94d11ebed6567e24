/** The table of recorded applications of Python and of JavaScript frameworks in docs/conventions.md: what was said, and what is shown. */
import { expect } from 'vitest';
import type { TestServer } from '../support/server.ts';
import { FRAMEWORKS, packagesOf, PYTHON, recordedApps } from './recording.ts';
import { replay } from './replay.ts';
import { type Cells, type ColumnName, COLUMNS, SAID, shown } from './said-and-shown.ts';

/** What an application shows instead: null where it sends nothing; and why. */
export type Differences = Partial<Record<ColumnName, readonly [shown: unknown, reason: string]>>;

interface RecordedApp {
  title: string;
  /** Folder of its recording; default: that of Python. */
  folder?: string;
  differs: Differences;
}

const NOT_SENT = [null, 'not sent'] as const;
const ALIAS = [['gpt-5-mini'], 'the requested one'] as const;
const NO_TOOL = { 'Tool result': [null, 'no span'] } as const;
const CLAUDE = {
  Model: [['claude-sonnet-5-20260807'], 'another model'],
  Cost: [0.000_816, 'of another model'],
  'Finish reasons': [['tool_use', 'end_turn'], 'as Anthropic calls them'],
  Reasoning: [null, 'not sent'],
} as const;
const INTERNAL = 'an object of the framework';
const SINGULAR = [['tool_call', 'stop'], 'as it calls them'] as const;

const NAMED = [{ question: 'What is the weather in Paris?' }, 'with its name'] as const;
const WITHOUT_CACHE = [0.000_112_75, 'without those of the cache'] as const;
const STRANDS = {
  Output: ['It is 18 degrees and sunny in Paris.\n', 'with a line break'],
  Model: ALIAS,
  'Finish reasons': [['tool_use', 'end_turn'], 'as it calls them'],
  Reasoning: NOT_SENT,
} as const;

export const RECORDED: Readonly<Record<string, RecordedApp>> = {
  agno_agent: {
    title: 'Agno by OpenInference',
    differs: { Model: ALIAS, 'Finish reasons': NOT_SENT, Reasoning: NOT_SENT },
  },
  braintrust_otel: { title: 'OpenAI with Braintrust’s attributes', differs: {} },
  genkit: {
    title: 'Genkit',
    folder: FRAMEWORKS,
    differs: {
      Model: ALIAS,
      'Finish reasons': [['stop', 'stop'], 'as it calls them'],
    },
  },
  google_adk_agent: {
    title: 'Google ADK',
    differs: {
      Model: [['openai/gpt-5-mini'], 'the requested one'],
      'Finish reasons': [['stop', 'stop'], 'as it calls them'],
      Tokens: [[155, 45], 'adds those of reasoning, which the output contains'],
      Cost: [0.000_110_75, 'of these tokens'],
      'Tool result': [['get_weather', { city: 'Paris' }, { result: '18 degrees, sunny' }], 'in an object'],
    },
  },
  laminar: {
    title: 'OpenAI by Laminar',
    folder: FRAMEWORKS,
    differs: {
      Input: [['What is the weather in Paris?'], 'in the list of arguments'],
      'Finish reasons': SINGULAR,
      Cached: NOT_SENT,
      Reasoning: NOT_SENT,
      Cost: WITHOUT_CACHE,
    },
  },
  laminar_openai: { title: 'OpenAI by Laminar', differs: { Input: NAMED } },
  haystack_agent: { title: 'Haystack', differs: {} },
  langfuse_openai: { title: 'OpenAI by Langfuse', differs: { 'Finish reasons': NOT_SENT } },
  langwatch: {
    title: 'OpenAI with LangWatch’s spans',
    folder: FRAMEWORKS,
    differs: { 'Finish reasons': NOT_SENT, Cached: NOT_SENT, Reasoning: NOT_SENT, Cost: WITHOUT_CACHE },
  },
  langwatch_openai: {
    title: 'OpenAI by LangWatch',
    differs: {
      Input: NAMED,
      Model: [['openai/gpt-5-mini'], 'the requested one'],
      'Finish reasons': NOT_SENT,
      Cached: NOT_SENT,
      Cost: WITHOUT_CACHE,
    },
  },
  litellm_otel: { title: 'LiteLLM', differs: { ...NO_TOOL, Cached: NOT_SENT, Reasoning: NOT_SENT } },
  livekit_agent: { title: 'LiveKit Agents', differs: { Model: ALIAS, 'Finish reasons': SINGULAR } },
  logfire_openai: { title: 'OpenAI by Logfire', differs: { ...NO_TOOL } },
  logfire_pydantic_ai: { title: 'Pydantic AI by Logfire', differs: { 'Finish reasons': SINGULAR } },
  mastra: {
    title: 'Mastra',
    folder: FRAMEWORKS,
    differs: {
      Question: [null, 'on the span around it'],
      'Tool call': [null, 'on the span around it'],
      'Finish reasons': [['tool-calls', 'stop'], 'as it calls them'],
    },
  },
  mlflow_openai: {
    title: 'OpenAI by MLflow',
    differs: { Input: NAMED, Reasoning: NOT_SENT },
  },
  openinference_anthropic: {
    title: 'Anthropic by OpenInference, and by its own SDK',
    differs: { ...CLAUDE, ...NO_TOOL },
  },
  openinference_langchain: {
    title: 'LangChain by OpenInference',
    differs: {
      'Tool result': [['get_weather', 'Paris', '18 degrees, sunny'], 'its only argument without the name'],
    },
  },
  openinference_llama_index: {
    title: 'LlamaIndex by OpenInference',
    differs: {
      Input: [expect.objectContaining({ init_state: expect.anything() as unknown }), INTERNAL],
      Output: [expect.stringMatching(/^StopEvent\(/), INTERNAL],
      'Tool result': [
        ['get_weather', { city: 'Paris' }, expect.objectContaining({ raw_output: '18 degrees, sunny' })],
        'in an object',
      ],
      Model: ALIAS,
    },
  },
  openinference_openai: { title: 'OpenAI by OpenInference', differs: { ...NO_TOOL } },
  openinference_openai_agents: {
    title: 'OpenAI Agents by OpenInference',
    differs: {
      Model: ALIAS,
      'Finish reasons': NOT_SENT,
      Cached: NOT_SENT,
      Reasoning: NOT_SENT,
      Cost: WITHOUT_CACHE,
    },
  },
  openllmetry_openai: {
    title: 'OpenAI by OpenLLMetry',
    differs: { ...NO_TOOL, 'Finish reasons': SINGULAR },
  },
  opentelemetry_openai: {
    title: 'OpenAI by OpenTelemetry',
    differs: {
      ...NO_TOOL,
      Cached: NOT_SENT,
      Reasoning: NOT_SENT,
      Cost: [0.000_112_75, 'without those of the cache'],
    },
  },
  pydantic_ai_agent: { title: 'Pydantic AI', differs: { 'Finish reasons': SINGULAR } },
  smolagents_agent: {
    title: 'smolagents by OpenInference',
    differs: {
      Input: [expect.stringContaining('"task": "What is the weather in Paris?"'), 'its settings too'],
      Question: ['New task:\nWhat is the weather in Paris?', 'in its prompt'],
      Model: ALIAS,
      'Finish reasons': NOT_SENT,
      Cached: NOT_SENT,
      Reasoning: NOT_SENT,
      Cost: [0.000_112_75, 'without those of the cache'],
    },
  },
  strands_agent: { title: 'Strands Agents', differs: STRANDS },
  strands_agent_genai: { title: 'Strands Agents with the newest conventions', differs: STRANDS },
  traceloop_sdk: { title: 'OpenAI by Traceloop', differs: { 'Finish reasons': SINGULAR } },
  two_of_openai: {
    title: 'OpenAI by OpenLLMetry and OpenInference at once',
    differs: { ...NO_TOOL },
  },
};

/** Returns what must be shown of an application. */
export function expectedCells({ differs }: RecordedApp): Cells {
  const cells = { ...SAID };
  for (const column of COLUMNS) {
    const difference = differs[column];
    if (difference) cells[column] = difference[0];
  }
  return cells;
}

/** Returns the section of the page; every recording is sent to the server, and a wrong value is named. */
export async function recordedSection(server: TestServer): Promise<string> {
  const rows = await Promise.all(
    [PYTHON, FRAMEWORKS].flatMap((folder) => recordedApps(folder).map((app) => row(server, folder, app))),
  );
  const head = ['Sender', ...COLUMNS];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `## What Python packages and frameworks send

The same question, asked by applications in Python and, below them, by those of frameworks for JavaScript. Their requests were recorded and are sent again by the tests. ✓ stands for exactly
what the model and the tool said, took and cost; anything else is what the package sends instead. The names of Spring AI, which needs Java, are tested without its packages.

${lines.join('\n')}`;
}

async function row(server: TestServer, folder: string, app: string): Promise<string[]> {
  const known = RECORDED[app];
  if (!known) throw new Error(`the table has no words for ${app}`);
  const cells = shown(await replay(server, folder, app));
  const versions = Object.entries(packagesOf(app, folder))
    .filter(([name]) => !/opentelemetry.*exporter|^(?:@opentelemetry\/api|zod)$/.test(name))
    .map(([name, version]) => `\`${name}\` ${version}`);
  return [
    `${known.title}: ${versions.join(', ')}`,
    ...COLUMNS.map((column) => cellText(cells[column], column, known.differs)),
  ];
}

function cellText(value: unknown, column: ColumnName, differs: Differences): string {
  const reason = differs[column]?.[1];
  if (reason !== undefined) return reason;
  return JSON.stringify(value) === JSON.stringify(SAID[column]) ? '✓' : 'wrong';
}

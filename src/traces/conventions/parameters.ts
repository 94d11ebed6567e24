import type { JsonValue } from '../span-wire.ts';
import { isObject } from '../../contract/is-object.ts';
import { parseJson } from './json.ts';
import { type AttributeView, parsedOfKey, under } from './span-view.ts';

/** Parameters of a model call, with the same names for all APIs. */
export interface ModelParameters {
  /**
   * Parameters: `temperature`, `topP`, `topK`, `maxTokens`, `seed`, `stop`, `n` and others. Unknown ones as sent, in
   * camelCase.
   */
  value: Record<string, JsonValue>;
  vocabulary: string;
  /** Key of their source; a final `.*` stands for every key with that prefix. */
  from: string;
}

interface Source {
  vocabulary: string;
  from: string;
  read: (view: AttributeView) => [name: string, value: JsonValue][];
}

/** Sources in order of precedence. */
const SOURCES: readonly Source[] = [
  inOneObject('langfuse', 'langfuse.observation.model.parameters'),
  { vocabulary: 'gen_ai', from: 'gen_ai.request.*', read: readGenAi },
  inOneObject('openinference', 'llm.invocation_parameters'),
  { vocabulary: 'vercel', from: 'ai.settings.*', read: readVercel },
];

/** Synonyms in camelCase: names in some API, with the name used here. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['maxOutputTokens', 'maxTokens'],
  ['maxCompletionTokens', 'maxTokens'],
  ['maxTokensToSample', 'maxTokens'],
  ['stopSequences', 'stop'],
  ['choiceCount', 'n'],
  ['candidateCount', 'n'],
]);

/** Members of requests that are not parameters, such as messages, model and tools. */
const NO_PARAMETERS: ReadonlySet<string> = new Set([
  'id',
  'model',
  'modelName',
  'messages',
  'prompt',
  'input',
  'system',
  'instructions',
  'tools',
  'functions',
]);

/** Reads the parameters of a model call. All of them are from the first vocabulary that has any. */
export function readParameters(view: AttributeView): ModelParameters | undefined {
  for (const { vocabulary, from, read } of SOURCES) {
    const value = underOurNames(read(view));
    if (Object.keys(value).length > 0) return { value, vocabulary, from };
  }
  return undefined;
}

function inOneObject(vocabulary: string, key: string): Source {
  return {
    vocabulary,
    from: key,
    read: (view) => {
      const value = parsedOfKey(view, key);
      return isObject(value) ? Object.entries(value) : [];
    },
  };
}

function readGenAi(view: AttributeView): [string, JsonValue][] {
  const outputType = view.value('gen_ai.output.type');
  return [
    ...byName(under(view, 'gen_ai.request.')),
    ...byName(under(view, 'gen_ai.openai.request.')),
    ...(outputType === undefined ? [] : [['outputType', outputType] as [string, JsonValue]]),
  ];
}

/** Reads the parameters of the Vercel AI SDK, which may include values of an application for its own tools. */
function readVercel(view: AttributeView): [string, JsonValue][] {
  return byName(under(view, 'ai.settings.')).filter(([name]) => !name.startsWith('context.'));
}

/** Sorts by name, so that the choice between two synonyms does not depend on the order of attributes. */
function byName(sent: [name: string, value: JsonValue][]): [name: string, value: JsonValue][] {
  return sent.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Renames parameters; of two synonyms the first takes precedence. */
function underOurNames(sent: readonly [name: string, value: JsonValue][]): Record<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  for (const [name, value] of sent) {
    const [first = ''] = name.split('.', 1);
    if (value === null || NO_PARAMETERS.has(camelCase(first))) continue;
    const ours = SYNONYMS.get(camelCase(name)) ?? camelCase(name);
    // Micrometer writes it for parameters that it does not have; `tool_choice` and `reasoning_effort` have it as a value.
    if (value === 'none' && (NUMBERS.has(ours) || ours === 'stop')) continue;
    if (!found.has(ours)) found.set(ours, typeof value === 'string' ? parsed(ours, value) : value);
  }
  return Object.fromEntries(found);
}

/** Parameters that are numbers, which some senders write as text. */
const NUMBERS: ReadonlySet<string> = new Set([
  'temperature',
  'topP',
  'topK',
  'maxTokens',
  'seed',
  'n',
  'frequencyPenalty',
  'presencePenalty',
]);

function parsed(name: string, text: string): JsonValue {
  const number = NUMBERS.has(name) && text.trim() !== '' ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : parseJson(text);
}

function camelCase(name: string): string {
  return name.replaceAll(/(?<=[^._-])[._-]+([^._-])/g, (_, letter: string) => letter.toUpperCase());
}

import { isObject } from '../../contract/is-object.ts';
import type { ImportSource } from './import-contract.ts';
import { namedFor } from './import-names.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Returns what a row has at a source: a column, the path of a member such as `inputs.question`, or several of these as an object;
 * undefined if it has nothing there.
 */
export function importedValue(row: Row, source: ImportSource): unknown {
  if (typeof source === 'string') return memberAt(row, source);
  const members = source.flatMap((one): [string, unknown][] => {
    const value = memberAt(row, one);
    const name = hasPhoenixColumns(row) ? one.replace(PHOENIX, '') : one;
    return isNothing(value) ? [] : [[nameOf(name), LIST.test(one) ? listIn(value) : value]];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function memberAt(row: Row, path: string): unknown {
  if (Object.hasOwn(row, path)) return row[path];
  let value: unknown = row;
  for (const name of path.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';

const PHOENIX = /^(?:input|output|metadata)_/;

/**
 * Reports whether a row has the columns of Phoenix: `example_id`, inputs, and either nothing else than these beginnings have, or outputs
 * too and no other column that could be the input. Other tables with an `example_id` have columns such as `input_tokens`.
 */
export function hasPhoenixColumns(row: Row): boolean {
  if (!Object.hasOwn(row, 'example_id')) return false;
  const columns = Object.keys(row).filter((column) => column !== 'example_id');
  const others = columns.filter((column) => !PHOENIX.test(column));
  if (!columns.some((column) => column.startsWith('input_'))) return false;
  return (
    others.length === 0 ||
    (columns.some((column) => column.startsWith('output_')) && namedFor('input', others) === undefined)
  );
}

/** Columns of promptfoo that hold a list, separated by commas; `\\,` is a comma. */
const LIST = /^__metadata:.+\[\]$/;
const listIn = (value: unknown): unknown =>
  typeof value === 'string'
    ? value.split(/(?<!\\),/).map((part) => part.trim().replaceAll('\\,', ','))
    : value;

/** Returns the name of a member without what the columns of its tool begin with. */
const nameOf = (path: string): string =>
  (LIST.test(path) ? path.slice(0, -'[]'.length) : path).replace(
    /^(?:__metadata:|__|(?:inputs?|reference_outputs?|expected|expected_outputs?|reference|outputs?|metadata|expectations|item)\.)/,
    '',
  );

/** Returns the columns that a source is taken from, of those that a row has. */
export const columnsTaken = (columns: readonly string[], source: ImportSource): string[] =>
  [source].flat().flatMap((path) => {
    const column = columns.includes(path) ? path : path.split('.')[0];
    return column !== undefined && columns.includes(column) ? [column] : [];
  });

/** Returns the text of an object with one member that is a text; undefined for any other value. */
export function onlyText(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const [only, ...others] = Object.values(value);
  return typeof only === 'string' && others.length === 0 ? only : undefined;
}

/** Returns the only member of an object if it is an object or a list, such as `messages`; undefined for any other value. */
export function onlyMember(value: unknown): unknown {
  if (!isObject(value)) return undefined;
  const [only, ...others] = Object.values(value);
  return typeof only === 'object' && only !== null && others.length === 0 ? only : undefined;
}

interface Message {
  role: string;
  content: unknown;
}

/** Roles by the types of LangChain's messages. */
const LANGCHAIN_ROLES: Readonly<Record<string, string>> = {
  human: 'user',
  ai: 'assistant',
  system: 'system',
  tool: 'tool',
};

/** Returns the text of a content whose only part is a text; any other content as it is. */
function contentIn(content: unknown): unknown {
  const [only, ...others] = Array.isArray(content) ? (content as unknown[]) : [];
  const isText = isObject(only) && others.length === 0 && typeof only['text'] === 'string';
  return isText ? only['text'] : content;
}

/** Returns a message of a chat, of OpenAI or LangChain; null for any other value. */
function messageIn(value: unknown): Message | null {
  if (!isObject(value) || !('content' in value)) return null;
  const { role, type } = value;
  const content = contentIn(value['content']);
  if (typeof role === 'string') return { role, content };
  const known =
    typeof type === 'string' && Object.hasOwn(LANGCHAIN_ROLES, type) ? LANGCHAIN_ROLES[type] : undefined;
  return known === undefined ? null : { role: known, content };
}

const isMessage = (value: unknown): boolean => messageIn(value) !== null;

/** Returns the text of a message of the assistant, or of the only one in a list; undefined for any other value. */
export function messageText(value: unknown): string | undefined {
  const [only, ...others]: unknown[] = [value].flat();
  const message = others.length === 0 ? messageIn(only) : null;
  return message?.role === 'assistant' && typeof message.content === 'string' ? message.content : undefined;
}

/** Returns messages of a chat as an input: the text of the only message of the user, else all of them; undefined for any other value. */
export function chatInput(value: unknown): unknown {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isMessage)) return undefined;
  const asked = messageIn(value.at(-1))?.role === 'assistant' ? value.slice(0, -1) : value;
  const [only, ...others] = asked
    .flatMap((one) => messageIn(one) ?? [])
    .filter(({ role }) => role !== 'system' && role !== 'developer');
  return only?.role === 'user' && others.length === 0 && typeof only.content === 'string'
    ? only.content
    : asked;
}

/** Returns the text of the last message of a chat if the assistant said it; undefined for any other value. */
export function chatAnswer(value: unknown): unknown {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isMessage)) return undefined;
  const { role, content } = messageIn(value.at(-1)) as Message;
  return role === 'assistant' ? content : undefined;
}

/** Reports whether the last message of a chat calls tools, which no expected value contains. */
export function hasToolCalls(value: unknown): boolean {
  const last: unknown = Array.isArray(value) ? value.at(-1) : undefined;
  if (!isObject(last) || last['role'] !== 'assistant') return false;
  const { tool_calls: calls, function_call: call } = last;
  return (Array.isArray(calls) && calls.length > 0) || isObject(call);
}

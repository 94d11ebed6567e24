import { isObject } from '../../contract/is-object.ts';
import type { ImportSource } from './import-contract.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Returns what a row has at a source: a column, the path of a member such as `inputs.question`, or several of these as an object;
 * undefined if it has nothing there.
 */
export function importedValue(row: Row, source: ImportSource): unknown {
  if (typeof source === 'string') return memberAt(row, source);
  const members = source.flatMap((one): [string, unknown][] => {
    const value = memberAt(row, one);
    return isNothing(value) ? [] : [[nameOf(one), value]];
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

/** Returns the name of a member without what the columns of its tool begin with. */
const nameOf = (path: string): string =>
  path.replace(
    /^(?:__metadata:|__|(?:inputs?|reference_outputs?|expected|expected_outputs?|reference|outputs?|metadata|expectations)\.)/,
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

interface Message {
  role: string;
  content: unknown;
}

const isMessage = (value: unknown): value is Message =>
  isObject(value) && typeof value['role'] === 'string' && 'content' in value;

/** Returns messages of a chat as an input: the text of the only message of the user, else all of them; undefined for any other value. */
export function chatInput(value: unknown): unknown {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isMessage)) return undefined;
  const asked = value.at(-1)?.role === 'assistant' ? value.slice(0, -1) : value;
  const [only, ...others] = asked.filter(({ role }) => role !== 'system' && role !== 'developer');
  return only?.role === 'user' && others.length === 0 && typeof only.content === 'string'
    ? only.content
    : asked;
}

/** Returns the text of the last message of a chat if the assistant said it; undefined for any other value. */
export function chatAnswer(value: unknown): unknown {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isMessage)) return undefined;
  const { role, content } = value.at(-1) as Message;
  return role === 'assistant' ? content : undefined;
}

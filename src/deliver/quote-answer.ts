import { truncate } from '../traces/truncate.ts';

const MAX_QUOTE = 200;
/** Bytes of a body that are searched for a text. */
const MAX_READ = 4_096;
/** Fields of JSON in which apps describe an error, in the order of preference. */
const FIELDS = ['message', 'error', 'detail', 'description', 'reason', 'title'];
/** Control characters, and those that change the direction or are invisible. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;

/**
 * Returns what an app said in a response that is no success, as one line of at most 200 characters; null when it said nothing
 * that a person can read, such as a page of a proxy.
 */
export function quoteAnswer({
  headers,
  body,
}: {
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}): string | null {
  const type = headers['content-type']?.toLowerCase() ?? '';
  const text = body.toString('utf8', 0, MAX_READ);
  const said = textOf(text);
  if (said === null && /html|xml/.test(type)) return null;
  if (said === null && (text.trimStart().startsWith('<') || text.includes('\ufffd'))) return null;
  const line = (said ?? text).replaceAll(UNPRINTABLE, ' ').trim();
  if (line === '') return null;
  return line.length <= MAX_QUOTE ? line : `${truncate(line, MAX_QUOTE - 1)}…`;
}

/** Returns the text of an error in JSON; null when there is none. */
function textOf(text: string): string | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  return describe(json, 2);
}

function describe(json: unknown, depth: number): string | null {
  if (typeof json === 'string') return json;
  if (typeof json !== 'object' || json === null || depth === 0) return null;
  for (const field of FIELDS) {
    const said = Object.hasOwn(json, field) ? describe(Reflect.get(json, field), depth - 1) : null;
    if (said !== null && said !== '') return said;
  }
  return null;
}

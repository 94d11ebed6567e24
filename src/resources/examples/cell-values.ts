import { isObject } from '../../contract/is-object.ts';
import { exactJson } from './exact-numbers.ts';
import { MAX_ROW_MEMBERS, membersIn } from './json-rows.ts';

type Row = Readonly<Record<string, unknown>>;

/** Returns a row of a table whose cells contain objects, lists and texts in quotes, as JSON or as pandas writes them, as these values. */
export function withCellValues(row: Row): Row {
  const entries = Object.entries(row).map(([column, cell]) => [column, cellValue(cell)] as const);
  return Object.fromEntries(entries);
}

function cellValue(cell: unknown): unknown {
  if (typeof cell !== 'string' || !/^\s*[[{"]/.test(cell) || membersIn(cell) > MAX_ROW_MEMBERS) return cell;
  try {
    return exactJson(cell);
  } catch {
    const value = pythonValue(cell);
    return Array.isArray(value) || isObject(value) ? value : cell;
  }
}

/** A part of a literal of Python. */
const TOKEN =
  /\s*(?:(?<text>'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*")|(?<number>-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)|(?<name>True|False|None|nan)(?!\w)|(?<sign>[[\]{}(),:]))\s*/y;
const NAMES: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null', nan: 'null' };
const SIGNS: Readonly<Record<string, string>> = { '(': '[', ')': ']' };
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Returns the value of a literal of Python, such as `{'answer': 'Lima'}`; undefined if it is none. */
function pythonValue(literal: string): unknown {
  const parts: string[] = [];
  const pattern = new RegExp(TOKEN);
  while (pattern.lastIndex < literal.length) {
    const { text, number, name = '', sign = '' } = pattern.exec(literal)?.groups ?? {};
    const json =
      text === undefined ? (number ?? NAMES[name] ?? SIGNS[sign] ?? sign) : JSON.stringify(unquoted(text));
    if (json === '') return undefined;
    // A tuple of one has a comma behind it.
    if (/^[\]}]$/.test(json) && parts.at(-1) === ',') parts.pop();
    parts.push(json);
  }
  try {
    return exactJson(parts.join(''));
  } catch {
    return undefined;
  }
}

const unquoted = (text: string): string =>
  text
    .slice(1, -1)
    .replaceAll(
      /\\(?:x([\da-f]{2})|u([\da-f]{4})|([^]))/gi,
      (_match, x?: string, u?: string, char?: string) => {
        const code = x ?? u;
        return code === undefined
          ? (ESCAPES[char as string] ?? (char as string))
          : String.fromCharCode(Number.parseInt(code, 16));
      },
    );

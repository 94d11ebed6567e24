/**
 * Splits a filter line into its tokens. Knows no fields: what a name or a value means is the matter of the parser. Runs in the
 * dashboard too, which shows the same tokens.
 */

/** Something wrong at a place of a filter line. */
export interface FilterFault {
  /** Range of characters (UTF-16 units) in the line. */
  start: number;
  end: number;
  message: string;
  /** Text that would be right in place of the range; null if there is no obvious one. */
  suggestion: string | null;
}

/** One of the alternatives of a token, which commas separate. */
export interface Piece {
  start: number;
  end: number;
  kind: 'word' | 'phrase' | 'regex';
  /** The text without quotes and escapes; the source of a regular expression. */
  text: string;
  /** The word between its wildcards; one part if it has none. */
  parts: readonly string[];
  /** Flags of a regular expression. */
  flags: string;
}

/** A term as it is written: `-field:value,value`, or alternatives without a field. */
export interface Token {
  start: number;
  end: number;
  isNegated: boolean;
  /** Name before the colon without escapes; null for words to search for. */
  name: string | null;
  /** Second part of the name, after its first dot, such as a key of metadata; null if there is none. */
  key: string | null;
  /** Place behind the colon, or the start of the words. */
  valueStart: number;
  pieces: readonly Piece[];
  faults: readonly FilterFault[];
}

const NAME = /([A-Za-z]\w*)(?:\.("(?:[^"\\]|\\.)*"|(?:[^\s:",\\]|\\.)+))?:/sy;
const SPACE = /\s/;

/** Returns the tokens of a line, in order. Everything but white space belongs to one of them. */
export function filterTokens(line: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < line.length; ) {
    if (SPACE.test(line.charAt(at))) at++;
    else {
      const token = readToken(line, at);
      tokens.push(token);
      at = token.end;
    }
  }
  return tokens;
}

function readToken(line: string, start: number): Token {
  const isNegated = line.charAt(start) === '-';
  const begin = isNegated ? start + 1 : start;
  NAME.lastIndex = begin;
  const named = NAME.exec(line);
  const valueStart = begin + (named?.[0].length ?? 0);
  const faults: FilterFault[] = [];
  const { pieces, end } = readPieces(line, valueStart, faults);
  if (pieces.length === 0 && faults.length === 0) {
    faults.push(
      named
        ? { start, end, message: `\`${named[0]}\` needs a value`, suggestion: null }
        : { start, end, message: 'A minus must stand before a term', suggestion: '"-"' },
    );
  }
  return {
    start,
    end,
    isNegated,
    name: named?.[1] ?? null,
    key: named?.[2] === undefined ? null : unescaped(named[2]),
    valueStart,
    pieces,
    faults,
  };
}

const unescaped = (text: string): string =>
  (text.startsWith('"') ? text.slice(1, -1) : text).replaceAll(/\\(.)/gs, '$1');

function readPieces(line: string, from: number, faults: FilterFault[]): { pieces: Piece[]; end: number } {
  const pieces: Piece[] = [];
  let at = from;
  if (at >= line.length || SPACE.test(line.charAt(at))) return { pieces, end: at };
  for (;;) {
    const piece = readPiece(line, at, faults);
    at = piece.end;
    if (piece.end === piece.start) {
      faults.push({
        start: from,
        end: endOfWord(line, at),
        message: 'A comma must stand between two values; quote the text to search for a comma',
        suggestion: quoted(line.slice(from, endOfWord(line, at))),
      });
      return { pieces, end: endOfWord(line, at) };
    }
    pieces.push(piece);
    if (line.charAt(at) !== ',') break;
    at++;
  }
  if (at < line.length && !SPACE.test(line.charAt(at))) {
    const end = endOfWord(line, at);
    const { start } = pieces.at(-1) as Piece;
    faults.push({
      start,
      end,
      message: `A space or a comma must follow ${line.slice(start, at)}`,
      suggestion: `${line.slice(start, at)} ${line.slice(at, end)}`,
    });
    at = end;
  }
  return { pieces, end: at };
}

function endOfWord(line: string, from: number): number {
  let at = from;
  while (at < line.length && !SPACE.test(line.charAt(at))) at++;
  return at;
}

function readPiece(line: string, start: number, faults: FilterFault[]): Piece {
  const first = line.charAt(start);
  if (first === '"') return readPhrase(line, start, faults);
  if (first === '/') return readRegex(line, start, faults);
  return readWord(line, start, faults);
}

function readPhrase(line: string, start: number, faults: FilterFault[]): Piece {
  let text = '';
  for (let at = start + 1; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === '"') return pieceOf(start, at + 1, 'phrase', text);
    if (character === '\\' && at + 1 < line.length) text += line.charAt(++at);
    else text += character;
  }
  const end = line.length;
  faults.push({ start, end, message: 'The quotation mark is not closed', suggestion: quoted(text) });
  return pieceOf(start, end, 'phrase', text);
}

function readRegex(line: string, start: number, faults: FilterFault[]): Piece {
  let isInClass = false;
  for (let at = start + 1; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === '\\') at++;
    else if (character === '[') isInClass = true;
    else if (character === ']') isInClass = false;
    else if (character === '/' && !isInClass) {
      const [flags = ''] = /^[A-Za-z]*/.exec(line.slice(at + 1)) ?? [];
      return { ...pieceOf(start, at + 1 + flags.length, 'regex', line.slice(start + 1, at)), flags };
    }
  }
  const end = endOfWord(line, start);
  faults.push({
    start,
    end,
    message: 'The regular expression is not closed by a slash; quote the text to search for a slash',
    suggestion: quoted(line.slice(start, end)),
  });
  return pieceOf(start, end, 'regex', line.slice(start + 1, end));
}

function readWord(line: string, start: number, faults: FilterFault[]): Piece {
  const parts = [''];
  let at = start;
  for (; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === ',' || SPACE.test(character)) break;
    if (character === '*') parts.push('');
    else if (character !== '\\') parts[parts.length - 1] += character;
    else if (++at < line.length) parts[parts.length - 1] += line.charAt(at);
    else {
      const message = 'A backslash must stand before the character that it escapes';
      faults.push({ start: at - 1, end: line.length, message, suggestion: '\\\\' });
      break;
    }
  }
  const end = Math.min(at, line.length);
  return { ...pieceOf(start, end, 'word', parts.join('*')), parts };
}

const pieceOf = (start: number, end: number, kind: Piece['kind'], text: string): Piece => ({
  start,
  end,
  kind,
  text,
  parts: [text],
  flags: '',
});

/** Returns a text as a phrase in quotes. */
export const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/** Characters of values that need no quotes. */
const PLAIN = /^[\p{L}\p{N}_$%&@#+=;!?()[\]{}~.|<>^'][\p{L}\p{N}_$%&@#+=;!?()[\]{}~.|<>^'-]*$/u;

/** Returns a value as it can stand behind a colon: in quotes only if it needs them. */
export const filterValueText = (text: string): string => (PLAIN.test(text) ? text : quoted(text));

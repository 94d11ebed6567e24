/** Kind of a token, which chooses its colour. */
export type TokenKind = 'comment' | 'string' | 'number' | 'word' | 'name' | 'plain';

export interface CodeToken {
  kind: TokenKind;
  text: string;
}

type Rule = readonly [kind: TokenKind, pattern: string];

const DOUBLE = String.raw`"(?:[^"\\\n]|\\.)*"?`;
const SINGLE = String.raw`'(?:[^'\\\n]|\\.)*'?`;
const NUMBER = String.raw`\b(?:0[xX][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)\b`;
const words = (list: string): string => String.raw`\b(?:${list.replaceAll(' ', '|')})\b`;

const JAVASCRIPT: readonly Rule[] = [
  ['comment', String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)`],
  ['string', String.raw`${DOUBLE}|${SINGLE}|${'`'}(?:[^${'`'}\\]|\\.)*${'`'}?`],
  [
    'word',
    words(
      'as async await break case catch class const continue default delete do else enum export extends false finally for from function if implements import in instanceof interface let new null of return static super switch this throw true try type typeof undefined var void while yield',
    ),
  ],
  ['number', NUMBER],
];
const PYTHON: readonly Rule[] = [
  ['comment', String.raw`#[^\n]*`],
  ['string', String.raw`"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|${DOUBLE}|${SINGLE}`],
  [
    'word',
    words(
      'and as assert async await break class continue def del elif else except False finally for from global if import in is lambda None nonlocal not or pass raise return True try while with yield',
    ),
  ],
  ['number', NUMBER],
];
const SHELL: readonly Rule[] = [
  ['comment', String.raw`(?<=^|\s)#[^\n]*`],
  ['string', String.raw`"(?:[^"\\]|\\.)*"?|'[^']*'?`],
  ['name', String.raw`\$\{[^}\n]*\}?|\$\w+`],
  ['word', words('case do done elif else esac export fi for function if in return then until while')],
];
const SQL: readonly Rule[] = [
  ['comment', String.raw`--[^\n]*|\/\*[^]*?(?:\*\/|$)`],
  ['string', String.raw`'(?:[^']|'')*'?`],
  [
    'word',
    words(
      'all and as asc by case create cross delete desc distinct drop else end exists from full group having in index inner insert into is join left like limit not null offset on or order outer primary references right select set table then union unique update values when where with',
    ),
  ],
  ['number', NUMBER],
];
const JSON_RULES: readonly Rule[] = [
  ['name', String.raw`"(?:[^"\\\n]|\\.)*"(?=\s*:)`],
  ['string', DOUBLE],
  ['word', words('true false null')],
  ['number', String.raw`-?${NUMBER}`],
];
const XML: readonly Rule[] = [
  ['comment', String.raw`<!--[^]*?(?:-->|$)`],
  ['word', String.raw`<\/?[\w:.-]+|\/?>`],
  ['string', String.raw`(?<==)(?:"[^"]*"?|'[^']*'?)`],
  ['name', String.raw`[\w:.-]+(?==["'])`],
];

const LANGUAGES: Readonly<Record<string, readonly Rule[]>> = {
  json: JSON_RULES,
  jsonc: JSON_RULES,
  python: PYTHON,
  py: PYTHON,
  javascript: JAVASCRIPT,
  js: JAVASCRIPT,
  jsx: JAVASCRIPT,
  typescript: JAVASCRIPT,
  ts: JAVASCRIPT,
  tsx: JAVASCRIPT,
  sql: SQL,
  shell: SHELL,
  bash: SHELL,
  sh: SHELL,
  xml: XML,
  html: XML,
  svg: XML,
};

/** Longer code is shown without colours. */
const MAX_CODE = 100_000;

/** Splits code into coloured parts, which together are the code. Of an unknown language, and of long code, it is one part. */
export function codeTokens(code: string, language: string): CodeToken[] {
  const rules = LANGUAGES[language.toLowerCase()];
  if (rules === undefined || code.length > MAX_CODE) return [{ kind: 'plain', text: code }];
  const pattern = new RegExp(rules.map(([, source]) => `(${source})`).join('|'), rules === SQL ? 'gi' : 'g');
  const tokens: CodeToken[] = [];
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    const [text] = match;
    if (text === '') continue;
    if (match.index > end) tokens.push({ kind: 'plain', text: code.slice(end, match.index) });
    const place = match.slice(1).findIndex((group) => group !== undefined);
    tokens.push({ kind: rules[place]?.[0] ?? 'plain', text });
    end = match.index + text.length;
  }
  if (end < code.length) tokens.push({ kind: 'plain', text: code.slice(end) });
  return tokens;
}

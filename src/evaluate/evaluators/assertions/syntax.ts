import { DatabaseSync } from 'node:sqlite';
import { Parser } from 'htmlparser2';
import { type Assertion, textAssertion, yesOrNo } from './assertion.ts';

/** Text in a code fence; else the complete text. */
const FENCE = /^\s*```[\w-]*\n([^]*?)\n\s*```\s*$/;

const syntaxCheck = (language: string, how: string, fault: (text: string) => string | null): Assertion =>
  textAssertion({
    passes: `the complete output, or what its only code fence contains, is ${how}`,
    score: null,
    example: {},
    fields: {},
    check: (output) => {
      const text = FENCE.exec(output)?.[1] ?? output;
      const found = text.trim() === '' ? 'it is empty' : fault(text);
      return yesOrNo(
        found === null,
        found === null ? `the output is ${language}` : `the output is not ${language}: ${found}`,
      );
    },
  });

const MAX_STATEMENTS = 100;
/** Errors about what a statement refers to, which the parser reports only for a statement that it could parse. */
const OF_NAMES =
  /^(?:no such|unknown database|ambiguous column|table .* already exists|cannot modify|misuse of|wrong number of arguments|no query solution|there is already|cannot (?:start|commit|rollback))/i;
const OF_SYNTAX = /syntax error|incomplete input|unrecognized token|unterminated/i;

export const isSql = syntaxCheck(
  'SQL',
  'one statement of SQL or several that SQLite can parse (https://www.sqlite.org/lang.html); tables need not exist',
  sqlFault,
);

/** Parses statements without running them. */
function sqlFault(text: string): string | null {
  const database = new DatabaseSync(':memory:');
  try {
    const statements = statementsOf(text);
    if (statements.length > MAX_STATEMENTS) return `it has more than ${MAX_STATEMENTS} statements`;
    for (const statement of statements) {
      try {
        database.prepare(statement);
      } catch (error) {
        const { message } = error as Error;
        if (OF_SYNTAX.test(message) || !OF_NAMES.test(message)) return message;
      }
    }
    return statements.length === 0 ? 'it has no statement' : null;
  } finally {
    database.close();
  }
}

/** Parts of SQL that may contain a semicolon: strings, quoted names and comments. */
const SQL_PART = /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`[^`]*`?|--[^\n]*|\/\*[^]*?(?:\*\/|$)|;|[^'"`;/-]+|[-/]/g;

/** Splits a text at the semicolons between its statements, without comments. */
function statementsOf(text: string): string[] {
  const statements = [''];
  for (const [part] of text.matchAll(SQL_PART)) {
    if (part === ';') statements.push('');
    else if (!part.startsWith('--') && !part.startsWith('/*')) statements[statements.length - 1] += part;
  }
  return statements.filter((statement) => statement.trim() !== '');
}

/** Markup is read in a parser that accepts everything, so its events show what does not fit. */
function markupFault(text: string, isXml: boolean): string | null {
  const open: string[] = [];
  let fault: string | null = null;
  let roots = 0;
  const note = (found: string): void => {
    fault ??= found;
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (isXml && open.length === 0) roots += 1;
        if (isXml && !/^[\p{L}_:]/u.test(name)) note(`<${name.slice(0, 50)}> is not well-formed`);
        if (Object.keys(attributes).some((attribute) => /["'<>=]/.test(attribute)))
          note(`an attribute of <${name.slice(0, 50)}> is not well-formed`);
        open.push(name);
      },
      ontext(data) {
        if (isXml && open.length === 0 && data.trim() !== '') note('there is text outside of the element');
        if (/<\/?[a-z]/i.test(data)) note('a tag is incomplete');
      },
      onclosetag(name, isImplied) {
        if (isImplied && !isXml && !OPTIONAL_END.has(name)) note(`<${name.slice(0, 50)}> is not closed`);
        open.pop();
      },
    },
    { xmlMode: isXml, decodeEntities: false },
  );
  parser.write(text);
  parser.end();
  const ends = unmatchedTag(text, isXml);
  if (ends !== null) note(ends);
  if (isXml && roots !== 1) note(roots === 0 ? 'it has no element' : 'it has several elements at its top');
  if (!isXml && !/<[a-z!]/i.test(text)) note('it has no tag');
  return fault;
}

/** Elements of HTML whose end may be left out (HTML Living Standard, 13.1.2.4), and those that have none. */
const OPTIONAL_END = new Set(
  'html head body li dt dd p rt rp optgroup option colgroup caption thead tbody tfoot tr td th area base br col embed hr img input link meta source track wbr'.split(
    ' ',
  ),
);
const TAG =
  /<!--[^]*?(?:-->|$)|<!\[CDATA\[[^]*?(?:\]\]>|$)|<(\/?)([\p{L}_:][^\s/>]*)(?:"[^"]*"|'[^']*'|[^"'>])*?(\/?)>/giu;

/** Finds an end tag without its start, which parsers drop silently, and in XML a start without its end. */
function unmatchedTag(text: string, isXml: boolean): string | null {
  const open: string[] = [];
  const counts = new Map<string, number>();
  for (const [, end, given = '', closed] of text.matchAll(TAG)) {
    if (given === '' || (isXml && closed === '/')) continue;
    const name = isXml ? given : given.toLowerCase();
    const isOpen = isXml ? open.at(-1) === name : (counts.get(name) ?? 0) > 0;
    if (end === '/' && !isOpen) return `</${name.slice(0, 50)}> has no start`;
    if (end !== '/') open.push(name);
    else if (isXml) open.pop();
    counts.set(name, (counts.get(name) ?? 0) + (end === '/' ? -1 : 1));
  }
  const [first] = open;
  return isXml && first !== undefined ? `<${first.slice(0, 50)}> is not closed` : null;
}

export const isXml = syntaxCheck(
  'XML',
  'well-formed XML with one element at its top: each start has its end, and tags and attributes are complete',
  (text) => markupFault(text, true),
);

export const isHtml = syntaxCheck(
  'HTML',
  'HTML with at least one tag whose elements are closed where the standard requires it',
  (text) => markupFault(text, false),
);

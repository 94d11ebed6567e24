import { DatabaseSync } from 'node:sqlite';
import { Parser, Tokenizer } from 'htmlparser2';
import { type Assertion, textAssertion, yesOrNo } from './assertion.ts';

const FENCE = '```';

/** Returns the text in the code fence that is the complete output; else the output. */
function withoutFence(output: string): string {
  const text = output.trim();
  const [start] = /^```[\w-]*\n/.exec(text) ?? [];
  if (start === undefined || !text.endsWith(FENCE)) return output;
  const inside = text.slice(start.length, -FENCE.length);
  const lastLine = inside.slice(inside.lastIndexOf('\n') + 1);
  return lastLine.trim() === '' ? inside : output;
}

const syntaxCheck = (language: string, how: string, fault: (text: string) => string | null): Assertion =>
  textAssertion({
    passes: `the complete output, or what its only code fence contains, is ${how}`,
    score: null,
    example: {},
    fields: {},
    check: (output) => {
      const text = withoutFence(output);
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

const PRAGMA = /^\s*(?:explain\s+(?:query\s+plan\s+)?)?pragma\b\s*\S/i;

/** Parses statements without running them. */
function sqlFault(text: string): string | null {
  const database = new DatabaseSync(':memory:');
  try {
    const statements = statementsOf(text);
    if (statements.length > MAX_STATEMENTS) return `it has more than ${MAX_STATEMENTS} statements`;
    for (const statement of statements) {
      // Some take effect while they are parsed.
      if (PRAGMA.test(statement)) continue;
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

/** Ends of the parts of SQL that may contain a semicolon, by their beginnings. A doubled quote ends one part and begins another. */
const ENDS: Readonly<Record<string, string>> = {
  "'": "'",
  '"': '"',
  '`': '`',
  '[': ']',
  '--': '\n',
  '/*': '*/',
};
const BEGINNING = /['"`[;]|--|\/\*/g;

/** Splits a text at the semicolons between its statements; comments become spaces. */
function statementsOf(text: string): string[] {
  const statements: string[] = [];
  let statement = '';
  let at = 0;
  for (const { 0: beginning, index } of text.matchAll(BEGINNING)) {
    // Within the last part.
    if (index < at) continue;
    statement += text.slice(at, index);
    at = index + beginning.length;
    if (beginning === ';') {
      statements.push(statement);
      statement = '';
      continue;
    }
    const end = ENDS[beginning] as string;
    const found = text.indexOf(end, at);
    at = found === -1 ? text.length : found + end.length;
    statement += beginning === '--' || beginning === '/*' ? ' ' : text.slice(index, at);
  }
  return [...statements, statement + text.slice(at)].filter((one) => one.trim() !== '');
}

/** Most elements that may be open at once: a parser takes longer for each further one. */
const MAX_DEPTH = 1_000;

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
        if (open.length <= MAX_DEPTH) return;
        note(`more than ${MAX_DEPTH} elements are in each other`);
        parser.pause();
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

/** Tags that are open, and the first end tag without its start. */
class OpenTags {
  fault: string | null = null;
  private readonly isXml: boolean;
  private readonly open: string[] = [];
  private readonly counts = new Map<string, number>();

  constructor(isXml: boolean) {
    this.isXml = isXml;
  }

  start(name: string): void {
    this.open.push(name);
    this.count(name, 1);
  }

  /** Closes a tag. In XML it must be the latest one that is open, in HTML any. */
  end(name: string): void {
    const isOpen = this.isXml ? this.open.at(-1) === name : (this.counts.get(name) ?? 0) > 0;
    if (!isOpen) this.fault ??= `</${name.slice(0, 50)}> has no start`;
    if (this.isXml) this.open.pop();
    this.count(name, -1);
  }

  /** Fault of the complete text: in XML a start without its end too. */
  get total(): string | null {
    const [first] = this.open;
    return this.fault ?? (this.isXml && first !== undefined ? `<${first.slice(0, 50)}> is not closed` : null);
  }

  private count(name: string, change: number): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + change);
  }
}

const ignore = (): void => undefined;

/** Finds an end tag without its start, which parsers drop silently, and in XML a start without its end. */
function unmatchedTag(text: string, isXml: boolean): string | null {
  const tags = new OpenTags(isXml);
  const nameAt = (start: number, end: number): string =>
    isXml ? text.slice(start, end) : text.slice(start, end).toLowerCase();
  let current = '';
  const tokens = new Tokenizer(
    { xmlMode: isXml, decodeEntities: false },
    {
      onopentagname: (start, end) => void (current = nameAt(start, end)),
      onopentagend: () => tags.start(current),
      onselfclosingtag: () => {
        if (!isXml) tags.start(current);
      },
      onclosetag: (start, end) => tags.end(nameAt(start, end)),
      onattribdata: ignore,
      onattribentity: ignore,
      onattribend: ignore,
      onattribname: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore,
      ontext: ignore,
      ontextentity: ignore,
    },
  );
  tokens.write(text);
  tokens.end();
  return tags.total;
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

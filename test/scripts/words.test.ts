import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openingFault } from '../../scripts/words/doc-comments.ts';
import { Excuses } from '../../scripts/words/excuses.ts';
import { findingsOf } from '../../scripts/words/findings.ts';
import { privateWords, privateWordsOfName } from '../../scripts/words/glossary.ts';
import { PAGE_TERMS } from '../../scripts/words/page-glossary.ts';
import { nearDuplicates } from '../../scripts/words/messages.ts';
import { choose, outline } from '../../scripts/words/outline.ts';

const NONE = new Excuses('');
const find = (path: string, text: string, excuses = NONE): string[] =>
  findingsOf(new Map([[path, text]]), excuses).map((finding) => finding.text);

describe('the beginning of a doc comment', () => {
  it.each([
    'Returns the name of a test.',
    'Unix milliseconds of the last span; null when none has arrived.',
    'A span and its children.',
    '`id` of the application.',
    '@internal',
  ])('is right: %s', (comment) => expect(openingFault(comment)).toBeNull());

  it.each([
    ['Of the definition.', 'begins with "Of"'],
    ['What is left to do.', 'begins with "What"'],
    ['How long a request may take.', 'begins with "How"'],
    ['Whether it has ended.', 'begins with "Whether"'],
    ['That nothing can be judged by any more: ids.', 'begins with "That"'],
    ['As it was stored.', 'begins with "As"'],
    ['It waits for the writer.', 'begins with "It"'],
    ['They are sorted.', 'begins with "They"'],
    ['Bytes.', 'is a fragment'],
    ['', 'is a fragment'],
  ])('is wrong: %s', (comment, fault) => expect(openingFault(comment)).toContain(fault));
});

describe('private words', () => {
  it.each([
    ['The request was refused.', ['refused']],
    ['Refused, and refused again.', ['refused']],
    ['The value is unknown; nobody knows it.', ['nobody', 'nobody knows']],
    ['A whole number.', []],
    ['The whole file.', ['whole']],
    ['Callers ask for the page.', ['ask for']],
    ['connect ECONNREFUSED 127.0.0.1', []],
    ['An indoor room-service', ['room']],
  ])('of a sentence are found: %s', (prose, words) =>
    expect(privateWords(prose).map(({ word }) => word)).toEqual(words),
  );

  it.each([
    ['openDoor', ['door']],
    ['OUTDOOR_SKELETON', ['skeleton']],
    ['refusedSpans', ['refused']],
    ['executed', []],
  ])('of a name are found: %s', (name, words) =>
    expect(privateWordsOfName(name).map(({ word }) => word)).toEqual(words),
  );

  it('are looked for in comments, texts and names of Python, and in the texts of pages', () => {
    const python =
      '# The door.\ndef open_door(url: str) -> None:\n    """Opens the door."""\n    raise Wrong("the door is shut")\n';
    expect(find('exporters/python/src/a.py', python)).toHaveLength(4);
    expect(find('src/dashboard/a.tsx', 'export const a = <p>The door is shut</p>;')).toHaveLength(1);
  });

  it('of some folders are right elsewhere', () => {
    const source = 'export const firstChunk = 1;';
    expect(find('src/traces/a.ts', source)).toHaveLength(1);
    expect(find('src/traces/conventions/a.ts', source)).toEqual([]);
    expect(find('src/runtime/a.ts', source)).toEqual([]);
    expect(find('src/traces/a.ts', "export const sql = 'SELECT seq FROM chunk';")).toEqual([]);
  });

  it('are looked for in comments, names, texts and pages, not in keys and code', () => {
    const source = [
      '// A door.',
      'const upkeepMs = 1;',
      "const text = 'it was refused';",
      "const key = 'refused';",
    ];
    expect(find('src/a.ts', source.join('\n'))).toEqual([
      'src/a.ts:1 comment says "door"; say: receiver (OTLP), endpoint (HTTP)',
      'src/a.ts:2 name says "upkeep"; say: maintenance',
      'src/a.ts:3 text says "refused"; say: reject, rejection',
    ]);
    expect(find('docs/a.md', 'A door\n```\na door\n```\n`door`')).toEqual([
      'docs/a.md:1 text says "door"; say: receiver (OTLP), endpoint (HTTP)',
    ]);
  });

  it('are excused in a file, a folder or everywhere', () => {
    for (const path of ['src/a.ts', 'src/', '*']) {
      const excuses = new Excuses(`# comment\n${path} | door | part of a building`);
      expect(find('src/a.ts', '// A door.', excuses)).toEqual([]);
      expect(excuses.unused()).toEqual([]);
    }
    const elsewhere = new Excuses('src/b.ts | door | part of a building');
    expect(find('src/a.ts', '// A door.', elsewhere)).toHaveLength(1);
    expect(elsewhere.unused()).toEqual(['src/b.ts | door']);
    expect(() => new Excuses('src/a.ts | door |')).toThrow('path | word | reason');
  });
});

describe('messages', () => {
  it.each([
    [['trace not found', 'the trace was not found'], 1],
    [['the body is too large', 'the body exceeds the limit'], 0],
    [['no answer within … ms', 'there was no answer within … ms'], 1],
    [['tag not found', 'topic not found'], 0],
    [['`limit` must be a number', 'the `limit` is required to be a number'], 1],
    [['… …', '…: …'], 0],
  ])('of the same fault in different words are found: %j', (messages, groups) =>
    expect(nearDuplicates(messages)).toHaveLength(groups),
  );

  it('are read from errors and log calls', () => {
    const source = [
      "throw new AppError('not_found', 'the trace was not found');",
      "log.warn('Trace not found.', { id });",
      "print('no trace found');",
    ];
    expect(find('src/a.ts', source.join('\n'))).toEqual([
      expect.stringMatching(/^the same fault in 2 wordings:\n.*src\/a\.ts:1.*\n.*src\/a\.ts:2/),
    ]);
  });
});

describe('a sample', () => {
  const paths = Array.from({ length: 50 }, (_, index) => `src/${index}.ts`);

  it('is the same for the same seed, and another for another seed', () => {
    expect(choose(paths, 10, 'one')).toEqual(choose(paths, 10, 'one'));
    expect(choose(paths, 10, 'one')).not.toEqual(choose(paths, 10, 'two'));
    expect(new Set(choose(paths, 10, 'one')).size).toBe(10);
  });

  it('has names and comments, without code', () => {
    const source =
      '/** Adds numbers. */\nexport function add(a: number): number {\n  // why\n  return a + 1;\n}';
    expect(outline('src/add.ts', source)).toBe('src/add.ts\n  // Adds numbers.\n  add\n  // why');
  });
});

describe('words of pages', () => {
  it.each([
    ['<p>3 evals failed</p>', 'eval'],
    ['<p>Evals</p>', 'eval'],
    ["const title = 'Evals';", 'eval'],
    ['<p>This judge is advisory.</p>', 'advisory'],
  ])('are rejected: %s', (code, word) => {
    expect(
      find(
        'src/dashboard/a.tsx',
        `export const a = () => { ${code.startsWith('<') ? `return ${code};` : code} };`,
      ),
    ).toEqual([expect.stringContaining(`"${word}`)]);
  });

  it.each([
    '<p>3 verdicts failed</p>',
    "const key = 'evals';",
    "const path = '/v0/evals';",
    '<p>Set `session.id` first</p>',
  ])('are right: %s', (code) => {
    expect(
      find(
        'src/dashboard/a.tsx',
        `export const a = () => { ${code.startsWith('<') ? `return ${code};` : code} };`,
      ),
    ).toEqual([]);
  });

  it('concern no other texts', () =>
    expect(find('src/cli/a.ts', "export const a = 'Evals of a run';")).toEqual([]));

  it('are all in the glossary', () => {
    const glossary = readFileSync('docs/glossary.md', 'utf8');
    const rows = glossary.split('\n').filter((line) => line.startsWith('| ') && line.split('|').length === 5);
    const left = rows.map((row) => row.split('|')[1] ?? '').join('; ');
    for (const { never } of PAGE_TERMS) expect(left).toMatch(new RegExp(never.source, 'i'));
  });
});

import { describe, expect, it } from 'vitest';
import { csvLine, withoutGuard } from '../../src/resources/exports/csv-line.ts';

const FORMULAS = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  "'=1",
  '\n=1',
  '\r\n=1',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
];
/** Texts in which a spreadsheet that separates cells by semicolons or tabs finds a cell of its own. */
const BEFORE = ['', 'a;', 'a;b;', 'a\n', 'a\r\n', 'a\t', 'a;"', 'a; ', 'a;" '];

/** Splits a line as a spreadsheet does whose separator it is not written for. */
const splitBy = (line: string, separator: RegExp): string[] =>
  line.split(separator).map((cell) => cell.replace(/^["\s]*/, ''));

describe('a line of CSV', () => {
  it.each(BEFORE.flatMap((before) => FORMULAS.map((formula) => [`${before}${formula}`])))(
    'begins no cell with a formula, whatever separates its cells: %j',
    (text) => {
      const line = csvLine(['id', text]);
      for (const separator of [/;|\r?\n/, /\t|\r?\n/])
        for (const cell of splitBy(line, separator)) expect(cell).not.toMatch(/^[=+\-@＝＋－＠]/);
    },
  );

  it.each(['\nx', '\rx', '\tx', '\r\nx'])('is guarded against a cell that begins with %j', (text) => {
    const guarded = csvLine([text]).replaceAll('"', '').slice(0, -2);
    expect(guarded).toBe(`'${text}`);
    expect(withoutGuard(guarded)).toBe(text);
  });

  it('has no apostrophe where lines of a text only end', () => {
    expect(csvLine(['two\r\nlines\n\nmore'])).toBe('"two\r\nlines\n\nmore"\r\n');
  });

  it.each([
    ...BEFORE.flatMap((before) => FORMULAS.map((one) => `${before}${one}`)),
    'a;b',
    "it's; fine",
    '- a\n- b',
  ])('is read back as it was: %j', (text) => {
    const [, cell = ''] = /^id,([\s\S]*)\r\n$/.exec(csvLine(['id', text])) ?? [];
    const read = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
    expect(withoutGuard(read)).toBe(text);
  });
});

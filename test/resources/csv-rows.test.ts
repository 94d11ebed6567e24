import {
  array,
  assert as holds,
  asyncProperty,
  constantFrom,
  integer,
  string,
  uniqueArray,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CsvRow, readCsvRows } from '../../src/resources/documents/csv-rows.ts';

type Content = string | Uint8Array;

/** Yields the bytes in pieces of `size`. */
async function* inPieces(content: Content, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content as string);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const rows = (content: Content, size = 65_536): Promise<CsvRow[]> =>
  all(readCsvRows(inPieces(content, size)));

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Rows only, as arrays of their values. */
const values = async (content: Content): Promise<unknown[]> =>
  (await rows(content)).map((row) => ('row' in row ? Object.values(row.row) : row.error));

describe('rows', () => {
  it.each<[rule: string, content: Content, expected: unknown[]]>([
    ['have names', 'a,b\n1,2\n', [{ line: 2, row: { a: '1', b: '2' } }]],
    ['need no last line end', 'a,b\n1,2', [{ line: 2, row: { a: '1', b: '2' } }]],
    ['may be none', 'a,b\n', []],
    [
      'may end in CRLF',
      'a,b\r\n1,2\r\n3,4',
      [
        { line: 2, row: { a: '1', b: '2' } },
        { line: 3, row: { a: '3', b: '4' } },
      ],
    ],
    [
      'may end in CR, and in one and another',
      'a\r1\n2\r\n3\r',
      [1, 2, 3].map((n) => ({ line: n + 1, row: { a: String(n) } })),
    ],
    ['may begin with a byte order mark', '\ufeffa\n1', [{ line: 2, row: { a: '1' } }]],
    [
      'may come after blank lines',
      '\n\na\n\n1\n\n2\n\n',
      [
        { line: 5, row: { a: '1' } },
        { line: 7, row: { a: '2' } },
      ],
    ],
    [
      'may be quoted',
      '"a","b, c"\n"1 ""x""","2\n3"\n4,5',
      [
        { line: 2, row: { a: '1 "x"', 'b, c': '2\n3' } },
        { line: 4, row: { a: '4', 'b, c': '5' } },
      ],
    ],
    [
      'count CRLF in quotes once',
      'a\r\n"1\r\n2"\r\n3',
      [
        { line: 2, row: { a: '1\r\n2' } },
        { line: 4, row: { a: '3' } },
      ],
    ],
    ['keep spaces, but not around names', ' a , b\n 1 ,2', [{ line: 2, row: { a: ' 1 ', b: '2' } }]],
    [
      'keep quotes in the middle of text',
      'a,b\n5" pipe,"x"y\n1,2',
      [
        { line: 2, row: { a: '5" pipe', b: '"x"y' } },
        { line: 3, row: { a: '1', b: '2' } },
      ],
    ],
    ['leave out columns without a name', 'a,,\n1,2,', [{ line: 2, row: { a: '1' } }]],
    [
      'may have dangerous names',
      '__proto__,constructor\n1,2',
      [
        {
          line: 2,
          row: Object.fromEntries([
            ['__proto__', '1'],
            ['constructor', '2'],
          ]),
        },
      ],
    ],
    ['may have any letters', 'a;ü\n😀;é', [{ line: 2, row: { a: '😀', ü: 'é' } }]],
    ['are delimited by semicolons', 'a;b,c;d\n1;2;3', [{ line: 2, row: { a: '1', 'b,c': '2', d: '3' } }]],
    ['are delimited by tabs', 'a\tb\n1,5\t2', [{ line: 2, row: { a: '1,5', b: '2' } }]],
    [
      'are delimited by what is outside quotes',
      '"a;b;c",d\n1,2',
      [{ line: 2, row: { 'a;b;c': '1', d: '2' } }],
    ],
    [
      'are told when ragged',
      'a,b\n1\n1,2,3\n1,2',
      [
        { line: 2, error: 'has 1 cells where the header has 2' },
        { line: 3, error: 'has 3 cells where the header has 2' },
        { line: 4, row: { a: '1', b: '2' } },
      ],
    ],
    [
      'are told when not UTF-8',
      Buffer.from('a,b\n1,\xff\n1,2', 'latin1'),
      [
        { line: 2, error: 'is not text in UTF-8 in column 2' },
        { line: 3, row: { a: '1', b: '2' } },
      ],
    ],
    [
      'are told with a NUL',
      'a\n1\u00002\n3',
      [
        { line: 2, error: 'is not text in UTF-8 in column 1' },
        { line: 3, row: { a: '3' } },
      ],
    ],
    [
      'are told when a quote stays open',
      'a,b\n1,2\n3,"4\n5,6\n',
      [
        { line: 2, row: { a: '1', b: '2' } },
        { line: 3, error: 'has an unclosed quote' },
      ],
    ],
  ])('%s', async (_definition, content, expected) => {
    for (const size of [1, 2, 3, 1_000_000]) expect(await rows(content, size)).toEqual(expected);
  });

  it('have the same names behind a byte order mark, in whatever pieces it comes', async () => {
    const content = '\ufeffa,b\n1,2\n';
    for (const size of [1, 2, 3, 4, 65_536])
      expect(await rows(content, size)).toEqual([{ line: 2, row: { a: '1', b: '2' } }]);
  });

  it('have bounds', async () => {
    const mib = 'x'.repeat(1024 * 1024);
    expect(await values(`a,b\n${mib},1\n${mib}x,2\n3,4`)).toEqual([
      [mib, '1'],
      'has more than 1 MiB in column 1',
      ['3', '4'],
    ]);
    expect(await values(`a,b\n1,2\n"${mib.repeat(9)}"\n3,4`)).toEqual([
      ['1', '2'],
      expect.stringContaining('is larger than 8 MiB'),
    ]);
    expect(await values(`a,b\n${','.repeat(5_000_000)}\n3,4`)).toEqual([
      'has more than 200 cells where the header has 2',
      ['3', '4'],
    ]);
  });

  it.each<[rule: string, content: Content, message: string]>([
    ['nothing', '', 'the file has no header row'],
    ['blank lines', '\n\r\n', 'the file has no header row'],
    ['an open quote', '"a,b\n1,2', 'the file has a header row without an end'],
    ['two columns of one name', 'a,b, a\n1,2,3', 'the file has two columns named "a"'],
    ['too many columns', `a${',b'.repeat(200)}\n`, 'the file has more than 200 columns'],
    ['no text', Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0xfe, 10]), 'the file is not text in UTF-8'],
    ['UTF-16', Buffer.from('\ufeffa,b\n1,2', 'utf16le'), 'the file is not text in UTF-8'],
  ])('need a header: %s is none', async (_definition, content, message) => {
    await expect(rows(content)).rejects.toMatchObject({
      code: 'invalid',
      issues: [{ code: 'custom', message, path: ['file'] }],
    });
  });

  it('pass on that the bytes ended in a failure', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a,b\n1,2\n');
      throw new Error('unplugged');
    }
    await expect(all(readCsvRows(broken()))).rejects.toThrow('unplugged');
  });

  it('are read no further than they are wanted', async () => {
    let [pieces, isClosed] = [0, false];
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        yield Buffer.from('a,b\n');
        for (;;) {
          pieces += 1;
          yield Buffer.from('1,2\n'.repeat(1_000));
        }
      } finally {
        isClosed = true;
      }
    }
    for await (const { line } of readCsvRows(endless())) if (line === 5_000) break;
    expect(pieces).toBeLessThan(200);
    await expect.poll(() => isClosed).toBe(true);
  });
});

const cell = string({
  unit: constantFrom('a', 'é', '😀', '"', ',', ';', '\t', '\n', '\r', ' ', "'"),
  maxLength: 6,
});

it('what is written by the rules is read as it was', async () => {
  await holds(
    asyncProperty(
      uniqueArray(integer({ min: 0, max: 99 }), { minLength: 1, maxLength: 5 }),
      array(array(cell, { minLength: 5, maxLength: 5 }), { maxLength: 5 }),
      constantFrom(',', ';', '\t'),
      constantFrom('\n', '\r\n', '\r'),
      integer({ min: 1, max: 50 }),
      async (names, table, delimiter, end, size) => {
        const header = names.map((n) => `c${n}`);
        const body = table.map((row) => row.slice(0, header.length));
        const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
        const text = [header, ...body].map((row) => row.map(quote).join(delimiter) + end).join('');
        const isBlank = (row: string[]): boolean => row.every((one) => one.trim() === '');
        const read = await rows(text, size);
        expect(read.map((row) => ('row' in row ? Object.values(row.row) : row))).toEqual(
          body.filter((row) => !isBlank(row)),
        );
      },
    ),
  );
});

it('anything at all is read to its end or rejected', async () => {
  await holds(
    asyncProperty(
      array(constantFrom(...Buffer.from('ab",;\t\n\r'), 0, 0xef, 0xbb, 0xbf, 0xff), { maxLength: 60 }),
      integer({ min: 1, max: 10 }),
      async (bytes, size) => {
        const content = Uint8Array.from(bytes);
        const lines = content.reduce((n, byte) => n + Number(byte === 10 || byte === 13), 1);
        const read = await rows(content, size).catch((error: unknown) => error as { code: string });
        if (!Array.isArray(read)) expect(read.code).toBe('invalid');
        else for (const { line } of read) expect(line).toBeLessThanOrEqual(lines);
      },
    ),
  );
});

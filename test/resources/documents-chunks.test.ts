import { array, assert as holds, constantFrom, integer, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunksOf, MAX_CHUNK } from '../../src/resources/documents/chunks.ts';

const texts = (content: string): string[] => chunksOf(content).map(({ text }) => text);

describe('chunks', () => {
  const paragraph = `${'word '.repeat(100).trim()}.`;

  it.each<[rule: string, content: string, expected: string[]]>([
    ['are one for a short text', 'Only this.\n\nAnd that.', ['Only this.\n\nAnd that.']],
    ['are none for none', '', []],
    [
      'begin with headings',
      '# A\n\nOne.\n\n## B\n\nTwo.\n# C\nThree.',
      ['# A\n\nOne.\n\n', '## B\n\nTwo.\n', '# C\nThree.'],
    ],
    [
      'keep headings in a row together',
      '# A\n## B\n\nText.\n### C\n#### D\nMore.',
      ['# A\n## B\n\nText.\n', '### C\n#### D\nMore.'],
    ],
    ['take no other number sign for a heading', 'a #1\n#tag\n b # c', ['a #1\n#tag\n b # c']],
    [
      'hold as many paragraphs as they can',
      [paragraph, paragraph, paragraph].join('\n\n'),
      [`${paragraph}\n\n${paragraph}\n\n`, paragraph],
    ],
    [
      'know paragraphs with CRLF',
      [paragraph, paragraph, paragraph].join('\r\n\r\n'),
      [`${paragraph}\r\n\r\n${paragraph}\r\n\r\n`, paragraph],
    ],
    [
      'end with a line, where no paragraph ends',
      `${'x'.repeat(700)}\n${'y'.repeat(700)}`,
      [`${'x'.repeat(700)}\n`, 'y'.repeat(700)],
    ],
    [
      'end with a sentence, where no line ends',
      `${'x'.repeat(700)}. ${'y '.repeat(350)}`,
      [`${'x'.repeat(700)}. `, 'y '.repeat(350)],
    ],
    [
      'end with a sentence of Japanese',
      `${'あ'.repeat(700)}。${'い'.repeat(700)}`,
      [`${'あ'.repeat(700)}。`, 'い'.repeat(700)],
    ],
    [
      'end with a word, where no sentence ends',
      `${'x'.repeat(700)} ${'y'.repeat(700)}`,
      [`${'x'.repeat(700)} `, 'y'.repeat(700)],
    ],
    ['end anywhere, where no word ends', 'x'.repeat(1300), ['x'.repeat(1200), 'x'.repeat(100)]],
    ['end with no crumb', `Hm.\n\n${'x'.repeat(1300)}`, [`Hm.\n\n${'x'.repeat(1195)}`, 'x'.repeat(105)]],
    ['split no character', `x${'😀'.repeat(600)}`, [`x${'😀'.repeat(599)}`, '😀']],
  ])('%s', (_definition, content, expected) => {
    expect(texts(content)).toEqual(expected);
  });

  it('are the content, in order and with nothing left out, none too long, no character split', () => {
    const piece = constantFrom(
      'word',
      ' ',
      '\n',
      '\n\n',
      '\r\n',
      '. ',
      '。',
      '# ',
      '## H\n',
      '😀',
      'é',
      '\t',
      'x'.repeat(400),
    );
    const content = array(tuple(piece, integer({ min: 1, max: 300 })), { maxLength: 20 }).map((parts) =>
      parts
        .map(([text, times]) => text.repeat(times))
        .join('')
        .slice(0, 20_000)
        .toWellFormed(),
    );
    holds(
      property(content, (text) => {
        const chunks = chunksOf(text);
        expect(chunks.map((chunk) => chunk.text).join('')).toBe(text);
        for (const { text: part, start, end } of chunks) {
          expect(text.slice(start, end)).toBe(part);
          expect(part.length).toBeGreaterThan(0);
          expect(part.length).toBeLessThanOrEqual(MAX_CHUNK);
          expect(part.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});

it('are at most a few thousand, also of a text with very many headings', () => {
  const content = '# a\nb\n'.repeat(170_000);
  const chunks = chunksOf(content);
  expect(chunks.map(({ text }) => text).join('')).toBe(content);
  expect(chunks.slice(0, 2_000).every(({ text }) => text === '# a\nb\n')).toBe(true);
  expect(chunks.length).toBeLessThan(3_000);
});

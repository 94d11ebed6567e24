import { describe, expect, it } from 'vitest';
import { partsOfSpan } from '../../src/dashboard/trace/notes/noted-span.ts';
import {
  beginningOf,
  nearestPlace,
  placesOfWords,
  samePlace,
} from '../../src/dashboard/trace/notes/quoted-words.ts';

describe('words of a note', () => {
  it.each([
    ['every occurrence', 'no, no and no', 'no', [0, 4, 11]],
    ['words without the marks of Markdown', 'the **full** price', 'the full price', [0]],
    ['words without the quotation marks of JSON', '{"order":"5512-B"}', 'order: 5512-B', [2]],
    ['words with other line ends', 'one\n\ntwo', 'one two', [0]],
    ['right-to-left words', 'כאן הכסף שלך', 'הכסף', [4]],
    ['words of characters beyond the first plane', '𝐚 𝐛𝐜', '𝐛 𝐜', [3]],
    ['accents as they were written', 'cafe\u0301 au lait', 'cafe\u0301  au', [0]],
    ['signs alone as they are', 'Really?!', '?!', [6]],
    ['no signs that are not there', 'Really', '?!', []],
    ['nothing for no words', 'Really', '', []],
    ['nothing in an empty text', '', 'Really', []],
  ])('%s', (_name, text, words, starts) => {
    expect(placesOfWords(text, words).map(({ start }) => start)).toEqual(starts);
  });

  it('ends after the last letter of the text', () => {
    const text = 'the **full** price';
    const [place = { start: 0, end: 0 }] = placesOfWords(text, 'full price');
    expect(text.slice(place.start, place.end)).toBe('full** price');
  });

  it('finds the same occurrence in another form of the text', () => {
    const source = '**no**, **no** and **no**';
    expect(samePlace('no', { text: 'no, no and no', start: 11 }, source)).toEqual({ start: 21, end: 23 });
    expect(samePlace('no', { text: 'no and no', start: 7 }, source)).toEqual({ start: 10, end: 12 });
    expect(samePlace('yes', { text: 'no', start: 0 }, source)).toBeUndefined();
  });

  it('takes the nearest of several places, and none of none', () => {
    const places = placesOfWords('no, no and no', 'no');
    expect(nearestPlace(places, 5)).toEqual({ start: 4, end: 6 });
    expect(nearestPlace([], 5)).toBeUndefined();
  });

  it('end between characters', () => {
    expect(beginningOf('🎈🎈', 3)).toBe('🎈');
    expect(beginningOf('🎈🎈', 4)).toBe('🎈🎈');
    expect(beginningOf('abc', 2)).toBe('ab');
  });
});

it('parts of messages follow each other in the text of their side, and a side of one part is that text', () => {
  const text = (words: string) => ({ type: 'text', text: words }) as const;
  const [first, second, answer] = [text('Hello'), text('Where is it?'), text('Here')];
  const call = { type: 'tool_call', name: 'find', arguments: { id: 1 } } as const;
  const parts = partsOfSpan(
    [
      { role: 'user', parts: [first, call] },
      { role: 'user', parts: [second] },
    ],
    [{ role: 'assistant', parts: [answer] }],
  );
  expect(parts.get(first)).toEqual({ field: 'INPUT', source: 'Hello', base: 0 });
  expect(parts.get(call)).toEqual({ field: 'INPUT', source: '{\n  "id": 1\n}', base: 6 });
  expect(parts.get(second)).toEqual({ field: 'INPUT', source: 'Where is it?', base: 20 });
  expect(parts.get(answer)).toEqual({ field: 'OUTPUT', source: 'Here', base: null });
});

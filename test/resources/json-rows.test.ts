import { expect, it } from 'vitest';
import { membersIn, splitJson } from '../../src/resources/examples/json-rows.ts';

it('a large document is split in turns, and nothing of it is parsed', async () => {
  const member = (n: number): string => `"${n}":${n}`;
  const row = `{${Array.from({ length: 200_000 }, (_, n) => member(n)).join(',')}}`;
  let turns = 0;
  const count = (): void => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const split = await splitJson(
    Buffer.from(`{"data":[${row}, 5, ${row.slice(0, 20)}}]}`.replace(/,\d*"?:?\d*\}\]\}$/, '}]}')),
    100,
  );
  clearImmediate(counting);
  expect(turns).toBeGreaterThan(5);
  expect(split).toMatchObject({ frame: '{"data":[[0], 5, [1]]}', frameMembers: 1 });
  expect(split?.parts[0]?.members).toBe(200_000);
});

it.each<[text: string, frame: string | null]>([
  ['[{"a":1},{"b":[{}]}]', '[[0],[1]]'],
  ['[[1],2,"[{"]', '[[0],2,"[{"]'],
  ['{"data":[{"a":"\\"}"}],"x":{"y":[{}]}}', '{"data":[[0]],"x":{"y":[{}]}}'],
  ['{"x":{"y":1}}', '{"x":{"y":1}}'],
  ['', ''],
  ['[{', null],
  ['[}', null],
  ['"open', null],
])('%s has the frame %s', async (text, frame) => {
  expect((await splitJson(Buffer.from(text), 100))?.frame ?? null).toBe(frame);
});

it.each([
  ['[{},[],{"a":1},"rest', '[[0],[1],[2]]'],
  ['{"data":[{},{},[', '{"data":[[0],[1],[2]]}'],
])('of %s nothing is read after two parts', async (text, frame) => {
  expect(await splitJson(Buffer.from(text), 2)).toMatchObject({ frame, isCut: true, parts: [{}, {}] });
});

it('a document of millions of empty parts is read up to the limit', async () => {
  const bytes = Buffer.from(`[${'{},'.repeat(2_000_000)}{}]`);
  const split = await splitJson(bytes, 1_000);
  expect(split?.parts).toHaveLength(1_000);
  expect(split?.frame.length).toBeLessThan(10_000);
});

it('members are counted outside of texts', () => {
  expect(membersIn('{"a:b":{"c":"d:\\":e"},"f":[{"g":1}]}')).toBe(4);
});

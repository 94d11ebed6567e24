import type { Dice } from './dice.ts';
import { mutateBytes } from './mutate-bytes.ts';

const MAX_CHARACTERS = 256 * 1024;
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null|[[\]{},:]/g;
const JSON_VALUES = [
  '0',
  '-0',
  '-1',
  '1.5',
  '1e999',
  '-1e400',
  '9007199254740993',
  '18446744073709551616',
  '1'.repeat(400),
  '0.1e-400',
  'null',
  'true',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '{"":0}',
  '{"__proto__":{"a":1}}',
  '{"a":1,"a":2}',
  '""',
  '" "',
  '"0"',
  '"-1"',
  '"1e3"',
  '"\\ud800"',
  '"a\\udfffb"',
  '"\\u0000"',
  '"NaN"',
  '"AAAA"',
  '"=="',
  '"__proto__"',
  '"constructor"',
  '"ffffffffffffffffffffffffffffffff"',
  '"\u202e\ufeff😀"',
  `"${'x'.repeat(70_000)}"`,
  '"2026-01-31T12:00:00.000Z"',
  '"2026-02-30T00:00:00Z"',
  '"-271821-04-20T00:00:00Z"',
  '"9999-12-31T23:59:59Z"',
  '"3f0d7b0e-5c43-4a0b-9a53-6c1c8f3f5a10"',
  '"start"',
  '"end"',
  '"llm"',
  '"group"',
];
/** What only looks like JSON. */
const NEAR_VALUES = [
  '01',
  '+1',
  '.5',
  '1.',
  'NaN',
  'Infinity',
  '0x10',
  'False',
  'undefined',
  '"\\uZZZZ"',
  '"\t"',
  "'a'",
  '[1,]',
  '{"a":1,}',
  '/**/1',
  '"\\"',
  '',
  ']',
  '}',
  ',',
  ':',
];
const anyValue = (dice: Dice): string => dice.pick(dice.oneIn(6) ? NEAR_VALUES : JSON_VALUES);
const nested = (levels: number): string =>
  levels % 2 === 0
    ? '['.repeat(levels) + ']'.repeat(levels)
    : `${'{"a":'.repeat(levels)}0${'}'.repeat(levels)}`;

type Mutation = (text: string, dice: Dice, names: readonly string[]) => string;

/** A token of the text, by where it begins and ends. */
function anyToken(text: string, dice: Dice, pattern = TOKEN): [from: number, to: number] {
  const tokens = [...text.matchAll(pattern)];
  if (tokens.length === 0) return [0, 0];
  const { index, 0: token } = dice.pick(tokens);
  return [index, index + token.length];
}
const replace = (text: string, [from, to]: [number, number], by: string): string =>
  text.slice(0, from) + by + text.slice(to);

/** A value after the name of a field, unless it holds others. */
const SCALAR = /(?<=:)(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|null|true|false)/g;

/** Mostly keeps the document well-formed, so that what reads its values is reached. */
const GENTLE: readonly Mutation[] = [
  (text, dice) => replace(text, anyToken(text, dice, SCALAR), anyValue(dice)),
  (text, dice) =>
    replace(text, anyToken(text, dice, SCALAR), nested(1 + dice.below(dice.pick([4, 140, 3_000])))),
  (text, dice) => {
    const [one, other] = [anyToken(text, dice, SCALAR), anyToken(text, dice, SCALAR)];
    return replace(text, one, text.slice(...other));
  },
  (text, dice, names) => replace(text, anyToken(text, dice, /"\w+"(?=:)/g), dice.pick(names)),
  // Another field before the first: a name that is unknown, or there twice.
  (text, dice, names) =>
    replace(text, anyToken(text, dice, /\{/g), `{${dice.pick(names)}:${anyValue(dice)},`),
];

const ROUGH: readonly Mutation[] = [
  (text, dice) => replace(text, anyToken(text, dice), anyValue(dice)),
  (text, dice) => replace(text, anyToken(text, dice), ''),
  (text, dice) => replace(text, anyToken(text, dice), nested(1 + dice.below(dice.pick([4, 140, 3_000])))),
  (text, dice) => {
    const [from, to] = anyToken(text, dice);
    return replace(text, [from, from], text.slice(from, to));
  },
  (text, dice) => {
    const [one, other] = [anyToken(text, dice), anyToken(text, dice)];
    return replace(text, one, text.slice(...other));
  },
  (text, dice) => text.slice(0, dice.below(text.length + 1)),
  (text, dice) => dice.pick(['\ufeff', ' ', '\n', '\0', '//x\n', 'x']) + text,
  (text, dice) => text + dice.pick([' ', '\0', 'x', text, '\ufeff', ',', '}']),
];

/** A document with some tokens changed; at times bytes that are no UTF-8. */
export function mutateJson(dice: Dice, pool: readonly string[], names: readonly string[]): Buffer {
  let text = dice.pick(pool);
  for (let left = dice.pick([0, 1, 1, 1, 2, 3, 6]); left > 0 && text.length < MAX_CHARACTERS; left--) {
    text = dice.pick(dice.oneIn(4) ? ROUGH : GENTLE)(text, dice, names);
  }
  const bytes = Buffer.from(text);
  return dice.oneIn(20) ? mutateBytes(dice, [bytes]) : bytes;
}

/** Every name of a field in these documents, in quotation marks. */
export const namesIn = (pool: readonly string[]): string[] => [
  ...new Set(pool.flatMap((text) => text.match(/"\w+"(?=:)/g) ?? [])),
];

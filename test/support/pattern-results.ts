/** Prints what random patterns find in random texts, a line for each, by the seed and the number given. */
import { mulberry32 } from './random.ts';

const random = mulberry32(Number(process.argv[2]));
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const ATOMS =
  String.raw`a b c A . \w \d \s \W \S \b \B ^ $ [ab] [^a] [a-c] [^\s] é ſ K \n x [^] 1 😀 \ud83d`.split(' ');
const REPEATS = ['*', '+', '?', '*?', '+?', '??', '{2}', '{0,2}', '{1,3}?', '{2,}'];
const CHARACTERS = [
  'a',
  'b',
  'c',
  'A',
  'x',
  '1',
  ' ',
  '\n',
  '\r',
  '\u2028',
  'é',
  'ſ',
  'K',
  '\u212a',
  '😀',
  '!',
  'aa',
];
const FLAGS = ['', 'g', 'm', 's', 'ms', 'gm', 'i', 'u', 'v'];

function pattern(depth: number): string {
  const kind = random();
  if (depth === 0 || kind < 0.35) return pick(ATOMS);
  const part = pattern(depth - 1);
  if (kind < 0.55) return part + pattern(depth - 1);
  if (kind < 0.7) return `(?:${part}|${pattern(depth - 1)})`;
  if (kind < 0.82) return `(${part})`;
  return `(?:${part})${pick(REPEATS)}`;
}

function found(source: string, flags: string, text: string): unknown {
  try {
    const compiled = new RegExp(source, flags);
    return compiled.global ? [...text.matchAll(compiled)] : compiled.exec(text);
  } catch (error) {
    return (error as Error).name;
  }
}

for (let left = Number(process.argv[3]); left > 0; left -= 1) {
  const [source, flags] = [pattern(5), pick(FLAGS)];
  const text = Array.from({ length: Math.floor(random() * 12) }, () => pick(CHARACTERS)).join('');
  process.stdout.write(`${JSON.stringify([source, flags, text, found(source, flags, text)])}\n`);
}

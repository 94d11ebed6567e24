import { type SourceText, textsOf } from './source-texts.ts';

/** Chooses files by a seed, the same ones each time. */
export function choose(paths: readonly string[], count: number, seed: string): string[] {
  const ranked = paths.map((path) => ({ path, rank: hash(`${seed} ${path}`) }));
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ path }) => path);
}

/** Returns the names and comments of a file, one on a line, without its code. */
export function outline(path: string, source: string): string {
  const lines = textsOf(path, source)
    .filter(({ kind }) => kind === 'name' || kind === 'doc comment' || kind === 'comment')
    .toSorted((a, b) => a.line - b.line)
    .map(lineOf);
  return [path, ...lines].join('\n');
}

function lineOf({ kind, text }: SourceText): string {
  return kind === 'name' ? `  ${text}` : `  // ${text}`;
}

/** FNV-1a of a text, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return value;
}

import type { ResultSide } from './result-types.ts';

interface Part {
  text: string;
  isCited: boolean;
}

/** Splits an output at the words that failed verdicts are about. */
export function citedParts({ output, verdicts }: Pick<ResultSide, 'output' | 'verdicts'>): Part[] {
  const text = output ?? '';
  const places = verdicts
    .filter(({ passed }) => passed === false)
    .flatMap(({ citations }) => citations)
    .toSorted((a, b) => a.start - b.start);
  const parts: Part[] = [];
  let at = 0;
  for (const { start, end } of places) {
    const from = Math.max(start, at);
    if (end <= from) continue;
    if (from > at) parts.push({ text: text.slice(at, from), isCited: false });
    parts.push({ text: text.slice(from, end), isCited: true });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isCited: false });
  return parts;
}

/** Encodings of responses, the best one first: of equal preference the earlier one wins. */
export const ENCODINGS = ['zstd', 'br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Chooses the encoding of a response by the header `Accept-Encoding` (RFC 9110, 12.5.3); null for none. */
export function chooseEncoding(accepted: string | undefined): Encoding | null {
  if (accepted === undefined) return null;
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters
      .map((text) => /^q\s*=\s*(.+)$/.exec(text)?.[1])
      .find((text) => text !== undefined);
    weights.set(name === 'x-gzip' ? 'gzip' : name, weight === undefined ? 1 : Number(weight));
  }
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  let best: Encoding | null = null;
  for (const encoding of ENCODINGS)
    if (weightOf(encoding) > (best === null ? 0 : weightOf(best))) best = encoding;
  const identity = weights.get('identity') ?? 0;
  return best !== null && weightOf(best) >= identity ? best : null;
}

import { useMemo } from 'react';
import { useApi } from '../api/use-api.ts';
import { isModelStep } from '../trace/kinds.ts';
import type { SpanPair } from './align.ts';
import type { ComparedTrace } from './pair-pane.tsx';

/** Pairs whose content is compared before the person selects them. */
const MAX_PAIRS = 80;
const FIELDS = ['input', 'output', 'inputMessages', 'outputMessages', 'documents'];

/**
 * Returns the pairs, those unequal whose content differs. Content is read of the first model steps that look alike: those
 * that differ anyhow are shown in any case.
 */
export function useContents(
  a: ComparedTrace,
  b: ComparedTrace,
  pairs: readonly SpanPair[],
): readonly SpanPair[] {
  const places = useMemo(
    () =>
      pairs
        .flatMap((pair, place) =>
          pair.a !== -1 && pair.b !== -1 && isModelStep(a.index.kind(pair.a)) ? place : [],
        )
        .slice(0, MAX_PAIRS),
    [pairs, a.index],
  );
  const rows = useMemo(
    () => ({
      a: places.map((place) => pairs[place]?.a ?? 0),
      b: places.map((place) => pairs[place]?.b ?? 0),
    }),
    [pairs, places],
  );
  const first = useContentOf(a, rows.a);
  const second = useContentOf(b, rows.b);
  return useMemo(() => {
    if (first === undefined || second === undefined) return pairs;
    const differing = places.filter((_, at) => first[at] !== second[at]);
    return differing.length === 0 ? pairs : withUnequal(pairs, differing);
  }, [first, second, pairs, places]);
}

/** Returns the content of rows as text, in their order; undefined until it has loaded. */
function useContentOf({ traceId, index }: ComparedTrace, rows: readonly number[]): string[] | undefined {
  const spanId = rows.map((row) => index.spanId(row));
  const query = { spanId, include: 'payload' as const, limit: MAX_PAIRS };
  const { data } = useApi(
    '/v0/traces/{id}/spans',
    { path: { id: traceId }, query },
    { enabled: rows.length > 0 },
  );
  return useMemo(() => {
    if (data === undefined) return undefined;
    const contents = new Map(
      data.data.map(({ id, mapped }) => [
        id,
        JSON.stringify(FIELDS.map((field) => mapped?.fields[field]?.value)),
      ]),
    );
    return rows.map((row) => contents.get(index.spanId(row)) ?? '');
  }, [data, rows, index]);
}

/** Marks the pairs at these places, and all above them, as unequal. */
function withUnequal(pairs: readonly SpanPair[], places: readonly number[]): SpanPair[] {
  const marked = pairs.map((pair) => ({ ...pair }));
  for (const place of places) {
    let level = Number.POSITIVE_INFINITY;
    for (let at = place; at >= 0 && level > 0; at--) {
      const pair = marked[at] as SpanPair;
      if (pair.level >= level) continue;
      pair.isEqual = false;
      level = pair.level;
    }
  }
  return marked;
}

/** Header of responses of OTLP endpoints with the numbers of items by outcome. */
export const COUNTS_HEADER = 'x-ingest-counts';

const OUTCOMES = ['stored', 'duplicate', 'replaced'] as const;
export type IngestCounts = Record<(typeof OUTCOMES)[number], number>;

/** Writes the value of the header: `stored=3, duplicate=1, replaced=0`. */
export const countsText = (counts: IngestCounts): string =>
  OUTCOMES.map((outcome) => `${outcome}=${counts[outcome]}`).join(', ');

/** Reads the header; null if a server of an earlier version did not send it. */
export function readCounts(text: string | null): IngestCounts | null {
  const found = /^stored=(\d+), duplicate=(\d+), replaced=(\d+)$/.exec(text ?? '');
  if (!found) return null;
  const [, stored, duplicate, replaced] = found.map(Number);
  return { stored: stored ?? 0, duplicate: duplicate ?? 0, replaced: replaced ?? 0 };
}

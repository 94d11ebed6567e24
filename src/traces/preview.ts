import type { Database } from '../storage/sqlite/database.ts';
import { type Candidate, isBetter, type Rollup } from './rollup.ts';

/** A candidate that is not there ranks behind every other. */
const NOTHING = { rank: 2 ** 30, at: 0n, text: null } as const;

interface PreviewRow {
  input: string | null;
  input_rank: bigint;
  input_ns: bigint;
  output: string | null;
  output_rank: bigint;
  output_ns: bigint;
  metadata: string | null;
  metadata_rank: bigint;
  metadata_ns: bigint;
}

/** Keeps the better of what a trace is shown with and what new spans offer. */
export function mergePreview(database: Database, tkey: number, rollup: Rollup): void {
  if (!rollup.input && !rollup.output && !rollup.metadataText) return;
  const row = database.getExact<PreviewRow>('SELECT * FROM trace_preview WHERE tkey = ?', tkey);
  writePreview(database, tkey, [
    better(rollup.input, row && { rank: Number(row.input_rank), at: row.input_ns, text: row.input }),
    better(
      rollup.output,
      row && { rank: Number(row.output_rank), at: row.output_ns, text: row.output },
      true,
    ),
    better(
      rollup.metadataText,
      row && { rank: Number(row.metadata_rank), at: row.metadata_ns, text: row.metadata },
    ),
  ]);
}

/** Forgets the texts a trace was shown with, and stores those of a roll-up over all its spans. */
export function replacePreview(database: Database, tkey: number, rollup: Rollup): void {
  writePreview(database, tkey, [
    rollup.input ?? NOTHING,
    rollup.output ?? NOTHING,
    rollup.metadataText ?? NOTHING,
  ]);
}

/** Puts what was chosen among all spans of a trace in the place of what it was shown with. */
export function setPreviews(
  database: Database,
  tkey: number,
  input: Candidate | null,
  output: Candidate | null,
): void {
  const texts = [input ?? NOTHING, output ?? NOTHING];
  database.run(
    `UPDATE trace_preview SET input = ?, input_rank = ?, input_ns = ?, output = ?, output_rank = ?, output_ns = ?
     WHERE tkey = ?`,
    ...texts.flatMap(({ text, rank, at }) => [text, rank, at]),
    tkey,
  );
}

function writePreview(database: Database, tkey: number, texts: readonly StoredCandidate[]): void {
  database.run(
    `INSERT OR REPLACE INTO trace_preview (tkey, input, input_rank, input_ns, output, output_rank, output_ns,
       metadata, metadata_rank, metadata_ns) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    tkey,
    ...texts.flatMap(({ text, rank, at }) => [text, rank, at]),
  );
}

interface StoredCandidate {
  rank: number;
  at: bigint;
  text: string | null;
}

/** Of equals the newer one counts: a trace event sent again says the same thing anew. */
function better(
  next: Candidate | null,
  stored: StoredCandidate | undefined,
  latest = false,
): StoredCandidate {
  if (!next) return stored ?? NOTHING;
  if (!stored || stored.text === null) return next;
  const isSame = next.rank === stored.rank && next.at === stored.at;
  return isSame || isBetter(next, stored as Candidate, latest) ? next : stored;
}

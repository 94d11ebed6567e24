import type { Database } from '../storage/database.ts';
import { type Candidate, isBetter, type Rollup } from './rollup.ts';
import type { TraceKey } from './trace-keys.ts';

/** A missing candidate, which ranks behind all others. */
const NOTHING = { rank: 2 ** 30, at: 0n, text: null } as const;

const SIDES = ['input', 'output', 'metadata'] as const;
type PreviewSide = (typeof SIDES)[number];

type RankRow = Record<`${PreviewSide}_rank` | `${PreviewSide}_ns`, bigint>;

/** Statement that replaces the text of each side. */
const SET_SIDE = Object.fromEntries(
  SIDES.map((side) => [
    side,
    `UPDATE trace_preview SET ${side} = ?, ${side}_rank = ?, ${side}_ns = ? WHERE tkey = ?`,
  ]),
) as Record<PreviewSide, string>;

/** Keeps the better of the stored texts of a trace and those of new spans. */
export function mergePreview(database: Database, key: TraceKey, rollup: Rollup): void {
  const offered = { input: rollup.input, output: rollup.output, metadata: rollup.metadataText };
  if (SIDES.every((side) => offered[side] === null)) return;
  // Reads no texts, which are long; a side without one has the rank of NOTHING.
  const row = database.getExact<RankRow>(
    `SELECT input_rank, input_ns, output_rank, output_ns, metadata_rank, metadata_ns FROM trace_preview WHERE tkey = ?`,
    key.tkey,
  );
  if (!row) return insertPreview(database, key, rollup);
  for (const side of SIDES) {
    const next = offered[side];
    const stored = { rank: Number(row[`${side}_rank`]), at: row[`${side}_ns`], text: '' };
    if (next === null || !goesBefore(next, stored, side)) continue;
    database.run(SET_SIDE[side], next.text, next.rank, next.at, key.tkey);
  }
}

/** Stores the texts of a new trace. */
export function insertPreview(database: Database, key: TraceKey, rollup: Rollup): void {
  writePreview(database, key, rollup);
}

/** Replaces the texts of a trace by those of a roll-up over all its spans. */
export function replacePreview(database: Database, key: TraceKey, rollup: Rollup): void {
  database.run('DELETE FROM trace_preview WHERE tkey = ?', key.tkey);
  writePreview(database, key, rollup);
}

/** Replaces the previews of a trace by those chosen among all its spans. */
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

function writePreview(database: Database, { application, tkey }: TraceKey, rollup: Rollup): void {
  const input = rollup.input ?? NOTHING;
  const output = rollup.output ?? NOTHING;
  const metadata = rollup.metadataText ?? NOTHING;
  database.run(
    `INSERT INTO trace_preview (application, tkey, input, input_rank, input_ns, output, output_rank, output_ns,
       metadata, metadata_rank, metadata_ns) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    application,
    tkey,
    input.text,
    input.rank,
    input.at,
    output.text,
    output.rank,
    output.at,
    metadata.text,
    metadata.rank,
    metadata.at,
  );
}

/**
 * Reports whether a new text replaces the stored one. An equal rank does, so that a repeated trace event has the same
 * result.
 */
function goesBefore(next: Candidate, stored: Candidate, side: PreviewSide): boolean {
  const isSame = next.rank === stored.rank && next.at === stored.at;
  return isSame || isBetter(next, stored, side === 'output');
}

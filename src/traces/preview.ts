import type { Database, RowStatement, SqlValue } from '../storage/database.ts';
import { RowSet } from '../storage/row-set.ts';
import { type Candidate, isBetter, type Rollup } from './rollup.ts';
import type { TraceKey } from './trace-keys.ts';

/** A missing candidate, which ranks behind all others. */
const NOTHING = { rank: 2 ** 30, at: 0n, text: null } as const;

const SIDES = ['input', 'output', 'metadata'] as const;
type PreviewSide = (typeof SIDES)[number];

type RankRow = Record<`${PreviewSide}_rank` | `${PreviewSide}_ns`, bigint>;

/** Statement that replaces the text of a side. */
const setSide = (side: PreviewSide): RowStatement => ({
  sql: `UPDATE trace_preview SET ${side} = ?, ${side}_rank = ?, ${side}_ns = ? WHERE tkey = ?`,
  columns: ['text', 'integer', 'integer', 'integer'],
});
const SET_SIDE = { input: setSide('input'), output: setSide('output'), metadata: setSide('metadata') };

// Reads no texts, which are long; a side without one has the rank of NOTHING.
const FIND_RANKS: RowStatement = {
  sql: 'SELECT input_rank, input_ns, output_rank, output_ns, metadata_rank, metadata_ns FROM trace_preview WHERE tkey = ?',
  columns: ['integer'],
};
const INSERT_PREVIEW: RowStatement = {
  sql: `INSERT INTO trace_preview (application, tkey, input, input_rank, input_ns, output, output_rank, output_ns,
       metadata, metadata_rank, metadata_ns) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  columns: [
    ...(['integer', 'integer'] as const),
    ...SIDES.flatMap(() => ['text', 'integer', 'integer'] as const),
  ],
};

type Texts = Record<PreviewSide, Candidate | null>;

const textsOf = ({ input, output, metadataText }: Rollup): Texts => ({
  input,
  output,
  metadata: metadataText,
});

interface OfferedTexts {
  key: TraceKey;
  isNew: boolean;
  texts: Texts;
}

/** Texts that the batches of one command offer their traces. */
export class Previews {
  private readonly offers = new Map<number, OfferedTexts>();

  /** Offers the texts of a batch to a trace, of which the better ones are kept. */
  offer(key: TraceKey, rollup: Rollup, isNew: boolean): void {
    const texts = textsOf(rollup);
    const known = this.offers.get(key.tkey);
    if (!known) {
      if (isNew || SIDES.some((side) => texts[side] !== null))
        this.offers.set(key.tkey, { key, isNew, texts });
      return;
    }
    for (const side of SIDES) {
      const next = texts[side];
      const other = known.texts[side];
      if (next !== null && (other === null || goesBefore(next, other, side))) known.texts[side] = next;
    }
  }

  write(database: Database): void {
    const offers = [...this.offers.values()];
    const inserted = new RowSet(INSERT_PREVIEW);
    for (const { key, texts } of offers.filter(({ isNew }) => isNew)) inserted.add(...rowOf(key, texts));
    const old = offers.filter(({ isNew }) => !isNew);
    const ranks = database.allManyExact<RankRow>(
      FIND_RANKS,
      old.map(({ key }) => [key.tkey]),
    );
    const replaced = {
      input: new RowSet(SET_SIDE.input),
      output: new RowSet(SET_SIDE.output),
      metadata: new RowSet(SET_SIDE.metadata),
    };
    for (const [index, { key, texts }] of old.entries()) {
      const row = ranks[index]?.[0];
      if (!row) inserted.add(...rowOf(key, texts));
      for (const side of row ? SIDES : []) {
        const next = texts[side];
        const stored = { rank: Number(row?.[`${side}_rank`]), at: row?.[`${side}_ns`] ?? 0n, text: '' };
        if (next !== null && goesBefore(next, stored, side))
          replaced[side].add(next.text, next.rank, next.at, key.tkey);
      }
    }
    inserted.write(database);
    for (const side of SIDES) replaced[side].write(database);
  }
}

/** Replaces the texts of a trace by those of a roll-up over all its spans. */
export function replacePreview(database: Database, key: TraceKey, rollup: Rollup): void {
  database.run('DELETE FROM trace_preview WHERE tkey = ?', key.tkey);
  database.runMany(INSERT_PREVIEW, [rowOf(key, textsOf(rollup))]);
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

function rowOf({ application, tkey }: TraceKey, texts: Texts): SqlValue[] {
  const values = SIDES.flatMap((side) => {
    const { text, rank, at } = texts[side] ?? NOTHING;
    return [text, rank, at];
  });
  return [application, tkey, ...values];
}

/**
 * Reports whether a new text replaces the stored one. An equal rank does, so that a repeated trace event has the same
 * result.
 */
function goesBefore(next: Candidate, stored: Candidate, side: PreviewSide): boolean {
  const isSame = next.rank === stored.rank && next.at === stored.at;
  return isSame || isBetter(next, stored, side === 'output');
}

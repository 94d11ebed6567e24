import type { ReactNode } from 'react';
import { formatDuration } from '../format/time.ts';
import { WordDiffParts } from '../ui/word-diff.tsx';
import { CHANGE_NAMES } from './changes.ts';
import { CitedText } from './cited-text.tsx';
import { OutcomeWord } from './outcome.tsx';
import { failureReason, type ResultColumn, type ShownResult, sideOf } from './result-types.ts';

interface ResultCardProps {
  row: ShownResult;
  columns: readonly ResultColumn[];
  /** True if it shows what changed between two runs. */
  isPair: boolean;
  /** Selects the row. */
  box: ReactNode;
}

/** A row as a card, for narrow screens. */
export function ResultCard({ row, columns, isPair, box }: ResultCardProps): ReactNode {
  const side = row.sides.at(-1);
  const reason = failureReason(side, columns);
  const before = sideOf(row, 0)?.output;
  const change = row.change === 'REGRESSED' || row.change === 'FIXED' ? CHANGE_NAMES[row.change].name : null;
  return (
    <>
      <p className="flex items-center gap-2">
        {box}
        {side && <OutcomeWord outcome={side.outcome} />}
        <span className="truncate text-dim">
          {row.exampleIndex !== null && `example ${row.exampleIndex + 1}`}
          {change !== null && ` · ${change.toLowerCase()}`}
        </span>
        <span className="ml-auto shrink-0 text-dim">
          {side?.durationMs == null ? '' : formatDuration(side.durationMs)}
        </span>
      </p>
      <p className="line-clamp-1 text-reading break-words">{row.input}</p>
      <p className="line-clamp-2 break-words text-dim">
        {side?.output == null ? (
          'no output'
        ) : isPair && before != null ? (
          <WordDiffParts a={before} b={side.output} />
        ) : (
          <CitedText side={side} />
        )}
      </p>
      <p className="line-clamp-1 text-label break-words">
        {reason && `${reason.name === '' ? '' : `${reason.name}: `}${reason.text}`}
      </p>
    </>
  );
}

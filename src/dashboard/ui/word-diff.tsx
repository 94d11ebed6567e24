import { diffWordsWithSpace } from 'diff';
import { type ReactNode, useMemo } from 'react';

/** Longer texts are shown beside each other without their differences: finding them would take too long. */
const MAX_TEXT = 40_000;
/** Milliseconds that finding the differences may take. */
const TIMEOUT_MS = 400;

/** Shows two texts as one, with the words that only one of them has. */
export function WordDiff({ a, b }: { a: string; b: string }): ReactNode {
  const parts = useMemo(
    () => (a.length + b.length > MAX_TEXT ? undefined : diffWordsWithSpace(a, b, { timeout: TIMEOUT_MS })),
    [a, b],
  );
  if (a === b) return <p className={TEXT}>{a}</p>;
  if (parts === undefined) {
    return (
      <div className="grid grid-cols-2 gap-3">
        <p className={TEXT}>{a}</p>
        <p className={TEXT}>{b}</p>
      </div>
    );
  }
  return (
    <p className={TEXT}>
      {parts.map(({ value, added, removed }, at) =>
        added ? (
          <ins key={at} className="rounded-sm bg-pass-soft text-pass">
            {value}
          </ins>
        ) : removed ? (
          <del key={at} className="rounded-sm bg-fail-soft text-fail">
            {value}
          </del>
        ) : (
          <span key={at}>{value}</span>
        ),
      )}
    </p>
  );
}

const TEXT = 'text-reading break-words whitespace-pre-wrap';

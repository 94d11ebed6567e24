import { diffWordsWithSpace } from 'diff';
import { type ReactNode, useMemo } from 'react';

/** Longer texts are shown beside each other without their differences: finding them would take too long. */
const MAX_TEXT = 40_000;
/** Milliseconds that finding the differences may take. */
const TIMEOUT_MS = 400;

/** Looks of words that only one text has. Red and green are for failed and passed: a new word is not better for being new. */
export const REMOVED = 'rounded-sm bg-panel text-dim line-through';
export const ADDED =
  'rounded-sm bg-selection text-accent underline decoration-1 underline-offset-2 [del+&]:ml-1';

interface WordDiffProps {
  a: string;
  b: string;
}

/** Shows two texts as one, with the words that only one of them has. */
export function WordDiff({ a, b }: WordDiffProps): ReactNode {
  const parts = useDifferences(a, b);
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
      <Parts parts={parts} />
    </p>
  );
}

/** The same within a line of text. With `hidesRemoved`, without the words that only `a` has. */
export function WordDiffParts({
  a,
  b,
  hidesRemoved = false,
}: WordDiffProps & { hidesRemoved?: boolean }): ReactNode {
  const parts = useDifferences(a, b);
  if (a === b || parts === undefined) return b;
  return <Parts parts={hidesRemoved ? parts.filter(({ removed }) => !removed) : parts} />;
}

interface TextPart {
  value: string;
  added?: boolean;
  removed?: boolean;
}

const useDifferences = (a: string, b: string): TextPart[] | undefined =>
  useMemo(
    () =>
      a.length + b.length > MAX_TEXT ? undefined : joined(diffWordsWithSpace(a, b, { timeout: TIMEOUT_MS })),
    [a, b],
  );

/** Joins changes that only spaces or signs separate: a sentence that was replaced reads better than its words in turn. */
function joined(parts: readonly TextPart[] | undefined): TextPart[] | undefined {
  if (parts === undefined) return undefined;
  const result: TextPart[] = [];
  let removed = '';
  let added = '';
  const flush = (): void => {
    if (removed !== '') result.push({ value: removed, removed: true });
    if (added !== '') result.push({ value: added, added: true });
    [removed, added] = ['', ''];
  };
  for (const [at, part] of parts.entries()) {
    if (part.removed === true) removed += part.value;
    else if (part.added === true) added += part.value;
    else if (removed + added !== '' && at < parts.length - 1 && !/[\p{L}\p{N}]/u.test(part.value)) {
      removed += part.value;
      added += part.value;
    } else {
      flush();
      result.push(part);
    }
  }
  flush();
  return result;
}

const Parts = ({ parts }: { parts: readonly TextPart[] }): ReactNode =>
  parts.map(({ value, added, removed }, at) =>
    added ? (
      <ins key={at} className={ADDED}>
        {value}
      </ins>
    ) : removed ? (
      <del key={at} className={REMOVED}>
        {value}
      </del>
    ) : (
      <span key={at}>{value}</span>
    ),
  );

const TEXT = 'text-reading break-words whitespace-pre-wrap';

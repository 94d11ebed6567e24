import type { ReactNode } from 'react';
import { formatWhole } from '../format/number.ts';
import { Button } from './button.tsx';

interface PagerProps {
  /** Rows before this page. */
  skip: number;
  /** Rows of a full page. */
  limit: number;
  /** Rows of all pages. */
  total: number;
  /** True if there are more rows than `total`. */
  totalExceeded?: true | undefined;
  onSkip: (skip: number) => void;
}

/** Writes how many rows there are, the same in headers and below lists. */
export const totalText = ({ total, totalExceeded }: Pick<PagerProps, 'total' | 'totalExceeded'>): string =>
  `${totalExceeded ? 'more than ' : ''}${formatWhole(total)}`;

/** Leads through the pages of a list. */
export function Pager({ skip, limit, total, totalExceeded, onSkip }: PagerProps): ReactNode {
  if (total <= limit && skip === 0) return null;
  const last = Math.min(skip + limit, total);
  return (
    <nav aria-label="Pages" className="flex items-center gap-2 px-4 py-2.5">
      <Button disabled={skip === 0} onClick={() => onSkip(Math.max(0, skip - limit))}>
        Previous
      </Button>
      <Button disabled={last >= total && !totalExceeded} onClick={() => onSkip(skip + limit)}>
        Next
      </Button>
      <span className="text-dim">
        {formatWhole(Math.min(skip + 1, total))}–{formatWhole(last)} of {totalText({ total, totalExceeded })}
      </span>
    </nav>
  );
}

import type { ReactNode } from 'react';
import { formatWhole } from '../format/number.ts';
import { Button } from './button.tsx';

interface ShowEarlierProps {
  /** Rows that are shown, the newest ones. */
  shown: number;
  total: number;
  /** Rows that one click adds. */
  step: number;
  isBusy: boolean;
  /** Name of the rows, such as `notes`. */
  what: string;
  onMore: () => void;
}

/** Says how many rows there are besides the newest, and shows more of them. */
export const ShowEarlier = ({ shown, total, step, isBusy, what, onMore }: ShowEarlierProps): ReactNode =>
  total <= shown ? null : (
    <p className="flex flex-wrap items-center gap-3 py-1.5 text-dim">
      The newest {formatWhole(shown)} of {formatWhole(total)} {what}.
      <Button disabled={isBusy} onClick={onMore}>
        Show {formatWhole(Math.min(step, total - shown))} earlier
      </Button>
    </p>
  );

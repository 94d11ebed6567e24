import type { ReactNode } from 'react';
import { formatWhole } from '../format/number.ts';
import { Button } from './button.tsx';
import { CopyButton } from './states.tsx';

interface SelectedBarProps {
  /** Ids of the selected rows. */
  ids: readonly string[];
  /** Says what is selected, if it is more than the rows with these ids. */
  text?: string;
  onClear: () => void;
  /** Buttons for what can be done with them. */
  children: ReactNode;
}

/** Says how many rows of a list are selected, and what can be done with them. */
export const SelectedBar = ({ ids, text, onClear, children }: SelectedBarProps): ReactNode => (
  <div className="flex flex-wrap items-center gap-2 border-b border-line bg-selection px-4 py-1.5">
    <span className="font-semibold" aria-live="polite">
      {text ?? `${formatWhole(ids.length)} selected`}
    </span>
    {text === undefined && <CopyButton text={ids.join('\n')} label="Copy ids" />}
    {children}
    <Button look="quiet" onClick={onClear}>
      Clear
    </Button>
  </div>
);

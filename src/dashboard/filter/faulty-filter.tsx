import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/states.tsx';

/** Shown in place of a list whose only filter so far has a fault. */
export const FaultyFilter = ({ onClear }: { onClear: () => void }): ReactNode => (
  <Empty title="The filter has a fault">
    <p>Nothing is listed until it is corrected: a term with a fault is never searched as text.</p>
    <div>
      <Button onClick={onClear}>Clear the filter</Button>
    </div>
  </Empty>
);

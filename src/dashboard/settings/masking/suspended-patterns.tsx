import type { ReactNode } from 'react';
import type { Masking } from '../../../api/generated/schema.ts';
import { formatMoment } from '../../format/time.ts';
import { Button } from '../../ui/button.tsx';

interface SuspendedPatternsProps {
  suspended: Masking['suspended'];
  /** True while the rules are saved, or cannot be. */
  isFixed: boolean;
  onRetry: () => void;
}

/** Names the own patterns that are suspended because they are slow; absent without any. */
export function SuspendedPatterns({ suspended, isFixed, onRetry }: SuspendedPatternsProps): ReactNode {
  if (suspended.length === 0) return null;
  return (
    <section aria-label="Suspended patterns" className="grid max-w-[760px] gap-2">
      <p className="font-semibold">
        Texts of more than 256 characters are masked completely, because patterns are too slow for them:
      </p>
      <ul className="grid gap-1">
        {suspended.map(({ name, until, reason }) => (
          <li key={name}>
            <code>{name}</code>: {reason} Tried again at {formatMoment(until)}.
          </li>
        ))}
      </ul>
      <div>
        <Button disabled={isFixed} onClick={onRetry}>
          Try again now
        </Button>
      </div>
    </section>
  );
}

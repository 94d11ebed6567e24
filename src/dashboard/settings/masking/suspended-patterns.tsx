import type { ReactNode } from 'react';
import type { Masking } from '../../../api/generated/schema.ts';
import { useScope } from '../../api/session.ts';
import { formatMoment } from '../../format/time.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorLine } from '../../ui/error-panel.tsx';
import { rulesOf, typedRules } from './masking-draft.ts';
import { useSaveRules } from './use-save-rules.ts';

/** Names the own patterns that are suspended because they are slow; absent without any. */
export function SuspendedPatterns({ masking }: { masking: Masking }): ReactNode {
  const isAdmin = useScope('admin');
  const save = useSaveRules();
  if (masking.suspended.length === 0) return null;
  return (
    <section aria-label="Suspended patterns" className="grid max-w-[760px] gap-2">
      <p className="font-semibold">
        Texts of more than 256 characters are masked completely, because patterns are too slow for them:
      </p>
      <ul className="grid gap-1">
        {masking.suspended.map(({ name, until, reason }) => (
          <li key={name}>
            <code>{name}</code>: {reason} Suspended until {formatMoment(until)}.
          </li>
        ))}
      </ul>
      <ErrorLine error={save.error} />
      <div>
        <Button
          disabled={!isAdmin || save.isPending}
          onClick={() => save.mutate(rulesOf(typedRules(masking)))}
        >
          Retry now
        </Button>
      </div>
    </section>
  );
}

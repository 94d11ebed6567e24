import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import type { Draft } from './use-draft.ts';

interface SaveBarProps {
  draft: Pick<Draft<object>, 'hasChanges' | 'discard'>;
  isSaving: boolean;
  /** Says why the person cannot save; null if they can. */
  reason: string | null;
  id: string;
}

/** Buttons below a form that changes a record. */
export const SaveBar = ({ draft, isSaving, reason, id }: SaveBarProps): ReactNode => (
  <div className="flex flex-wrap items-center gap-2">
    <Button look="primary" type="submit" disabled={reason !== null || !draft.hasChanges || isSaving}>
      {isSaving ? 'Saving …' : 'Save'}
    </Button>
    {draft.hasChanges && <Button onClick={draft.discard}>Discard changes</Button>}
    {reason !== null && <p className="text-dim">{reason}</p>}
    <span className="ml-auto text-label text-dim">
      Id <code className="font-mono select-all">{id}</code>
    </span>
  </div>
);

/** Reason that people without the scope `write` read. */
export const READ_ONLY = 'Your role only lets you look.';

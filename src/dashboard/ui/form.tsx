import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorLine } from './error-panel.tsx';
import { READ_ONLY, SaveBar } from './save-bar.tsx';
import { Button } from './button.tsx';
import type { Conflict, RecordDraft } from './use-record-draft.ts';

interface FormProps {
  className: string;
  onSubmit: () => void;
  children: ReactNode;
}

/** A form that is handled by the page instead of being sent by the browser. */
export const Form = ({ className, onSubmit, children }: FormProps): ReactNode => (
  <form
    className={className}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </form>
);

interface RecordFormProps {
  id: string;
  draft: Pick<RecordDraft<object>, 'hasChanges' | 'discard' | 'conflict'>;
  save: Pick<UseMutationResult<unknown, Error, never>, 'error' | 'isPending'>;
  mayWrite: boolean;
  onSave: () => void;
  children: ReactNode;
}

/** The form of a stored record: its fields, why they were not saved, and the buttons that save them. */
export const RecordForm = ({ id, draft, save, mayWrite, onSave, children }: RecordFormProps): ReactNode => (
  <Form className="grid gap-4" onSubmit={onSave}>
    {children}
    {draft.conflict && <ConflictPanel {...draft.conflict} />}
    <ErrorLine error={save.error} />
    <SaveBar draft={draft} isSaving={save.isPending} reason={mayWrite ? null : READ_ONLY} id={id} />
  </Form>
);

/** Says that someone else has changed the same fields, and asks whose values count. */
export const ConflictPanel = ({ names, keepMine, takeTheirs }: Conflict): ReactNode => (
  <div role="alert" className="rounded-md border border-warn bg-page px-3.5 py-3">
    <p className="font-semibold">Someone else changed this meanwhile: {names.map(wordsOf).join(', ')}</p>
    <p className="mt-1 text-dim">Your changes are still here and not saved.</p>
    <div className="mt-2.5 flex flex-wrap gap-2">
      <Button onClick={keepMine}>Keep mine</Button>
      <Button onClick={takeTheirs}>Take theirs</Button>
    </div>
  </div>
);

/** Returns the words of a field's name: `isVerified` becomes `is verified`. */
const wordsOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

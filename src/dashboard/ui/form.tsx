import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorLine } from './error-panel.tsx';
import { READ_ONLY, SaveBar } from './save-bar.tsx';
import type { Draft } from './use-draft.ts';

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
  draft: Pick<Draft<object>, 'hasChanges' | 'discard'>;
  save: Pick<UseMutationResult<unknown, Error, never>, 'error' | 'isPending'>;
  mayWrite: boolean;
  onSave: () => void;
  children: ReactNode;
}

/** The form of a stored record: its fields, why they were not saved, and the buttons that save them. */
export const RecordForm = ({ id, draft, save, mayWrite, onSave, children }: RecordFormProps): ReactNode => (
  <Form className="grid gap-4" onSubmit={onSave}>
    {children}
    <ErrorLine error={save.error} />
    <SaveBar draft={draft} isSaving={save.isPending} reason={mayWrite ? null : READ_ONLY} id={id} />
  </Form>
);

import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Confirm } from './confirm.tsx';

interface DeleteRecordProps {
  verb: 'Delete' | 'Archive';
  /** Name of the kind, such as `task`. */
  what: string;
  /** The record: `title` is in the question. */
  record: { id: string; title: string };
  remove: UseMutationResult<undefined, Error, string>;
  onDone: () => void;
  /** Says what will be different afterwards. */
  children: ReactNode;
}

/** The button below a form that deletes its record, and the question before. */
export function DeleteRecord({ verb, what, record, remove, onDone, children }: DeleteRecordProps): ReactNode {
  const [isAsked, setAsked] = useState(false);
  return (
    <div className="border-t border-line pt-4">
      <Button look="danger" onClick={() => setAsked(true)}>
        {verb} the {what}
      </Button>
      <Confirm
        isOpen={isAsked}
        title={`${verb} “${record.title}”?`}
        action={`${verb} the ${what}`}
        isBusy={remove.isPending}
        error={remove.error}
        onClose={() => setAsked(false)}
        onConfirm={() => remove.mutate(record.id, { onSuccess: onDone })}
      >
        {children}
      </Confirm>
    </div>
  );
}

import type { ReactNode } from 'react';
import type { Example } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { ConfirmRow } from '../ui/confirm.tsx';

interface DeleteExampleProps {
  taskId: string;
  /** Example to delete; null while none is chosen. */
  example: Example | null;
  onClose: () => void;
}

/** Asks before an example is deleted. */
export function DeleteExample({ taskId, example, onClose }: DeleteExampleProps): ReactNode {
  const remove = useAction(['/v0/tasks'], (api, exampleId: string) =>
    api.DELETE('/v0/tasks/{id}/examples/{exampleId}', { params: { path: { id: taskId, exampleId } } }),
  );
  return (
    <ConfirmRow
      row={example}
      title={() => 'Delete the example?'}
      action="Delete the example"
      remove={remove}
      done={() => 'The task no longer has this example'}
      onClose={onClose}
    >
      If it has tests, it is archived instead: it is no longer tested, its tests stay, and it can be restored.
    </ConfirmRow>
  );
}

import type { ReactNode } from 'react';
import type { Example } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { Confirm } from '../ui/confirm.tsx';
import { announce } from '../ui/status-line.tsx';

interface DeleteExampleProps {
  taskId: string;
  /** Example to delete; null while none is chosen. */
  example: Example | null;
  onClose: () => void;
}

/** Asks before an example is deleted. */
export function DeleteExample({ taskId, example, onClose }: DeleteExampleProps): ReactNode {
  const remove = useAction(['tasks'], (api, exampleId: string) =>
    api.DELETE('/v0/tasks/{id}/examples/{exampleId}', { params: { path: { id: taskId, exampleId } } }),
  );
  const close = (): void => {
    remove.reset();
    onClose();
  };
  return (
    <Confirm
      isOpen={example !== null}
      title="Delete the example?"
      action="Delete the example"
      isBusy={remove.isPending}
      error={remove.error}
      onClose={close}
      onConfirm={() =>
        example &&
        remove.mutate(example.id, {
          onSuccess: () => {
            announce('The task no longer has this example');
            close();
          },
        })
      }
    >
      If it has tests, it is archived instead: it is no longer tested, its tests stay, and it can be restored.
    </Confirm>
  );
}

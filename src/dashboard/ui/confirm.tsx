import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { ErrorLine } from './error-panel.tsx';
import { announce } from './status-line.tsx';

interface ConfirmProps {
  isOpen: boolean;
  title: string;
  /** Says what will be different afterwards. */
  children: ReactNode;
  /** Verb of the button, such as `Revoke the key`. */
  action: string;
  isBusy?: boolean;
  error?: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something is done that cannot be undone. */
export function Confirm({
  isOpen,
  title,
  children,
  action,
  isBusy = false,
  error,
  onConfirm,
  onClose,
}: ConfirmProps): ReactNode {
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-ink opacity-20" />
        <AlertDialog.Popup className="fixed top-[20vh] left-1/2 z-50 w-[min(420px,calc(100vw-32px))] -translate-x-1/2 rounded-md border border-edge bg-page p-4 outline-none">
          <AlertDialog.Title className="text-title font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-1.5 text-dim">{children}</AlertDialog.Description>
          <ErrorLine error={error} className="mt-2" />
          <div className="mt-4 flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button look="danger" disabled={isBusy} onClick={onConfirm}>
              {action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

interface ConfirmRowProps<Row> extends Pick<ConfirmProps, 'action' | 'children' | 'onClose'> {
  /** Chosen row; null while none is. */
  row: Row | null;
  title: (row: Row) => string;
  remove: UseMutationResult<unknown, Error, string>;
  /** Says that it was done. */
  done: (row: Row) => string;
}

/** Asks before a row of a list is removed by its id. */
export function ConfirmRow<Row extends { id: string }>(props: ConfirmRowProps<Row>): ReactNode {
  const { row, title, action, remove, done, onClose, children } = props;
  const close = (): void => {
    remove.reset();
    onClose();
  };
  return (
    <Confirm
      isOpen={row !== null}
      title={row === null ? '' : title(row)}
      action={action}
      isBusy={remove.isPending}
      error={remove.error}
      onClose={close}
      onConfirm={() =>
        row &&
        remove.mutate(row.id, {
          onSuccess: () => {
            announce(done(row));
            close();
          },
        })
      }
    >
      {children}
    </Confirm>
  );
}

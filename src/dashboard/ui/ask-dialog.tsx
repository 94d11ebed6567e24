import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorLine } from './error-panel.tsx';
import { Form } from './form.tsx';

interface AskDialogProps {
  title: string;
  /** Says what will happen, and what the person may choose about it. */
  children: ReactNode;
  /** Verb of the button, such as `Run again`. */
  action: string;
  isDanger?: boolean;
  /** True for a form with long texts. */
  isWide?: boolean;
  isBusy: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** A dialog with a form: it takes the fields of a record, or asks before something is done that costs money or time, or that others notice. */
export function AskDialog(props: AskDialogProps): ReactNode {
  const { title, children, action, isDanger = false, isWide = false } = props;
  const { isBusy, error, onConfirm, onClose } = props;
  return (
    <Dialog isOpen onClose={onClose} title={title} width={isWide ? 'wide' : 'narrow'}>
      <Form className="grid grid-cols-1 gap-3 overflow-y-auto p-4" onSubmit={onConfirm}>
        {children}
        <ErrorLine error={error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" look={isDanger ? 'danger' : 'primary'} disabled={isBusy}>
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

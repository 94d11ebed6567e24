import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { RejectedRows } from './rejected-rows.tsx';

/** Dialog with the result of a file that was read row by row: a summary, and the rows that were rejected. */
export const FileReport = ({
  title,
  rejected,
  onClose,
  children,
}: {
  title: string;
  rejected: Parameters<typeof RejectedRows>[0]['rows'];
  onClose: () => void;
  children: ReactNode;
}): ReactNode => (
  <Dialog isOpen onClose={onClose} title={title} width="wide">
    <div className="grid grid-cols-1 gap-3 overflow-y-auto p-4">
      <p>{children}</p>
      {rejected.length > 0 && <RejectedRows rows={rejected} />}
      <div className="flex justify-end">
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  </Dialog>
);

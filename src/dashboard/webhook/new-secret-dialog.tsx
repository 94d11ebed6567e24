import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { CommandText } from '../ui/states.tsx';

/** Shows a new secret, this once. */
export function NewSecretDialog({
  secret,
  onClose,
}: {
  secret: string | null;
  onClose: () => void;
}): ReactNode {
  return (
    <Dialog isOpen={secret !== null} onClose={onClose} title="The secret of the webhook">
      <div className="grid grid-cols-1 gap-3 p-4">
        <p className="text-dim">
          It is shown only now. Your app verifies the signature of each test with it: keep it where the app
          keeps its other secrets.
        </p>
        <CommandText label="Secret of the webhook" text={secret ?? ''} />
        <div className="flex justify-end">
          <Button look="primary" onClick={onClose}>
            I have copied it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

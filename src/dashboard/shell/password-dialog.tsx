import { type ReactNode, type SubmitEvent, useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { createDashboardClient } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { problemOf, TextField } from '../ui/field.tsx';
import { announce } from '../ui/status-line.tsx';

export function PasswordDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Change password"
      className="w-[min(400px,calc(100vw-32px))]"
    >
      <PasswordForm onDone={onClose} />
    </Dialog>
  );
}

function PasswordForm({ onDone }: { onDone: () => void }): ReactNode {
  const { changeLogin } = useSession();
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      const body = { currentPassword, newPassword };
      changeLogin(await answerOf(createDashboardClient().PUT('/v0/login/password', { body })));
      announce('Password changed');
      onDone();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="grid gap-3 p-4" onSubmit={(event) => void submit(event)}>
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        value={currentPassword}
        onChange={(event) => setCurrent(event.target.value)}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        minLength={12}
        help="At least 12 characters."
        problem={problemOf(error, 'newPassword')}
        value={newPassword}
        onChange={(event) => setNew(event.target.value)}
      />
      <ErrorLine error={error} />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button look="primary" type="submit" disabled={isBusy}>
          Change password
        </Button>
      </div>
    </form>
  );
}

import { type ReactNode, useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { createDashboardClient } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { CredentialField } from '../ui/credential-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { problemOf } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { announce } from '../ui/status-line.tsx';

export function PasswordDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Change password" width="narrow">
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
  const submit = async (): Promise<void> => {
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
    <Form className="grid gap-3 p-4" onSubmit={() => void submit()}>
      <CredentialField
        label="Current password"
        kind="current-password"
        value={currentPassword}
        onChange={setCurrent}
      />
      <CredentialField
        label="New password"
        kind="new-password"
        problem={problemOf(error, 'newPassword')}
        value={newPassword}
        onChange={setNew}
      />
      <ErrorLine error={error} />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button look="primary" type="submit" disabled={isBusy}>
          Change password
        </Button>
      </div>
    </Form>
  );
}

import { type ReactNode, useState } from 'react';
import type { Login } from '../../api/generated/schema.ts';
import { Button } from '../ui/button.tsx';
import { CredentialField } from '../ui/credential-field.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { Form } from '../ui/form.tsx';
import { useSignIn } from './use-sign-in.ts';

export function PasswordForm({ onSignedIn }: { onSignedIn: (login: Login) => void }): ReactNode {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { error, isBusy, submit } = useSignIn(
    (client) => client.POST('/v0/login', { body: { email, password } }),
    onSignedIn,
  );
  return (
    <Form className="grid gap-3" onSubmit={submit}>
      <CredentialField label="Email" kind="username" autoFocus value={email} onChange={setEmail} />
      <CredentialField label="Password" kind="current-password" value={password} onChange={setPassword} />
      <ErrorLine error={error} />
      <Button look="primary" type="submit" disabled={isBusy} className="h-8 justify-center">
        {isBusy ? 'Signing in …' : 'Sign in'}
      </Button>
    </Form>
  );
}

import { type ReactNode, useState } from 'react';
import type { Login } from '../../api/generated/schema.ts';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { useSignIn } from './use-sign-in.ts';

export function KeyForm({ onSignedIn }: { onSignedIn: (login: Login) => void }): ReactNode {
  const [apiKey, setApiKey] = useState('');
  const { error, isBusy, submit } = useSignIn(
    (client) => client.POST('/v0/login', { body: { apiKey: apiKey.trim() } }),
    onSignedIn,
  );
  return (
    <Form className="grid gap-3" onSubmit={submit}>
      <TextField
        label="API key"
        type="password"
        autoComplete="off"
        required
        autoFocus
        spellCheck={false}
        className="font-mono"
        help="It is exchanged for a login with the same scopes, and not kept in this browser."
        value={apiKey}
        onChange={(event) => setApiKey(event.target.value)}
      />
      <ErrorLine error={error} />
      <Button look="primary" type="submit" disabled={isBusy} className="h-8 justify-center">
        {isBusy ? 'Signing in …' : 'Sign in'}
      </Button>
    </Form>
  );
}

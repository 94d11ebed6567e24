import { type ReactNode, useState } from 'react';
import type { Login } from '../../api/generated/schema.ts';
import { Button } from '../ui/button.tsx';
import { CredentialField } from '../ui/credential-field.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { problemOf, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import type { Link } from './link.ts';
import { useSignIn } from './use-sign-in.ts';

interface JoinFormProps {
  link: Link;
  onSignedIn: (login: Login) => void;
}

/** Makes the account of the first administrator, or of an invited person. */
export function JoinForm({ link, onSignedIn }: JoinFormProps): ReactNode {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const isFirst = link.kind === 'setup';
  const { token } = link;
  const { error, isBusy, submit } = useSignIn(
    (client) =>
      isFirst
        ? client.POST('/v0/login/setup', { body: { token, name, email, password } })
        : client.POST('/v0/login/invitation', { body: { token, name, password } }),
    onSignedIn,
  );
  return (
    <Form className="grid gap-3" onSubmit={submit}>
      <h1 className="text-title font-semibold">{isFirst ? 'Set up Touchstone' : 'Accept your invitation'}</h1>
      <p className="text-dim">
        {isFirst
          ? 'You become the administrator of every application.'
          : 'Choose a name and a password. Your administrator has entered your email address.'}
      </p>
      <TextField
        label="Name"
        autoComplete="name"
        required
        autoFocus
        problem={problemOf(error, 'name')}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {isFirst && (
        <CredentialField
          label="Email"
          kind="username"
          problem={problemOf(error, 'email')}
          value={email}
          onChange={setEmail}
        />
      )}
      <CredentialField
        label="Password"
        kind="new-password"
        problem={problemOf(error, 'password')}
        value={password}
        onChange={setPassword}
      />
      <ErrorLine error={error} />
      <Button look="primary" type="submit" disabled={isBusy} className="h-8 justify-center">
        {isBusy ? 'Creating the account …' : 'Create the account'}
      </Button>
    </Form>
  );
}

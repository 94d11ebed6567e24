import { type ReactNode, useState } from 'react';
import type { CreateApiKeyBody, CreatedApiKey } from '../../api/generated/schema.ts';
import { useSession } from '../api/session.ts';
import { useAction } from '../api/use-api.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { problemOf, SelectField, TextField } from '../ui/field.tsx';

type ScopeName = NonNullable<CreateApiKeyBody['scopes']>[number];

const SCOPES: readonly (readonly [name: ScopeName, meaning: string])[] = [
  ['ingest', 'send spans and events'],
  ['read', 'read everything of this application'],
  ['write', 'change everything except members and keys'],
  ['admin', 'manage members, keys and the application'],
];
const DAY_MS = 24 * 3_600_000;
const LIFETIMES = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

interface NewKeyDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onCreated: (key: CreatedApiKey) => void;
}

export function NewKeyDialog({ isOpen, onClose, onCreated }: NewKeyDialogProps): ReactNode {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="New API key" width="narrow">
      <NewKeyForm onClose={onClose} onCreated={onCreated} />
    </Dialog>
  );
}

function NewKeyForm({ onClose, onCreated }: Omit<NewKeyDialogProps, 'isOpen'>): ReactNode {
  const own = useSession().application.scopes;
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly ScopeName[]>(['ingest']);
  const [days, setDays] = useState('');
  const create = useAction(['api-keys'], (api, body: CreateApiKeyBody) => api.POST('/v0/api-keys', { body }));
  const toggle = (scope: ScopeName): void =>
    setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope]);
  const submit = (): void => {
    const expiresAt = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    create.mutate({ name, scopes: [...scopes], expiresAt }, { onSuccess: ({ data }) => onCreated(data) });
  };
  return (
    <form
      className="grid gap-4 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        label="Name"
        help="Where it is used, such as “exporter of the shop”."
        required
        autoFocus
        problem={problemOf(create.error, 'name')}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <fieldset className="grid gap-1">
        <legend className="mb-1 text-label font-semibold">Scopes</legend>
        {SCOPES.map(([scope, meaning]) => (
          <label key={scope} className="flex items-center gap-2">
            <input
              type="checkbox"
              disabled={!own.includes(scope)}
              checked={scopes.includes(scope)}
              onChange={() => toggle(scope)}
            />
            <span className="w-14 font-semibold">{scope}</span>
            <span className="text-dim">{meaning}</span>
          </label>
        ))}
      </fieldset>
      <SelectField label="Expires" value={days} onChange={(event) => setDays(event.target.value)}>
        {LIFETIMES.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </SelectField>
      <ErrorLine error={create.error} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" disabled={create.isPending || scopes.length === 0}>
          Create the key
        </Button>
      </div>
    </form>
  );
}

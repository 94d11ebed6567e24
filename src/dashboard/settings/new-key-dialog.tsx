import { type ReactNode, useState } from 'react';
import type { CreateApiKeyBody, CreatedApiKey } from '../../api/generated/schema.ts';
import { useSession } from '../api/session.ts';
import { useAction } from '../api/use-api.ts';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { fieldsOf, useDraft } from '../ui/use-draft.ts';

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
  const draft = useDraft({ name: '', days: '' });
  const [scopes, setScopes] = useState<readonly ScopeName[]>(['ingest']);
  const create = useAction(['/v0/api-keys'], (api, body: CreateApiKeyBody) =>
    api.POST('/v0/api-keys', { body }),
  );
  const field = fieldsOf(draft, create.error);
  const submit = (): void => {
    const { name, days } = draft.values;
    const expiresAt = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    create.mutate({ name, scopes: [...scopes], expiresAt }, { onSuccess: ({ data }) => onCreated(data) });
  };
  return (
    <Form className="grid gap-4 p-4" onSubmit={submit}>
      <TextField
        label="Name"
        help="Where it is used, such as “exporter of the shop”."
        required
        autoFocus
        {...field('name')}
      />
      <ScopeFields chosen={scopes} onChange={setScopes} />
      <SelectField label="Expires" choices={LIFETIMES} {...field('days')} />
      <ErrorLine error={create.error} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" disabled={create.isPending || scopes.length === 0}>
          Create the key
        </Button>
      </div>
    </Form>
  );
}

interface ScopeFieldsProps {
  chosen: readonly ScopeName[];
  onChange: (chosen: readonly ScopeName[]) => void;
}

/** Chooses the scopes of a key among those of the person. */
function ScopeFields({ chosen, onChange }: ScopeFieldsProps): ReactNode {
  const own = useSession().application.scopes;
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-label font-semibold">Scopes</legend>
      {SCOPES.map(([scope, meaning]) => (
        <CheckField
          key={scope}
          disabled={!own.includes(scope)}
          checked={chosen.includes(scope)}
          onChange={(isOn) => onChange(isOn ? [...chosen, scope] : chosen.filter((one) => one !== scope))}
        >
          <span className="w-14 font-semibold">{scope}</span>
          <span className="text-dim">{meaning}</span>
        </CheckField>
      ))}
    </fieldset>
  );
}

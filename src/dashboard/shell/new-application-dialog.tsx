import { type ReactNode, useState } from 'react';
import { answerOf } from '../../api/client.ts';
import type { paths } from '../../api/generated/schema.ts';
import { createDashboardClient } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { useAction } from '../api/use-api.ts';
import { exporterLines } from '../app/exporter-lines.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { FirstKeyDialog } from './first-key-dialog.tsx';

type Created = paths['/v0/applications']['post']['responses'][201]['content']['application/json'];

const KINDS = [
  ['CHATBOT', 'Chatbot'],
  ['AGENT', 'Agent'],
] as const;
const ENVIRONMENTS = [
  ['DEV', 'Development'],
  ['PROD', 'Production'],
] as const;

/** Creates an application, shows its first key once, and waits for the first span. */
export function NewApplicationDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { changeLogin } = useSession();
  const [fields, setFields] = useState({ title: '', type: 'CHATBOT', environment: 'DEV', language: 'en' });
  const [created, setCreated] = useState<Created | null>(null);
  const set = (name: keyof typeof fields) => ({
    value: fields[name],
    onChange: ({ target }: { target: { value: string } }) => setFields({ ...fields, [name]: target.value }),
  });
  const create = useAction(['/v0/applications'], (api, body: typeof fields) =>
    api.POST('/v0/applications', {
      body: { ...body, type: body.type as 'AGENT', environment: body.environment as 'DEV' },
    }),
  );
  const start = (): void =>
    create.mutate(fields, {
      onSuccess: (answer) => {
        setCreated(answer);
        // The list of applications belongs to the login.
        void answerOf(createDashboardClient().GET('/v0/login')).then(changeLogin);
      },
    });
  if (created)
    return (
      <FirstKeyDialog
        application={created.data}
        keyText={created.apiKey.key}
        lines={exporterLines(created.data.id, created.apiKey.key)}
        onClose={onClose}
      />
    );
  return (
    <AskDialog
      title="New application"
      action="Create"
      isBusy={create.isPending || fields.title.trim() === ''}
      error={create.error}
      onConfirm={start}
      onClose={onClose}
    >
      <TextField label="Name" required {...set('title')} />
      <SelectField label="Kind" choices={KINDS} {...set('type')} />
      <SelectField label="Environment" choices={ENVIRONMENTS} {...set('environment')} />
      <TextField label="Language" help="Language tag, such as en or pt-BR." {...set('language')} />
    </AskDialog>
  );
}

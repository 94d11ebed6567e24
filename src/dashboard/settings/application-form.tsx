import { type ReactNode, useState } from 'react';
import type { Application } from '../../api/generated/schema.ts';
import { useScope, useSession } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { problemOf, SelectField, TextArea, TextField } from '../ui/field.tsx';
import { Loaded } from '../ui/panel.tsx';
import { announce } from '../ui/status-line.tsx';

/** Shows and changes what the application is. */
export function ApplicationForm(): ReactNode {
  const { application } = useSession();
  const path = { id: application.id };
  const record = useApi(['applications', path], (api, signal) =>
    api.GET('/v0/applications/{id}', { params: { path }, signal }),
  );
  return (
    <Loaded of={record} isFlush>
      {({ data }) => <Form key={data.modifiedAt} application={data} />}
    </Loaded>
  );
}

const EDITABLE = ['title', 'description', 'context', 'language', 'type', 'environment'] as const;

function Form({ application }: { application: Application }): ReactNode {
  const isAdmin = useScope('admin');
  const [draft, setDraft] = useState(application);
  const save = useAction(['applications'], (api, body: Partial<Application>) =>
    api.PUT('/v0/applications/{id}', { params: { path: { id: application.id } }, body }),
  );
  const changed = Object.fromEntries(
    [...EDITABLE, 'humanAnnotationEnabled' as const].flatMap((name) =>
      draft[name] === application[name] ? [] : [[name, draft[name]]],
    ),
  );
  const field = (name: (typeof EDITABLE)[number]) => ({
    value: draft[name],
    problem: problemOf(save.error, name),
    disabled: !isAdmin,
    onChange: (event: { target: { value: string } }) => setDraft({ ...draft, [name]: event.target.value }),
  });
  const hasChanges = Object.keys(changed).length > 0;
  return (
    <form
      className="grid max-w-[620px] gap-4 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(changed, { onSuccess: () => announce('Application saved') });
      }}
    >
      <TextField label="Title" required {...field('title')} />
      <TextArea label="Description" help="For people." rows={2} {...field('description')} />
      <TextArea
        label="Context"
        help="What the application does, and for whom. Judges read it with every verdict."
        rows={5}
        {...field('context')}
      />
      <div className="grid grid-cols-3 gap-4">
        <TextField label="Language" help="Such as en or pt-BR." {...field('language')} />
        <SelectField label="Type" {...field('type')}>
          <option value="CHATBOT">Chatbot</option>
          <option value="AGENT">Agent</option>
        </SelectField>
        <SelectField label="Environment" {...field('environment')}>
          <option value="DEV">Development</option>
          <option value="PROD">Production</option>
        </SelectField>
      </div>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          disabled={!isAdmin}
          checked={draft.humanAnnotationEnabled}
          onChange={(event) => setDraft({ ...draft, humanAnnotationEnabled: event.target.checked })}
        />
        People annotate traces of this application
      </label>
      <ErrorLine error={save.error} />
      <div className="flex items-center gap-2">
        <Button look="primary" type="submit" disabled={!isAdmin || !hasChanges || save.isPending}>
          {save.isPending ? 'Saving …' : 'Save'}
        </Button>
        {hasChanges && <Button onClick={() => setDraft(application)}>Discard changes</Button>}
        {!isAdmin && <p className="text-dim">Only administrators can change the application.</p>}
        <span className="ml-auto text-label text-dim">
          Id <code className="font-mono select-all">{application.id}</code>
        </span>
      </div>
    </form>
  );
}

import type { ReactNode } from 'react';
import type { Application } from '../../api/generated/schema.ts';
import { useScope, useSession } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { ExampleDataSection } from '../example-data/example-data-section.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { ConflictPanel, Form } from '../ui/form.tsx';
import { Loaded } from '../ui/panel.tsx';
import { SaveBar } from '../ui/save-bar.tsx';
import { announce } from '../ui/status-line.tsx';
import { fieldsOf } from '../ui/use-draft.ts';
import { useRecordDraft } from '../ui/use-record-draft.ts';

const TYPES = [
  ['CHATBOT', 'Chatbot'],
  ['AGENT', 'Agent'],
] as const;
const ENVIRONMENTS = [
  ['DEV', 'Development'],
  ['PROD', 'Production'],
] as const;

/** Shows and changes what the application is. */
export function ApplicationForm(): ReactNode {
  const { application } = useSession();
  const path = { id: application.id };
  const record = useApi('/v0/applications/{id}', { path });
  return (
    <>
      <Loaded of={record} isFlush>
        {({ data }) => <Fields key={data.id} application={data} />}
      </Loaded>
      <ExampleDataSection />
    </>
  );
}

function Fields({ application }: { application: Application }): ReactNode {
  const isAdmin = useScope('admin');
  const { title, description, context, language, type, environment, humanAnnotationEnabled } = application;
  const draft = useRecordDraft(
    {
      title,
      description,
      context,
      language,
      type,
      environment,
      humanAnnotationEnabled,
    },
    application.modifiedAt,
  );
  const save = useAction(
    ['/v0/applications'],
    (api, body: Partial<Application>) =>
      api.PUT('/v0/applications/{id}', {
        params: { path: { id: application.id }, header: draft.ifMatch },
        body,
      }),
    () => announce('Application saved'),
  );
  const field = fieldsOf(draft, save.error, !isAdmin);
  return (
    <Form className="grid max-w-[620px] gap-4 p-4" onSubmit={() => save.mutate(draft.changed)}>
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
        <SelectField label="Type" choices={TYPES} {...field('type')} />
        <SelectField label="Environment" choices={ENVIRONMENTS} {...field('environment')} />
      </div>
      <CheckField
        disabled={!isAdmin}
        checked={draft.values.humanAnnotationEnabled}
        onChange={(isEnabled) => draft.change({ humanAnnotationEnabled: isEnabled })}
      >
        People review traces of this application
      </CheckField>
      {draft.conflict && <ConflictPanel {...draft.conflict} />}
      <ErrorLine error={save.error} />
      <SaveBar
        draft={draft}
        isSaving={save.isPending}
        reason={isAdmin ? null : 'Only administrators can change the application.'}
        id={application.id}
      />
    </Form>
  );
}

import type { ReactNode } from 'react';
import type { Task, UpdateTaskBody } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction, useRemoval } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { TopicSelect } from '../topics/topic-select.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { DeleteRecord } from '../ui/delete-record.tsx';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { RecordForm } from '../ui/form.tsx';
import { formatJson, parseJsonObject } from '../ui/json-field.ts';
import { announce } from '../ui/status-line.tsx';
import { fieldsOf } from '../ui/use-draft.ts';
import { useRecordDraft } from '../ui/use-record-draft.ts';
import { TASK_STATUS_NAMES, TYPE_NAMES } from './words.ts';

const CODE = { rows: 4, className: 'font-mono text-label', spellCheck: false } as const;

/** Shows and changes what a task is. */
export const SettingsTab = ({ task }: { task: Task }): ReactNode => (
  <div className="grid max-w-[680px] gap-6 p-4">
    <TaskForm key={task.id} task={task} />
    <DeleteTask task={task} />
  </div>
);

type Fields = ReturnType<typeof fieldsOfTask>;

/** Returns the fields of the form; objects are edited as their JSON text. */
const fieldsOfTask = ({ title, description, type, status, topicId, isVerified, ...task }: Task) => ({
  title,
  description,
  type,
  status,
  topicId: topicId ?? '',
  isVerified,
  metadata: formatJson(task.metadata),
  simulatedPromptSchema: formatJson(task.simulatedPromptSchema),
});

function TaskForm({ task }: { task: Task }): ReactNode {
  const mayWrite = useScope('write');
  const draft = useRecordDraft(fieldsOfTask(task), task.modifiedAt);
  const { values, changed } = draft;
  const save = useAction(
    ['/v0/tasks'],
    (api, body: UpdateTaskBody) =>
      api.PUT('/v0/tasks/{id}', { params: { path: { id: task.id }, header: draft.ifMatch }, body }),
    () => announce('Task saved'),
  );
  const field = fieldsOf(draft, save.error, !mayWrite);
  const metadata = parseJsonObject(values.metadata);
  const schema = parseJsonObject(values.simulatedPromptSchema);
  const submit = (): void => {
    if (metadata.problem !== undefined || schema.problem !== undefined) return;
    save.mutate(bodyOf(changed, metadata.value, schema.value));
  };
  return (
    <RecordForm id={task.id} draft={draft} save={save} mayWrite={mayWrite} onSave={submit}>
      <TextField label="Title" required maxLength={256} {...field('title')} />
      <TextArea label="Description" rows={4} maxLength={10_000} {...field('description')} />
      <SelectField label="Type" choices={Object.entries(TYPE_NAMES)} {...field('type')} />
      <div className="grid grid-cols-2 items-start gap-4">
        <SelectField
          label="Status"
          help="Drafts run only by hand; archived tasks do not run."
          choices={Object.entries(TASK_STATUS_NAMES)}
          {...field('status')}
        />
        <TopicSelect {...field('topicId')} />
      </div>
      <CheckField
        disabled={!mayWrite}
        checked={values.isVerified}
        onChange={(isOn) => draft.change({ isVerified: isOn })}
      >
        A person has verified this task
      </CheckField>
      <TextArea
        label="Metadata"
        help="A JSON object that your app gets with each test. Empty for none."
        {...CODE}
        {...field('metadata')}
        problem={metadata.problem ?? field('metadata').problem}
      />
      <TextArea
        label="Schema of the prompts"
        help="A JSON Schema, if the prompts are objects; each example is then the JSON text of one. Empty for plain texts."
        {...CODE}
        {...field('simulatedPromptSchema')}
        problem={schema.problem ?? field('simulatedPromptSchema').problem}
      />
    </RecordForm>
  );
}

/** Returns the changed fields as the API takes them. */
function bodyOf(
  { topicId, metadata, simulatedPromptSchema, ...changed }: Partial<Fields>,
  metadataObject: unknown,
  schema: unknown,
): UpdateTaskBody {
  const body = {
    ...changed,
    ...(topicId !== undefined && { topicId: topicId === '' ? null : topicId }),
    ...(metadata !== undefined && { metadata: metadataObject }),
    ...(simulatedPromptSchema !== undefined && { simulatedPromptSchema: schema }),
  };
  return body as UpdateTaskBody;
}

function DeleteTask({ task }: { task: Task }): ReactNode {
  const mayWrite = useScope('write');
  const open = useOpen();
  const remove = useRemoval(['/v0/tasks'], (api, id: string) =>
    api.DELETE('/v0/tasks/{id}', { params: { path: { id } } }),
  );
  if (!mayWrite || task.status === 'ARCHIVED') return null;
  const hasTests = task.lastTest !== null;
  return (
    <DeleteRecord
      verb={hasTests ? 'Archive' : 'Delete'}
      what="task"
      record={task}
      remove={remove}
      onDone={() => {
        announce(hasTests ? 'Task archived' : 'Task deleted');
        open('/tasks');
      }}
    >
      {hasTests
        ? 'It runs no more, neither by hand nor by schedule. Its tests and their results stay.'
        : 'Its schedule is deleted too. This cannot be undone.'}
    </DeleteRecord>
  );
}

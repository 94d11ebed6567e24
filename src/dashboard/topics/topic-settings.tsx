import { type ReactNode, useState } from 'react';
import type { Topic, UpdateTopicBody } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction } from '../api/use-api.ts';
import { TASK_STATUS_NAMES } from '../tasks/words.ts';
import { Button } from '../ui/button.tsx';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { RecordForm } from '../ui/form.tsx';
import { announce } from '../ui/status-line.tsx';
import { fieldsOf } from '../ui/use-draft.ts';
import { useRecordDraft } from '../ui/use-record-draft.ts';

const CHECKS = [
  ['isTasksVerified', 'Its tasks'],
  ['isDocumentsVerified', 'Its documents'],
  ['isKnowledgeBaseVerified', 'Its knowledge base'],
  ['isPoliciesVerified', 'Its policies'],
] as const;

/** Shows and changes what a topic is. */
export const TopicSettings = ({ topic }: { topic: Topic }): ReactNode => (
  <div className="grid max-w-[680px] gap-6 p-4">
    <TopicForm key={topic.id} topic={topic} />
    <ArchiveTopic topic={topic} />
  </div>
);

const fieldsOfTopic = ({ title, description, status, assignedTo, ...topic }: Topic) => ({
  title,
  description: description ?? '',
  status,
  assignedTo: assignedTo ?? '',
  isTasksVerified: topic.isTasksVerified,
  isDocumentsVerified: topic.isDocumentsVerified,
  isKnowledgeBaseVerified: topic.isKnowledgeBaseVerified,
  isPoliciesVerified: topic.isPoliciesVerified,
});

function TopicForm({ topic }: { topic: Topic }): ReactNode {
  const mayWrite = useScope('write');
  const { id } = topic;
  const draft = useRecordDraft(fieldsOfTopic(topic), topic.modifiedAt);
  const { values, changed } = draft;
  const save = useAction(
    ['/v0/topics'],
    (api, body: UpdateTopicBody) =>
      api.PUT('/v0/topics/{id}', { params: { path: { id }, header: draft.ifMatch }, body }),
    () => announce('Topic saved'),
  );
  const field = fieldsOf(draft, save.error, !mayWrite);
  return (
    <RecordForm
      id={id}
      draft={draft}
      save={save}
      mayWrite={mayWrite}
      onSave={() => save.mutate(bodyOf(changed))}
    >
      <TextField label="Title" required maxLength={256} {...field('title')} />
      <TextArea
        label="Description"
        help="What people know about this subject, and how well the app is expected to do."
        rows={4}
        maxLength={10_000}
        {...field('description')}
      />
      <div className="grid grid-cols-2 gap-4">
        <SelectField label="Status" choices={Object.entries(TASK_STATUS_NAMES)} {...field('status')} />
        <TextField label="Assigned to" help="Who is responsible." maxLength={256} {...field('assignedTo')} />
      </div>
      <fieldset className="grid gap-1.5">
        <legend className="pb-1 text-label font-semibold">A person has verified</legend>
        {CHECKS.map(([name, text]) => (
          <CheckField
            key={name}
            disabled={!mayWrite}
            checked={values[name]}
            onChange={(isOn) => draft.change({ [name]: isOn })}
          >
            {text}
          </CheckField>
        ))}
      </fieldset>
    </RecordForm>
  );
}

/** Returns the changed fields as the API takes them. */
const bodyOf = ({ description, assignedTo, ...changed }: UpdateTopicBody): UpdateTopicBody => ({
  ...changed,
  ...(description !== undefined && { description: description || null }),
  ...(assignedTo !== undefined && { assignedTo: assignedTo || null }),
});

function ArchiveTopic({ topic: { id, title, status } }: { topic: Topic }): ReactNode {
  const mayWrite = useScope('write');
  const [isAsked, setAsked] = useState(false);
  const [cascade, setCascade] = useState(false);
  const archive = useAction(['/v0'], (api, body: { cascade: boolean }) =>
    api.POST('/v0/topics/{id}/archive', { params: { path: { id } }, body }),
  );
  if (!mayWrite || status === 'ARCHIVED') return null;
  return (
    <div className="border-t border-line pt-4">
      <Button look="danger" onClick={() => setAsked(true)}>
        Archive the topic
      </Button>
      {isAsked && (
        <AskDialog
          title={`Archive “${title}”`}
          action="Archive the topic"
          isDanger
          isBusy={archive.isPending}
          error={archive.error}
          onConfirm={() =>
            archive.mutate(
              { cascade },
              {
                onSuccess: () => {
                  announce('Topic archived');
                  setAsked(false);
                },
              },
            )
          }
          onClose={() => setAsked(false)}
        >
          <p className="text-dim">It leaves the lists. Results stay, and the status can be set back.</p>
          <CheckField checked={cascade} onChange={setCascade}>
            Archive its tasks too: they run no more
          </CheckField>
        </AskDialog>
      )}
    </div>
  );
}

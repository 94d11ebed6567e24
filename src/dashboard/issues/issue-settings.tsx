import type { ReactNode } from 'react';
import type { Issue, UpdateIssueBody } from '../../api/generated/schema.ts';
import { useScope, useSession } from '../api/session.ts';
import { useAction, useApi, useRemoval } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { useTaskTitles } from '../tests/use-task-titles.ts';
import { TopicSelect } from '../topics/topic-select.tsx';
import { withChosen } from '../ui/choice.tsx';
import { DeleteRecord } from '../ui/delete-record.tsx';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { RecordForm } from '../ui/form.tsx';
import { announce } from '../ui/status-line.tsx';
import { fieldsOf } from '../ui/use-draft.ts';
import { useRecordDraft } from '../ui/use-record-draft.ts';
import { useEvaluatorNames } from './use-evaluator-names.ts';
import { ISSUE_TYPE_NAMES, PRIORITY_NAMES } from './words.ts';

const NONE = ['', 'None'] as const;
/** Issues that one list offers as parents. */
const MAX_PARENTS = 100;

/** Shows and changes what an issue is. */
export const IssueSettings = ({ issue }: { issue: Issue }): ReactNode => {
  const mayWrite = useScope('write');
  return (
    <div className="grid max-w-[680px] grid-cols-1 gap-6 p-4">
      <IssueForm key={issue.id} issue={issue} />
      {mayWrite && <DeleteIssue issue={issue} />}
    </div>
  );
};

const fieldsOfIssue = (issue: Issue) => ({
  title: issue.title,
  description: issue.description,
  type: issue.type,
  priority: issue.priority,
  ownerId: issue.ownerId ?? '',
  topicId: issue.topicId ?? '',
  taskId: issue.taskId ?? '',
  evalDefinitionId: issue.evalDefinitionId ?? '',
  parentId: issue.parentId ?? '',
  match: issue.match ?? '',
});

function IssueForm({ issue }: { issue: Issue }): ReactNode {
  const mayWrite = useScope('write');
  const { id, number } = issue;
  const draft = useRecordDraft(fieldsOfIssue(issue), issue.modifiedAt);
  const evaluators = useEvaluatorNames();
  const tasks = useTaskTitles();
  const save = useAction(
    ['/v0/issues'],
    (api, body: UpdateIssueBody) =>
      api.PUT('/v0/issues/{id}', { params: { path: { id: String(number) }, header: draft.ifMatch }, body }),
    () => announce('Issue saved'),
  );
  const field = fieldsOf(draft, save.error, !mayWrite);
  const { values } = draft;
  return (
    <RecordForm
      id={id}
      draft={draft}
      save={save}
      mayWrite={mayWrite}
      onSave={() => save.mutate(bodyOf(draft.changed))}
    >
      <TextField label="Title" required maxLength={256} {...field('title')} />
      <TextArea
        label="Description"
        help="What the app does, and what it should do."
        rows={5}
        maxLength={10_000}
        {...field('description')}
      />
      <div className="grid grid-cols-2 gap-4 max-[719px]:grid-cols-1">
        <SelectField label="Type" choices={Object.entries(ISSUE_TYPE_NAMES)} {...field('type')} />
        <SelectField label="Priority" choices={Object.entries(PRIORITY_NAMES)} {...field('priority')} />
        <SelectField label="Owner" choices={useOwners(issue)} {...field('ownerId')} />
        <TopicSelect {...field('topicId')} />
        <SelectField
          label="Task"
          choices={[NONE, ...withChosen([...tasks], values.taskId)]}
          {...field('taskId')}
        />
        <SelectField
          label="Evaluator"
          help="It detects the problem."
          choices={[NONE, ...withChosen([...evaluators], values.evalDefinitionId)]}
          {...field('evalDefinitionId')}
        />
        <SelectField
          label="Part of"
          help="A part of an issue has no parts itself."
          choices={useParents(issue, values.parentId)}
          {...field('parentId')}
        />
      </div>
      <TextField
        label="Filter line"
        help="Finds traces that show the problem. It links nothing by itself: “Link traces …” begins with it."
        maxLength={2_000}
        {...field('match')}
      />
    </RecordForm>
  );
}

/** Fields of which an empty text means none. */
const OPTIONAL = new Set(['ownerId', 'topicId', 'taskId', 'evalDefinitionId', 'parentId', 'match']);

/** Returns the changed fields as the API takes them. */
const bodyOf = (changed: Readonly<Record<string, unknown>>): UpdateIssueBody =>
  Object.fromEntries(
    Object.entries(changed).map(([name, value]) => [name, value === '' && OPTIONAL.has(name) ? null : value]),
  );

/** Returns who can take care of an issue: the person at the page, who does now, and for admins all members. */
function useOwners({ ownerId, ownerName }: Issue): readonly (readonly [string, string])[] {
  const { login, application } = useSession();
  const isAdmin = useScope('admin');
  const members = useApi(
    '/v0/applications/{id}/members',
    { path: { id: application.id }, query: { limit: 100 } },
    { enabled: isAdmin },
  );
  const people = new Map<string, string>([['', 'Nobody']]);
  if (ownerId !== null) people.set(ownerId, ownerName ?? ownerId);
  if (login.user) people.set(login.user.id, login.user.name);
  for (const { id, name } of members.data?.data ?? []) people.set(id, name);
  return [...people];
}

/** Returns the issues that this one can be a part of. */
function useParents({ id }: Issue, chosen: string): readonly (readonly [string, string])[] {
  const query = { status: ['OPEN' as const], limit: MAX_PARENTS };
  const list = useApi('/v0/issues', { query });
  const parent = useApi('/v0/issues/{id}', { path: { id: chosen } }, { enabled: chosen !== '' });
  const offered = (list.data?.data ?? []).filter((one) => one.id !== id && one.parentId === null);
  const all = new Map([...offered, ...(parent.data ? [parent.data.data] : [])].map((one) => [one.id, one]));
  return [NONE, ...[...all.values()].map((one) => [one.id, `#${one.number} ${one.title}`] as const)];
}

function DeleteIssue({ issue: { number, title } }: { issue: Issue }): ReactNode {
  const open = useOpen();
  const remove = useRemoval(['/v0/issues', '/v0/notes'], (api, id: string) =>
    api.DELETE('/v0/issues/{id}', { params: { path: { id } } }),
  );
  return (
    <DeleteRecord
      verb="Delete"
      what="issue"
      record={{ id: String(number), title }}
      remove={remove}
      onDone={() => {
        announce(`Issue #${number} deleted`);
        open('/issues');
      }}
    >
      Its activity and its links are lost. The traces and notes stay. The number is not used again.
    </DeleteRecord>
  );
}

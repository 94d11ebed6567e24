import type { ReactNode } from 'react';
import type { CreateIssueBody } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { TopicSelect } from '../topics/topic-select.tsx';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { announce } from '../ui/status-line.tsx';
import { fieldsOf, useDraft } from '../ui/use-draft.ts';
import { ISSUE_SOURCE_NAMES, PRIORITY_NAMES } from './words.ts';

const EMPTY = {
  title: '',
  description: '',
  source: 'HUMAN_ANNOTATION' as CreateIssueBody['source'],
  priority: 'MEDIUM' as NonNullable<CreateIssueBody['priority']>,
  topicId: '',
};

/** Creates an issue and opens it. */
export function NewIssueDialog({ onClose }: { onClose: () => void }): ReactNode {
  const open = useOpen();
  const draft = useDraft(EMPTY);
  const create = useAction(['/v0/issues'], (api, body: CreateIssueBody) => api.POST('/v0/issues', { body }));
  const field = fieldsOf(draft, create.error);
  const save = (): void =>
    create.mutate(
      { ...draft.values, topicId: draft.values.topicId || null },
      {
        onSuccess: ({ data: { number } }) => {
          announce(`Issue #${number} created`);
          onClose();
          open(`/issues/${number}`);
        },
      },
    );
  return (
    <AskDialog
      title="New issue"
      action="Create"
      isBusy={create.isPending}
      error={create.error}
      onConfirm={save}
      onClose={onClose}
    >
      <TextField
        label="Title"
        required
        maxLength={256}
        placeholder="Promises the refund without an order number"
        {...field('title')}
      />
      <TextArea
        label="Description"
        help="What the app does, and what it should do. Optional."
        rows={3}
        maxLength={10_000}
        {...field('description')}
      />
      <SelectField label="Priority" choices={Object.entries(PRIORITY_NAMES)} {...field('priority')} />
      <SelectField label="Noticed in" choices={Object.entries(ISSUE_SOURCE_NAMES)} {...field('source')} />
      <TopicSelect {...field('topicId')} />
    </AskDialog>
  );
}

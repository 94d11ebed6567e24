import type { ReactNode } from 'react';
import type { CreateTaskBody } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { TopicSelect } from '../topics/topic-select.tsx';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { problemOf, SelectField, TextArea, TextField } from '../ui/field.tsx';
import { announce } from '../ui/status-line.tsx';
import { fieldsOf, useDraft } from '../ui/use-draft.ts';
import { TYPE_NAMES } from './words.ts';

interface NewTaskDialogProps {
  /** Topic that is suggested; empty for none. */
  topicId: string;
  onClose: () => void;
}

/** Creates a task and opens it. */
export function NewTaskDialog({ topicId, onClose }: NewTaskDialogProps): ReactNode {
  const open = useOpen();
  const draft = useDraft({ title: '', type: 'STATIC', topicId, examples: '' });
  const create = useAction(['/v0/tasks'], (api, body: CreateTaskBody) => api.POST('/v0/tasks', { body }));
  const field = fieldsOf(draft, create.error);
  const submit = (): void => {
    const { title, type, topicId: topic, examples } = draft.values;
    create.mutate(
      {
        title,
        type: type as NonNullable<CreateTaskBody['type']>,
        topicId: topic === '' ? null : topic,
        inputExamples: examples.split('\n').filter((line) => line.trim() !== ''),
      },
      {
        onSuccess: ({ task }) => {
          announce(`Task “${task.title}” created`);
          onClose();
          open(`/tasks/${task.id}`);
        },
      },
    );
  };
  return (
    <AskDialog
      title="New task"
      action="Create"
      isWide
      isBusy={create.isPending}
      error={create.error}
      onConfirm={submit}
      onClose={onClose}
    >
      <TextField
        label="Title"
        required
        maxLength={256}
        placeholder="Refund within 30 days"
        {...field('title')}
      />
      <TextArea
        label="Examples"
        help="One in each line. Longer ones, expected values and files can be added to the task afterwards."
        rows={6}
        {...field('examples')}
        problem={problemOf(create.error, 'inputExamples')}
      />
      <div className="grid grid-cols-2 gap-4">
        <TopicSelect {...field('topicId')} />
        <SelectField label="Type" choices={Object.entries(TYPE_NAMES)} {...field('type')} />
      </div>
    </AskDialog>
  );
}

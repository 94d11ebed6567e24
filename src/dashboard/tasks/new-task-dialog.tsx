import { type ReactNode, useState } from 'react';
import type { CreateTaskBody } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { TopicSelect } from '../topics/topic-select.tsx';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { problemOf, SelectField, TextArea, TextField } from '../ui/field.tsx';
import { announce } from '../ui/status-line.tsx';
import { TYPE_NAMES } from './words.ts';

interface NewTaskDialogProps {
  /** Topic that is suggested; empty for none. */
  topicId: string;
  onClose: () => void;
}

/** Creates a task and opens it. */
export function NewTaskDialog({ topicId, onClose }: NewTaskDialogProps): ReactNode {
  const open = useOpen();
  const [title, setTitle] = useState('');
  const [topic, setTopic] = useState(topicId);
  const [type, setType] = useState<CreateTaskBody['type']>('STATIC');
  const [examples, setExamples] = useState('');
  const create = useAction(['tasks'], (api, body: CreateTaskBody) => api.POST('/v0/tasks', { body }));
  const submit = (): void =>
    create.mutate(
      {
        title,
        type,
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
        problem={problemOf(create.error, 'title')}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <TextArea
        label="Input examples"
        help="One in each line. Longer ones, expected values and files can be added to the task afterwards."
        rows={6}
        problem={problemOf(create.error, 'inputExamples')}
        value={examples}
        onChange={({ target }) => setExamples(target.value)}
      />
      <div className="grid grid-cols-2 gap-4">
        <TopicSelect value={topic} onChange={({ target }) => setTopic(target.value)} />
        <SelectField
          label="Type"
          value={type}
          onChange={({ target }) => setType(target.value as CreateTaskBody['type'])}
        >
          {Object.entries(TYPE_NAMES).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
    </AskDialog>
  );
}

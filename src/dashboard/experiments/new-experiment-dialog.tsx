import { type ReactNode, useState } from 'react';
import type { CreateExperimentBody } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { useTaskTitles } from '../tests/use-task-titles.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { problemOf, TextArea, TextField } from '../ui/field.tsx';
import { announce } from '../ui/status-line.tsx';

/** Creates an experiment and opens it. */
export function NewExperimentDialog({ onClose }: { onClose: () => void }): ReactNode {
  const open = useOpen();
  const tasks = useTaskTitles();
  const [title, setTitle] = useState('');
  const [description, setDescription] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const create = useAction(['/v0/experiments'], (api, body: CreateExperimentBody) =>
    api.POST('/v0/experiments', { body }),
  );
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return (
    <AskDialog
      title="New experiment"
      action="Create"
      isWide
      isBusy={create.isPending || chosen.size === 0 || title.trim() === ''}
      error={create.error}
      onConfirm={() =>
        create.mutate(
          { title, description, taskIds: [...chosen] },
          {
            onSuccess: ({ data }) => {
              announce(`Experiment “${data.title}” created`);
              onClose();
              open(`/experiments/${data.id}`);
            },
          },
        )
      }
      onClose={onClose}
    >
      <TextField
        label="Title"
        required
        maxLength={256}
        placeholder="Shorter answers"
        value={title}
        problem={problemOf(create.error, 'title')}
        onChange={({ target }) => setTitle(target.value)}
      />
      <TextArea
        label="What should become better?"
        rows={2}
        value={description}
        onChange={({ target }) => setDescription(target.value)}
      />
      <fieldset className="grid gap-1">
        <legend className="text-label font-semibold">Tasks that each variant is tested with</legend>
        {tasks.size === 0 && <p className="text-dim">There is no task yet.</p>}
        <div className="max-h-[200px] overflow-y-auto">
          {[...tasks].map(([id, name]) => (
            <label key={id} className="flex min-h-[26px] items-center gap-2">
              <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
              {name}
            </label>
          ))}
        </div>
      </fieldset>
    </AskDialog>
  );
}

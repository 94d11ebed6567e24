import { type ReactNode, useState } from 'react';
import type { Example, Task } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { problemOf } from '../ui/field.tsx';
import { Loaded } from '../ui/panel.tsx';
import { announce } from '../ui/status-line.tsx';
import { draftOf, EMPTY_DRAFT, isJsonInput, readDraft } from './example-draft.ts';
import { ExampleFields } from './example-fields.tsx';
import { NEW } from './example-link.ts';
import { ExampleVersions } from './example-versions.tsx';

interface ExampleDialogProps {
  task: Task;
  /** Id of the example, or `NEW`. */
  id: string;
  onClose: () => void;
}

/** Shows one example with its versions and changes it, or adds one. */
export function ExampleDialog({ task, id, onClose }: ExampleDialogProps): ReactNode {
  const mayWrite = useScope('write');
  const found = useApi(
    '/v0/tasks/{id}/examples/{exampleId}',
    { path: { id: task.id, exampleId: id } },
    { enabled: id !== NEW },
  );
  const example = found.data?.data;
  if (id === NEW && mayWrite) return <ExampleForm task={task} onClose={onClose} />;
  if (example && mayWrite) return <ExampleForm task={task} example={example} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} title="Example" width="wide">
      <div className="grid grid-cols-1 gap-3 overflow-y-auto p-4">
        {id === NEW ? (
          <p>Your role only lets you look.</p>
        ) : (
          <Loaded of={found}>
            {({ data }) => (
              <fieldset disabled className="grid gap-3">
                <ExampleFields
                  draft={draftOf(data)}
                  isNew={false}
                  isInputJson={isJsonInput(task, data)}
                  problems={{}}
                  onChange={() => undefined}
                />
              </fieldset>
            )}
          </Loaded>
        )}
        {example && <ExampleVersions taskId={task.id} example={example} />}
        <div className="flex justify-end">
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    </Dialog>
  );
}

interface ExampleFormProps {
  task: Task;
  /** Absent for a new one. */
  example?: Example;
  onClose: () => void;
}

function ExampleForm({ task, example, onClose }: ExampleFormProps): ReactNode {
  const [stored] = useState(() => (example ? draftOf(example) : EMPTY_DRAFT));
  const [draft, setDraft] = useState(stored);
  const isInputJson = isJsonInput(task, example);
  const { body, problems } = readDraft(draft, isInputJson);
  const save = useAction(['/v0/tasks'], (api, { status, ...fields }: typeof body) => {
    const path = { id: task.id };
    return example === undefined
      ? api.POST('/v0/tasks/{id}/examples', { params: { path }, body: fields })
      : api.PUT('/v0/tasks/{id}/examples/{exampleId}', {
          params: { path: { ...path, exampleId: example.id } },
          body: { ...fields, ...(status && { status }) },
        });
  });
  const names = Object.keys(draft) as (keyof typeof draft)[];
  const isUnchanged = names.every((name) => draft[name] === stored[name]);
  const hasProblem = Object.values(problems).some((problem) => problem !== undefined);
  const reported = (name: string): string | undefined => problemOf(save.error, name);
  return (
    <AskDialog
      title={example === undefined ? 'New example' : 'Example'}
      action="Save"
      isWide
      isBusy={save.isPending || isUnchanged || hasProblem || draft.input === ''}
      error={save.error}
      onConfirm={() =>
        save.mutate(body, {
          onSuccess: () => {
            announce(example === undefined ? 'Example added' : 'Example saved');
            onClose();
          },
        })
      }
      onClose={onClose}
    >
      <ExampleFields
        draft={draft}
        isNew={example === undefined}
        isInputJson={isInputJson}
        problems={{
          input: problems.input ?? reported('input'),
          expected: problems.expected ?? reported('expected'),
          metadata: problems.metadata ?? reported('metadata'),
          weight: problems.weight ?? reported('weight'),
          split: reported('split'),
          tags: reported('tags'),
          key: reported('key'),
        }}
        onChange={(patch) => setDraft({ ...draft, ...patch })}
      />
      {example && <ExampleVersions taskId={task.id} example={example} />}
    </AskDialog>
  );
}

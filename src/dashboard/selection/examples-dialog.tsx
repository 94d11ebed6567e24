import { type ReactNode, useState } from 'react';
import type { CreateExamplesFromTracesBody } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { formatWhole } from '../format/number.ts';
import { useTaskTitles } from '../tests/use-task-titles.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { announce } from '../ui/status-line.tsx';
import { doneText } from './chosen.ts';
import type { SelectionDialogProps } from './review-dialog.tsx';

type Expected = NonNullable<CreateExamplesFromTracesBody['expected']>;

const EXPECTED: readonly (readonly [Expected, string])[] = [
  ['CORRECTED', 'What a reviewer wrote, else nothing'],
  ['OUTPUT', 'The output of the trace: it was right'],
  ['NONE', 'Nothing'],
];

interface ExamplesDialogProps extends SelectionDialogProps {
  /** Task that is suggested. */
  taskId?: string;
  /** Subset that is suggested. */
  subset?: string;
}

/** Makes examples of the selected traces. */
export function ExamplesDialog(props: ExamplesDialogProps): ReactNode {
  const { selection, count, onClose, onDone } = props;
  const titles = useTaskTitles();
  const [chosen, setChosen] = useState(props.taskId ?? '');
  const [expected, setExpected] = useState<Expected>('CORRECTED');
  const [subset, setSubset] = useState(props.subset ?? '');
  const taskId = titles.has(chosen) ? chosen : ([...titles.keys()][0] ?? '');
  const create = useAction(
    ['/v0/tasks', '/v0/results', '/v0/issues'],
    (api, body: CreateExamplesFromTracesBody) =>
      api.POST('/v0/tasks/{id}/examples/from-traces', { params: { path: { id: taskId } }, body }),
  );
  const many = count === 1 ? '1 example' : `${formatWhole(count)} examples`;
  const split = subset.trim();
  return (
    <AskDialog
      title="Create examples"
      action={create.isPending ? 'Creating …' : `Create ${many}`}
      isBusy={create.isPending || taskId === ''}
      error={create.error}
      onConfirm={() =>
        create.mutate(
          { selection, expected, ...(split !== '' && { split }) },
          {
            onSuccess: ({ data }) => {
              announce(
                doneText(data, {
                  did: data.done === 1 ? 'example created' : 'examples created',
                  shown: count,
                }),
              );
              onClose();
              onDone();
            },
          },
        )
      }
      onClose={onClose}
    >
      <p className="text-dim">
        The input of each trace becomes an example. Traces that are examples of the task already stay as they
        are.
      </p>
      <SelectField
        label="Task"
        value={taskId}
        choices={[...titles]}
        onChange={({ target }) => setChosen(target.value)}
        help={titles.size === 0 ? 'There is no task yet.' : undefined}
      />
      <SelectField
        label="Expected output"
        value={expected}
        choices={EXPECTED}
        onChange={({ target }) => setExpected(target.value as Expected)}
      />
      <TextField
        label="Subset"
        placeholder="none"
        maxLength={64}
        value={subset}
        onChange={({ target }) => setSubset(target.value)}
      />
    </AskDialog>
  );
}

import { type ReactNode, useState } from 'react';
import type { Task } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { formatPercent } from '../format/number.ts';
import { type TestRate, useTestRates } from '../reports/use-test-rates.ts';
import { Button } from '../ui/button.tsx';
import { RowAction } from '../ui/cells.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { IntervalBar } from '../ui/interval-bar.tsx';
import { Empty } from '../ui/states.tsx';
import { announce } from '../ui/status-line.tsx';
import { ExampleDialog } from './example-dialog.tsx';
import { useSaveTask } from './use-save-task.ts';

/** Characters of an example that the list shows. */
const MAX_TEXT = 1_500;

/** Shows the input examples of a task, each with how its tests went; adds, changes, moves and deletes them. */
export function ExamplesTab({ task }: { task: Task }): ReactNode {
  const { inputExamples } = task;
  const mayWrite = useScope('write');
  const rates = useTestRates({
    by: 'exampleIndex',
    filters: [{ column: 'task', operator: 'eq', value: task.id }],
  });
  const save = useSaveTask(task.id);
  const [edited, setEdited] = useState<number | null>(null);
  const [deleted, setDeleted] = useState<number | null>(null);
  const add = (): void => setEdited(inputExamples.length);
  useShortcuts(mayWrite ? [{ keys: 'n', label: 'Add an example', group: 'This page', run: add }] : []);
  const button = mayWrite && (
    <Button look="primary" keys="n" onClick={add}>
      Add an example
    </Button>
  );
  const store = (examples: string[], done: string): void =>
    save.mutate(
      { inputExamples: examples },
      {
        onSuccess: () => {
          announce(done);
          setEdited(null);
          setDeleted(null);
        },
      },
    );
  const close = (): void => {
    save.reset();
    setEdited(null);
    setDeleted(null);
  };
  return (
    <>
      {inputExamples.length === 0 ? (
        <Empty title="No examples yet">
          <p>An example is an input that your app gets in a test. A run takes the examples in turn.</p>
          <div>{button}</div>
        </Empty>
      ) : (
        <div className="px-4 py-3">
          <div className="flex items-center gap-3 pb-2">
            <p className="text-dim">A run takes the examples in turn, from the first one on.</p>
            <span className="ml-auto">{button}</span>
          </div>
          <ol>
            {inputExamples.map((example, index) => (
              <li
                key={index}
                className="grid grid-cols-[36px_minmax(0,1fr)_180px_150px] items-start gap-x-3 border-t border-line py-2 max-[800px]:grid-cols-[36px_minmax(0,1fr)]"
              >
                <span className="text-right text-dim">{index + 1}</span>
                <p className="text-reading break-words whitespace-pre-wrap">
                  {example.length > MAX_TEXT ? `${example.slice(0, MAX_TEXT)}…` : example}
                </p>
                <ExampleResult rate={rates.get(String(index))} />
                {mayWrite && (
                  <span className="flex justify-end gap-3">
                    {index > 0 && (
                      <RowAction
                        of={`example ${index + 1}`}
                        onClick={() => store(swapped(inputExamples, index), `Example ${index + 1} moved up`)}
                      >
                        Up
                      </RowAction>
                    )}
                    <RowAction of={`example ${index + 1}`} onClick={() => setEdited(index)}>
                      Edit
                    </RowAction>
                    <RowAction isDanger of={`example ${index + 1}`} onClick={() => setDeleted(index)}>
                      Delete
                    </RowAction>
                  </span>
                )}
              </li>
            ))}
          </ol>
        </div>
      )}
      {edited !== null && (
        <ExampleDialog
          key={edited}
          number={edited + 1}
          text={inputExamples[edited]}
          isSaving={save.isPending}
          error={save.error}
          onSave={(text) => store(inputExamples.toSpliced(edited, 1, text), `Example ${edited + 1} saved`)}
          onClose={close}
        />
      )}
      <Confirm
        isOpen={deleted !== null}
        title={`Delete example ${(deleted ?? 0) + 1}?`}
        action="Delete the example"
        isBusy={save.isPending}
        error={save.error}
        onClose={close}
        onConfirm={() =>
          deleted !== null && store(inputExamples.toSpliced(deleted, 1), `Example ${deleted + 1} deleted`)
        }
      >
        Tests that used it stay. The examples after it move up by one.
      </Confirm>
    </>
  );
}

function ExampleResult({ rate }: { rate: TestRate | undefined }): ReactNode {
  if (rate === undefined) return <span className="text-dim">not tested yet</span>;
  const { share, count, interval } = rate;
  return (
    <div>
      <IntervalBar share={share} interval={interval} />
      <p className="text-label text-dim">
        {formatPercent(share)} of {count} {count === 1 ? 'test' : 'tests'}
      </p>
    </div>
  );
}

/** Returns the examples, one of them moved up. */
const swapped = (examples: readonly string[], index: number): string[] =>
  examples.toSpliced(index, 1).toSpliced(index - 1, 0, examples[index] ?? '');

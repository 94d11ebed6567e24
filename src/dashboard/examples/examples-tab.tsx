import { type ReactNode, useState } from 'react';
import type { Example, Task } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { pageOf } from '../app/list-state.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { useUrlState } from '../app/url.tsx';
import { useTestRates } from '../reports/use-test-rates.ts';
import { Button } from '../ui/button.tsx';
import { RecordList } from '../ui/record-list.tsx';
import { Command, Empty } from '../ui/states.tsx';
import { announce } from '../ui/status-line.tsx';
import { DeleteExample } from './delete-example.tsx';
import { columnsOf, rowActions } from './example-columns.tsx';
import { ExampleDialog } from './example-dialog.tsx';
import { ExampleFilters } from './example-filters.tsx';
import { exampleHref, LIST_DEFAULTS, NEW } from './example-link.ts';
import { ImportDialog } from './import-dialog.tsx';

const FILTERS = { search: '', split: '', status: '' };

/** Shows the examples of a task, each with how its tests went; adds, changes, imports and deletes them. */
export function ExamplesTab({ task }: { task: Task }): ReactNode {
  const [state, change] = useUrlState(LIST_DEFAULTS);
  const mayWrite = useScope('write');
  const [isImporting, setImporting] = useState(false);
  const [deleted, setDeleted] = useState<Example | null>(null);
  const { search, split, status, example } = state;
  const query = {
    ...pageOf<'position'>(state),
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(split !== '' && { split: [split] }),
    ...(status !== '' && { status: [status as Example['status']] }),
  };
  const list = useApi(['tasks', task.id, 'examples', query], (api, signal) =>
    api.GET('/v0/tasks/{id}/examples', { params: { path: { id: task.id }, query }, signal }),
  );
  const rates = useExampleRates(task.id, list.data?.data ?? []);
  const restore = useAction(['tasks'], (api, exampleId: string) =>
    api.PUT('/v0/tasks/{id}/examples/{exampleId}', {
      params: { path: { id: task.id, exampleId } },
      body: { status: 'ACTIVE' },
    }),
  );
  const filter = (patch: Partial<typeof FILTERS>): void => change({ ...patch, skip: '0' });
  const add = (): void => change({ example: NEW });
  const group = 'This page';
  useShortcuts(
    mayWrite
      ? [
          { keys: 'n', label: 'Add an example', group, run: add },
          { keys: 'i', label: 'Import a file', group, run: () => setImporting(true) },
        ]
      : [],
  );
  const buttons = mayWrite && (
    <>
      <Button keys="i" onClick={() => setImporting(true)}>
        Import a file
      </Button>
      <Button look="primary" keys="n" onClick={add}>
        Add an example
      </Button>
    </>
  );
  const isFiltered = Object.keys(FILTERS).some((name) => state[name as keyof typeof FILTERS] !== '');
  return (
    <>
      {(isFiltered || list.data?.pagination.total !== 0) && (
        <ExampleFilters list={list} filters={state} onChange={filter}>
          {buttons}
        </ExampleFilters>
      )}
      <RecordList
        of={list}
        label="Examples"
        what="example"
        columns={[
          ...columnsOf(rates),
          ...(mayWrite
            ? [
                rowActions({
                  onDelete: setDeleted,
                  onRestore: ({ id }) =>
                    restore.mutate(id, { onSuccess: () => announce('Example restored') }),
                }),
              ]
            : []),
        ]}
        rowKey={({ id }) => id}
        href={({ id }) => exampleHref(task.id, id, state)}
        state={state}
        onChange={change}
        onClear={isFiltered ? () => filter(FILTERS) : undefined}
        empty={<NoExamples taskId={task.id} buttons={buttons} />}
      />
      {example !== '' && (
        <ExampleDialog key={example} task={task} id={example} onClose={() => change({ example: '' })} />
      )}
      {isImporting && <ImportDialog task={task} onClose={() => setImporting(false)} />}
      <DeleteExample taskId={task.id} example={deleted} onClose={() => setDeleted(null)} />
    </>
  );
}

/** Returns the pass rates of these examples by their ids. */
function useExampleRates(taskId: string, examples: readonly Example[]): ReturnType<typeof useTestRates> {
  const ids = examples.map(({ id }) => id);
  return useTestRates({
    by: 'example',
    filters: [
      { column: 'task', operator: 'eq', value: taskId },
      { column: 'example', operator: 'in', value: ids },
    ],
    enabled: ids.length > 0,
  });
}

const NoExamples = ({ taskId, buttons }: { taskId: string; buttons: ReactNode }): ReactNode => (
  <Empty title="No examples yet">
    <p>
      An example is an input that your app gets in a test, with the output that is expected of it. A run takes
      the examples in turn.
    </p>
    <div className="flex flex-wrap gap-2">{buttons}</div>
    {buttons !== false && (
      <>
        <p>Files of any size can be imported from the command line:</p>
        <Command text={`touchstone import questions.csv --task ${taskId}`} />
      </>
    )}
  </Empty>
);

import { type ReactNode, useState } from 'react';
import type { Example, Task, UpdateExampleBody } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { pageOf } from '../app/list-state.ts';
import { useUrlState } from '../app/url.tsx';
import { useTestRates } from '../reports/use-test-rates.ts';
import { RecordList } from '../ui/record-list.tsx';
import { CommandText, Empty } from '../ui/states.tsx';
import { announce } from '../ui/status-line.tsx';
import { useWriteButtons } from '../ui/write-buttons.tsx';
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
  const query = exampleQuery(state);
  const list = useApi('/v0/tasks/{id}/examples', { path: { id: task.id }, query }, { keepsRows: true });
  const rates = useExampleRates(task.id, list.data?.data ?? []);
  const changes = useChanges(task.id, list.data?.data ?? [], state.sort === LIST_DEFAULTS.sort);
  const filter = (patch: Partial<typeof FILTERS>): void => change({ ...patch, skip: '0' });
  const buttons = useWriteButtons([
    { title: 'Import a file', keys: 'i', run: () => setImporting(true) },
    { title: 'Add an example', keys: 'n', run: () => change({ example: NEW }) },
  ]);
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
          ...(mayWrite ? [rowActions({ onDelete: setDeleted, ...changes })] : []),
        ]}
        href={({ id }) => exampleHref(task.id, id, state)}
        state={state}
        onChange={change}
        onClear={isFiltered ? () => filter(FILTERS) : undefined}
        empty={<NoExamples taskId={task.id} buttons={buttons} />}
      />
      {state.example !== '' && (
        <ExampleDialog
          key={state.example}
          task={task}
          id={state.example}
          onClose={() => change({ example: '' })}
        />
      )}
      {isImporting && <ImportDialog task={task} onClose={() => setImporting(false)} />}
      <DeleteExample taskId={task.id} example={deleted} onClose={() => setDeleted(null)} />
    </>
  );
}

function exampleQuery(state: typeof LIST_DEFAULTS) {
  const { search, split, status } = state;
  return {
    ...pageOf<'position'>(state),
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(split !== '' && { split: [split] }),
    ...(status !== '' && { status: [status as Example['status']] }),
  };
}

/**
 * Returns what restores an example, and what moves it to the place of the row above or below, where the rows stand in
 * the order of the task.
 */
function useChanges(taskId: string, rows: readonly Example[], isInOrder: boolean) {
  const change = useAction(['/v0/tasks'], (api, { id, ...body }: { id: string } & UpdateExampleBody) =>
    api.PUT('/v0/tasks/{id}/examples/{exampleId}', {
      params: { path: { id: taskId, exampleId: id } },
      body,
    }),
  );
  return {
    onRestore: ({ id }: Example): void =>
      change.mutate({ id, status: 'ACTIVE' }, { onSuccess: () => announce('Example restored') }),
    onMove: ({ id }: Example, position: number): void => change.mutate({ id, position }),
    placeBeside: (one: Example, by: 1 | -1): number | undefined =>
      isInOrder && !change.isPending ? rows[rows.indexOf(one) + by]?.position : undefined,
  };
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
        <CommandText text={`touchstone import questions.csv --task ${taskId}`} />
      </>
    )}
  </Empty>
);

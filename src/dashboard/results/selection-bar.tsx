import { type ReactNode, useState } from 'react';
import type { ApiClient, Call } from '../api/client.ts';
import { useScope } from '../api/session.ts';
import { useAction } from '../api/use-api.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { useOpen } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { announce } from '../ui/status-line.tsx';
import type { ShownResult } from './result-types.ts';
import { MAX_SELECTED } from './selection.ts';

interface ResultsSelectionProps {
  rows: readonly ShownResult[];
  /** Number of rows that match. */
  total: number;
  onSelectAll: () => void;
  onClear: () => void;
}

/** Says how many rows are selected, and what can be done with them. */
export function ResultsSelection({ rows, total, onSelectAll, onClear }: ResultsSelectionProps): ReactNode {
  const mayWrite = useScope('write');
  const [asked, setAsked] = useState<'examples' | 'again' | null>(null);
  const traces = rows.flatMap((row) => row.sides.at(-1)?.traceId ?? []);
  const examples = rows.filter(({ exampleId, isExampleDeleted }) => exampleId !== null && !isExampleDeleted);
  const mayMake = mayWrite && traces.length > 0;
  const mayRun = mayWrite && examples.length > 0;
  const group = 'Selection';
  useShortcuts([
    { keys: 'Esc', label: 'Clear the selection', group, run: onClear },
    ...(mayMake ? [{ keys: 'e', label: 'Create examples', group, run: () => setAsked('examples') }] : []),
    ...(mayRun ? [{ keys: 'Shift R', label: 'Run again', group, run: () => setAsked('again') }] : []),
  ]);
  const close = (): void => setAsked(null);
  return (
    <div
      role="region"
      aria-label="Selection"
      className="absolute bottom-4 left-1/2 z-30 flex max-w-[calc(100%-24px)] -translate-x-1/2 flex-wrap items-center gap-2 rounded-md border border-edge bg-page px-3 py-2 shadow-lg"
    >
      <span className="font-semibold whitespace-nowrap" aria-live="polite">
        {formatWhole(rows.length)} selected
      </span>
      {total > rows.length && rows.length < MAX_SELECTED && (
        <Button look="quiet" onClick={onSelectAll}>
          {total <= MAX_SELECTED
            ? `Select all ${formatWhole(total)} that match`
            : `Select the first ${formatWhole(MAX_SELECTED)} that match`}
        </Button>
      )}
      {mayMake && (
        <Button keys="e" onClick={() => setAsked('examples')}>
          Create examples
        </Button>
      )}
      {mayRun && (
        <Button keys="Shift R" onClick={() => setAsked('again')}>
          Run again
        </Button>
      )}
      <Button look="quiet" keys="Esc" onClick={onClear}>
        Clear
      </Button>
      {asked === 'examples' && <CreateExamples traceIds={traces} onClose={close} onDone={onClear} />}
      {asked === 'again' && <RunExamples rows={examples} onClose={close} />}
    </div>
  );
}

interface CreateExamplesProps {
  traceIds: readonly string[];
  onClose: () => void;
  onDone: () => void;
}

function CreateExamples({ traceIds, onClose, onDone }: CreateExamplesProps): ReactNode {
  const create = useAction(['/v0/tasks', '/v0/results'], (api, ids: readonly string[]) =>
    createAll(api, ids),
  );
  const count = traceIds.length === 1 ? '1 example' : `${formatWhole(traceIds.length)} examples`;
  return (
    <AskDialog
      title="Create examples"
      action={create.isPending ? 'Creating …' : `Create ${count}`}
      isBusy={create.isPending}
      error={create.error}
      onConfirm={() =>
        create.mutate(traceIds, {
          onSuccess: (created) => {
            announce(created === 1 ? '1 example was created' : `${created} examples were created`);
            onClose();
            onDone();
          },
        })
      }
      onClose={onClose}
    >
      <p className="text-dim">
        Each becomes an example of a task of its own, with the input and the output of its trace. Traces that
        are examples already stay as they are.
      </p>
    </AskDialog>
  );
}

/** Makes an example of each trace, one call each. */
async function createAll(api: ApiClient, traceIds: readonly string[]): Call<number> {
  let created = 0;
  for (const id of traceIds) {
    const { response, error } = await api.POST('/v0/traces/{id}/example', {
      params: { path: { id } },
      body: {},
    });
    if (!response.ok && response.status !== 409) return { error, response };
    if (response.ok) created += 1;
  }
  return { data: created, response: new Response() };
}

function RunExamples({ rows, onClose }: { rows: readonly ShownResult[]; onClose: () => void }): ReactNode {
  const open = useOpen();
  const ids = rows.flatMap(({ exampleId }) => exampleId ?? []);
  const taskIds = [...new Set(rows.map(({ taskId }) => taskId))];
  const run = useAction(['/v0'], (api, exampleIds: string[]) =>
    api.POST('/v0/tasks/trigger', {
      params: { header: { prefer: 'return=representation' } },
      body: { taskIds, repeat: 1, examples: { ids: exampleIds } },
    }),
  );
  const tests = ids.length === 1 ? '1 test' : `${formatWhole(ids.length)} tests`;
  return (
    <AskDialog
      title="Run again"
      action={`Start ${tests}`}
      isBusy={run.isPending}
      error={run.error}
      onConfirm={() =>
        run.mutate(ids, {
          onSuccess: (started) => {
            const [first] = started?.data ?? [];
            announce(`${tests} started`);
            onClose();
            open(first && taskIds.length === 1 ? `/runs/${first.runId}` : '/runs');
          },
        })
      }
      onClose={onClose}
    >
      <p className="text-dim">
        The app responds to these examples again, and the evaluators judge what it says now.
      </p>
    </AskDialog>
  );
}

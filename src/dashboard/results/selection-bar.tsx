import { type ReactNode, useState } from 'react';
import { useScope } from '../api/session.ts';
import { useAction } from '../api/use-api.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { useOpen } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { AddToIssueDialog } from '../issues/add-to-issue-dialog.tsx';
import { useMayAnnotate } from '../issues/use-may-annotate.ts';
import { doneText, MAX_MATCHING, type SelectedRows } from '../selection/chosen.ts';
import { ExamplesDialog } from '../selection/examples-dialog.tsx';
import { ReviewDialog } from '../selection/review-dialog.tsx';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { announce } from '../ui/status-line.tsx';
import type { ShownResult } from './result-types.ts';
import type { GridQuery } from './use-results.ts';

interface ResultsSelectionProps {
  /** Rows that were selected by hand; with `matching`, those of all that are loaded. */
  rows: readonly ShownResult[];
  /** Filter of all rows that match, if these are selected. */
  matching: GridQuery | null;
  /** Number of rows that match. */
  total: number;
  onSelectAll: () => void;
  onClear: () => void;
}

/** Says how many rows are selected, and what can be done with them. */
export function ResultsSelection({
  rows,
  matching,
  total,
  onSelectAll,
  onClear,
}: ResultsSelectionProps): ReactNode {
  const mayWrite = useScope('write');
  const mayAnnotate = useMayAnnotate();
  const [asked, setAsked] = useState<'review' | 'examples' | 'issue' | 'again' | null>(null);
  const traces = rows.flatMap((row) => row.sides.at(-1)?.traceId ?? []);
  const examples = rows.filter(({ exampleId, isExampleDeleted }) => exampleId !== null && !isExampleDeleted);
  const results = matching && filterOf(matching);
  const selection: SelectedRows = results ? { results } : { ids: traces };
  const count = matching ? total : rows.length;
  const mayMake = mayWrite && traces.length > 0;
  const mayLink = mayAnnotate && traces.length > 0;
  const mayRun = mayWrite && examples.length > 0;
  const group = 'Selection';
  useShortcuts([
    { keys: 'Esc', label: 'Clear the selection', group, run: onClear },
    ...(mayMake ? [{ keys: 'a', label: 'Review', group, run: () => setAsked('review') }] : []),
    ...(mayMake ? [{ keys: 'e', label: 'Create examples', group, run: () => setAsked('examples') }] : []),
    ...(mayLink ? [{ keys: 'i', label: 'Add to issue', group, run: () => setAsked('issue') }] : []),
    ...(mayRun ? [{ keys: 'Shift R', label: 'Run again', group, run: () => setAsked('again') }] : []),
  ]);
  const close = (): void => setAsked(null);
  const dialog = { selection, count: matching ? total : traces.length, onClose: close, onDone: onClear };
  const taskIds = new Set(rows.map(({ taskId }) => taskId));
  const [taskId] = taskIds;
  return (
    <div
      role="region"
      aria-label="Selection"
      className="absolute bottom-4 left-1/2 z-30 flex w-max max-w-[calc(100%-24px)] -translate-x-1/2 flex-wrap items-center gap-2 rounded-md border border-edge bg-page px-3 py-2 shadow-lg"
    >
      <span className="font-semibold whitespace-nowrap" aria-live="polite">
        {matching ? `All ${formatWhole(total)} that match` : `${formatWhole(count)} selected`}
      </span>
      {!matching && total > rows.length && (
        <Button
          look="quiet"
          disabled={total > MAX_MATCHING}
          title={
            total > MAX_MATCHING ? `More than ${formatWhole(MAX_MATCHING)}: narrow the filter` : undefined
          }
          onClick={onSelectAll}
        >
          Select all {formatWhole(total)} that match
        </Button>
      )}
      {mayMake && (
        <Button keys="a" onClick={() => setAsked('review')}>
          Review
        </Button>
      )}
      {mayLink && (
        <Button keys="i" onClick={() => setAsked('issue')}>
          Add to issue
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
      {asked === 'review' && <ReviewDialog {...dialog} />}
      {asked === 'issue' && <AddToIssueDialog {...dialog} links={{ selection }} source="TEST" />}
      {asked === 'examples' && (
        <ExamplesDialog {...dialog} {...(taskIds.size === 1 && taskId !== undefined && { taskId })} />
      )}
      {asked === 'again' &&
        (results ? (
          <RunMatching results={results} count={total} onClose={close} onDone={onClear} />
        ) : (
          <RunExamples rows={examples} onClose={close} />
        ))}
    </div>
  );
}

type ResultsFilter = NonNullable<SelectedRows['results']>;

/** Returns the filters of a query, without its order and its page. */
function filterOf({ q, side, outcome, change, causeKey }: GridQuery): ResultsFilter {
  return {
    side: [...side] as string[],
    ...(q !== undefined && { q }),
    ...(outcome && { outcome: [...outcome] }),
    ...(change && { change: [...change] }),
    ...(causeKey && { causeKey: [...causeKey] }),
  };
}

interface RunMatchingProps {
  results: ResultsFilter;
  count: number;
  onClose: () => void;
  onDone: () => void;
}

/** Tests the examples of all rows that match again. */
function RunMatching({ results, count, onClose, onDone }: RunMatchingProps): ReactNode {
  const open = useOpen();
  const run = useAction(['/v0'], (api, filter: ResultsFilter) =>
    api.POST('/v0/results/run-again', { body: { results: filter, repeat: 1 } }),
  );
  return (
    <AskDialog
      title="Run again"
      action={count === 1 ? 'Start 1 test' : `Start ${formatWhole(count)} tests`}
      isBusy={run.isPending}
      error={run.error}
      onConfirm={() =>
        run.mutate(results, {
          onSuccess: ({ data }) => {
            announce(
              doneText(data, { did: data.done === 1 ? 'test started' : 'tests started', shown: count }),
            );
            onClose();
            const [first, second] = data.runs;
            if (first === undefined) return;
            onDone();
            open(second === undefined ? `/runs/${first.runId}` : '/runs');
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

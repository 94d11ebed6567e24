import type { ReactNode } from 'react';
import type { Run } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink, usePathParam, useUrlState } from '../app/url.tsx';
import { formatMoment } from '../format/time.ts';
import { GRID_STATE } from '../results/grid-state.ts';
import { ResultsGrid } from '../results/results-grid.tsx';
import { runShows } from '../results/shows.ts';
import { RUN_TYPE_NAMES } from '../tests/words.ts';
import { Badge } from '../ui/badge.tsx';
import { Choice } from '../ui/choice.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/panel.tsx';
import { RunActions } from './run-actions.tsx';
import { RunPair } from './run-pair.tsx';
import { isRunInFlight } from './run-in-flight.ts';
import { RunSummary } from './run-summary.tsx';
import { RunWaits } from './run-waits.tsx';

const LIVE_MS = 2_000;
const DEFAULTS = { with: '', ...GRID_STATE };
/** Runs of the task to choose from. */
const MAX_CHOICES = 50;

export function RunPage(): ReactNode {
  const id = usePathParam('runId');
  const [state, change] = useUrlState(DEFAULTS);
  const run = useApi(
    '/v0/runs/{id}',
    { path: { id } },
    { refresh: (answer) => answer !== undefined && isRunInFlight(answer.run) && LIVE_MS },
  );
  const loaded = run.data?.run;
  const taskId = loaded?.taskId ?? '';
  const task = useApi('/v0/tasks/{id}', { path: { id: taskId } }, { enabled: loaded !== undefined });
  const runs = useApi(
    '/v0/runs',
    { query: { taskId: [taskId], limit: MAX_CHOICES, orderBy: 'createdAt', orderDir: 'desc' } },
    { enabled: loaded !== undefined },
  );
  const title = task.data?.task.title;
  const others = (runs.data?.data ?? []).filter((one) => one.id !== id);
  return (
    <Page
      title={title ?? 'Run'}
      back="/runs"
      facts={loaded && <RunState run={loaded} />}
      actions={
        loaded && (
          <>
            {others.length > 0 && (
              <Choice
                label="Compare with"
                value={state.with}
                anyText="Compare with …"
                choices={others.map((one) => [one.id, `Compare with that of ${formatMoment(one.createdAt)}`])}
                onChoose={(other) => change({ ...GRID_STATE, with: other })}
              />
            )}
            <RunActions run={loaded} />
          </>
        )
      }
      bar={loaded && <RunFacts run={loaded} taskTitle={title} />}
    >
      <Loaded of={run} isFlush isFull>
        {(answer) =>
          state.with === '' ? (
            <RunContent
              run={answer.run}
              before={others.find((one) => one.createdAt < answer.run.createdAt)}
              isReady={runs.data !== undefined}
            />
          ) : (
            <RunPair baselineId={state.with} run={answer.run} state={state} onChange={change} />
          )
        }
      </Loaded>
    </Page>
  );
}

function RunState({ run: { outcomes } }: { run: Run }): ReactNode {
  const { passed, failed, appError, running, noVerdict, notRun } = outcomes;
  const counted = passed + failed + appError;
  if (running > 0) return <Badge tone="accent">… {running} running</Badge>;
  if (failed + appError > 0)
    return (
      <Badge tone="fail">
        ✕ {failed + appError} of {counted} failed
      </Badge>
    );
  if (counted > 0) return <Badge tone="pass">✓ {passed} passed</Badge>;
  return <Badge>{noVerdict > 0 ? '– No verdict' : notRun > 0 ? '○ Not run' : 'No tests'}</Badge>;
}

const RunFacts = ({ run, taskTitle }: { run: Run; taskTitle: string | undefined }): ReactNode => (
  <div className="flex flex-wrap gap-x-5 gap-y-1 text-dim max-[720px]:hidden">
    <span>
      Task{' '}
      <AppLink href={`/tasks/${run.taskId}`} className="font-semibold text-ink">
        {taskTitle ?? run.taskId.slice(0, 8)}
      </AppLink>
    </span>
    <span>{RUN_TYPE_NAMES[run.type]}</span>
    {run.runSetId != null && (
      <AppLink href={`/run-sets/${run.runSetId}`} className="text-accent hover:underline">
        Run set
      </AppLink>
    )}
    <span>
      Started{' '}
      <time dateTime={run.createdAt} title={run.createdAt}>
        {formatMoment(run.createdAt)}
      </time>
    </span>
    {run.repeats && (
      <span>
        Mixed results: {Math.round(run.repeats.flakiness)} % of {run.repeats.groups} repeated examples
      </span>
    )}
    <span>
      Run <code className="font-mono text-label select-all">{run.id}</code>
    </span>
  </div>
);

interface RunContentProps {
  run: Run;
  /** The run of the task before; undefined if there is none. */
  before: Run | undefined;
  /** True once it is known whether there is one. */
  isReady: boolean;
}

function RunContent({ run, before, isReady }: RunContentProps): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const isLive = run.outcomes.running > 0;
  const beforeId = isLive ? undefined : before?.id;
  const sides = [
    ...(beforeId === undefined ? [] : [{ side: `run:${beforeId}`, name: 'run before' }]),
    { side: `run:${run.id}`, name: 'this run' },
  ];
  const all = useApi(
    '/v0/results',
    { query: { side: sides.map(({ side }) => side), limit: 1, text: 0 } },
    { enabled: isReady, version: run.modifiedAt, refresh: () => isLive && LIVE_MS },
  );
  const facets = all.data?.facets;
  return (
    <div className="flex h-full min-h-[560px] flex-col">
      <RunSummary
        run={run}
        beforeId={beforeId}
        results={all.data}
        onCause={(cause) => change({ show: 'all', cause, open: '' })}
        onRegressed={() => change({ show: 'regressed', cause: '', open: '' })}
      />
      {run.waitsFor && (
        <div className="px-4 pb-2">
          <RunWaits waits={run.waitsFor} />
        </div>
      )}
      {facets && (
        <ResultsGrid
          layout="run"
          sides={sides}
          shows={runShows(facets, beforeId !== undefined)}
          state={state}
          onChange={change}
          isLive={isLive}
          empty="No test of this run is shown here. Choose “All” to see every test."
        />
      )}
    </div>
  );
}

import type { ReactNode } from 'react';
import type { Run } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink, usePathParam, useUrlState } from '../app/url.tsx';
import { formatMoment } from '../format/time.ts';
import { RUN_TYPE_NAMES } from '../tests/words.ts';
import { Badge } from '../ui/badge.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { RunActions } from './run-actions.tsx';
import { RunComparisonPanel } from './run-comparison.tsx';
import { isRunInFlight, RunProgressBar } from './run-progress.tsx';
import { RunResults } from './run-results.tsx';
import { RunTests, TESTS_STATE } from './run-tests.tsx';
import { RunWaits } from './run-waits.tsx';

const LIVE_MS = 2_000;
const DEFAULTS = { with: '', ...TESTS_STATE };

export function RunPage(): ReactNode {
  const id = usePathParam('runId');
  const run = useApi(
    '/v0/runs/{id}',
    { path: { id } },
    { refresh: (answer) => answer !== undefined && isRunInFlight(answer.run) && LIVE_MS },
  );
  const loaded = run.data?.run;
  const task = useApi(
    '/v0/tasks/{id}',
    { path: { id: loaded?.taskId ?? '' } },
    { enabled: loaded !== undefined },
  );
  const title = task.data?.task.title;
  return (
    <Page
      title={title === undefined ? 'Run' : `Run of ${title}`}
      back="/runs"
      facts={loaded && <RunState run={loaded} />}
      actions={loaded && <RunActions run={loaded} />}
      bar={loaded && <RunFacts run={loaded} taskTitle={title} />}
    >
      <Loaded of={run} isFlush>
        {(answer) => <RunContent run={answer.run} />}
      </Loaded>
    </Page>
  );
}

function RunState({ run }: { run: Run }): ReactNode {
  if (isRunInFlight(run)) return <Badge tone="accent">… In progress</Badge>;
  return run.tests.failed > 0 ? (
    <Badge tone="fail">✕ {run.tests.failed} failed</Badge>
  ) : (
    <Badge tone="pass">✓ Done</Badge>
  );
}

const RunFacts = ({ run, taskTitle }: { run: Run; taskTitle: string | undefined }): ReactNode => (
  <div className="flex flex-wrap gap-x-5 gap-y-1 text-dim">
    <span>
      Task{' '}
      <AppLink href={`/tasks/${run.taskId}`} className="font-semibold text-ink">
        {taskTitle ?? run.taskId.slice(0, 8)}
      </AppLink>
    </span>
    <span>{RUN_TYPE_NAMES[run.type]}</span>
    <span>
      Started{' '}
      <time dateTime={run.createdAt} title={run.createdAt}>
        {formatMoment(run.createdAt)}
      </time>
    </span>
    <span>
      Run <code className="font-mono text-label select-all">{run.id}</code>
    </span>
  </div>
);

function RunContent({ run }: { run: Run }): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  return (
    <div className="grid gap-5 py-4">
      <div className="grid grid-cols-2 gap-6 px-4 max-[1000px]:grid-cols-1">
        <div className="grid content-start gap-5">
          <Section title={`Progress, ${run.tests.total} ${run.tests.total === 1 ? 'test' : 'tests'}`}>
            <RunProgressBar tests={run.tests} />
            <RunWaits waits={run.waitsFor ?? []} />
          </Section>
          <RunResults run={run} />
        </div>
        <RunComparisonPanel run={run} other={state.with} onChoose={(other) => change({ with: other })} />
      </div>
      <RunTests run={run} state={state} onChange={change} />
    </div>
  );
}

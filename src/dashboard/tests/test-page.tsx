import type { ReactNode } from 'react';
import type { Test } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink, usePathParam } from '../app/url.tsx';
import { exampleHref } from '../examples/example-link.ts';
import { Badge } from '../ui/badge.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { Attempts } from './attempts.tsx';
import { FailurePanel } from './failure-panel.tsx';
import { InputOutputPanel } from './input-output.tsx';
import { TestStateText } from './state.tsx';
import { storyOf } from './story.ts';
import { StoryList } from './story-list.tsx';
import { TestActions } from './test-actions.tsx';
import { TestVerdicts } from './test-verdicts.tsx';
import { useDeadline } from './use-deadline.ts';
import { useTest } from './use-test.ts';
import { WaitingPanel } from './waiting-panel.tsx';
import { RUN_TYPE_NAMES } from './words.ts';

export function TestPage(): ReactNode {
  const id = usePathParam('testId');
  const { test, isLive } = useTest(id);
  const loaded = test.data?.test;
  return (
    <Page
      title={loaded ? titleOf(loaded.prompt) : 'Test'}
      back="/tests"
      facts={
        loaded && (
          <>
            <TestStateText test={loaded} />
            {isLive && <Badge tone="accent">● Live</Badge>}
          </>
        )
      }
      actions={loaded && <TestActions test={loaded} />}
      bar={loaded && <TestFacts test={loaded} />}
    >
      <div className="px-4">
        <Loaded of={test}>{(answer) => <TestContent test={answer.test} />}</Loaded>
      </div>
    </Page>
  );
}

/** Longest title, in characters. */
const MAX_TITLE = 120;

function titleOf(prompt: string): string {
  const line = prompt.trim().replaceAll(/\s+/g, ' ');
  if (line === '') return 'Test with an empty prompt';
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE)}…` : line;
}

/** Says what the test belongs to, and links there. */
function TestFacts({ test }: { test: Test }): ReactNode {
  const { taskId, runId, runType, exampleId, exampleIndex, traceIds, id } = test;
  const task = useApi('/v0/tasks/{id}', { path: { id: taskId } });
  const found = task.data?.task;
  const [firstTrace] = traceIds;
  return (
    <div className="flex flex-wrap gap-x-5 gap-y-1 text-dim">
      <span>
        Task{' '}
        <AppLink href={`/tasks/${taskId}`} className="font-semibold text-ink">
          {found?.title ?? taskId.slice(0, 8)}
        </AppLink>
      </span>
      <span>
        Run{' '}
        <AppLink href={`/runs/${runId}`} className="font-semibold text-ink">
          {RUN_TYPE_NAMES[runType].toLowerCase()}
        </AppLink>
      </span>
      {exampleIndex !== null && (
        <span>
          Example{' '}
          {exampleId === null ? (
            <span className="font-semibold text-ink">{exampleIndex + 1}</span>
          ) : (
            <AppLink href={exampleHref(taskId, exampleId)} className="font-semibold text-ink">
              {exampleIndex + 1}
            </AppLink>
          )}
        </span>
      )}
      {firstTrace !== undefined && (
        <span>
          <AppLink href={`/traces/${firstTrace}`} className="text-accent underline">
            Trace
          </AppLink>
          {traceIds.length > 1 && (
            <>
              {' '}
              and{' '}
              <AppLink href={`/traces?q=test:${id}`} className="text-accent underline">
                {traceIds.length - 1} more
              </AppLink>
            </>
          )}
        </span>
      )}
      <span>
        Test <code className="font-mono text-label select-all">{id}</code>
      </span>
    </div>
  );
}

function TestContent({ test }: { test: Test }): ReactNode {
  const deadline = useDeadline(test);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(300px,400px)] gap-6 py-4 max-[1100px]:grid-cols-1">
      <div className="grid content-start gap-5">
        {test.failure !== null && <FailurePanel test={test} failure={test.failure} />}
        {test.status === 'IN_PROGRESS' && test.phase === 'delivered' && <WaitingPanel test={test} />}
        <TestVerdicts test={test} />
        <Attempts test={test} />
        <InputOutputPanel test={test} />
      </div>
      <Section title="Story">
        <StoryList steps={storyOf(test)} deadline={deadline} />
      </Section>
    </div>
  );
}

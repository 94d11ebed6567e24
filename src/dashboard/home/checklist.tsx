import { Circle, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '../api/session.ts';
import { useApi } from '../api/use-api.ts';
import { ExampleDataNotice } from '../example-data/example-data-notice.tsx';
import { AppLink } from '../app/url.tsx';
import type { Href } from '../app/paths.ts';
import { FirstRun } from './first-run.tsx';
import { SendSpans } from './send-spans.tsx';
import { Section } from '../ui/panel.tsx';

/** Milliseconds between two looks, while someone works through the list. */
const REFRESH_MS = 2_000;

type List = { pagination: { total: number } };
const isEmpty = (list: List | undefined): boolean => (list?.pagination.total ?? 0) === 0;

interface Step {
  isDone: boolean;
  /** True if it leaves data in the application. */
  isOfData: boolean;
  title: string;
  how: ReactNode;
  /** Shown once it is done. */
  done?: ReactNode;
}

/** Leads a new application to its first verdict. It ticks itself, and goes away when everything is done. */
export function Checklist(): ReactNode {
  const steps = useSteps();
  const isNew = steps?.every(({ isDone, isOfData }) => !isDone || !isOfData) ?? false;
  const notice = <ExampleDataNotice isEmpty={isNew} />;
  if (steps === null || steps.every(({ isDone }) => isDone)) return notice;
  return (
    <Section title="Getting started" className="grid gap-2.5">
      <ol className="grid gap-2.5 rounded-md border border-line bg-panel p-3.5">
        {steps.map(({ isDone, title, how, done }) => (
          <li key={title} className="flex gap-2.5">
            {isDone ? (
              <CircleCheck size={18} className="shrink-0 text-pass" aria-label="Done:" />
            ) : (
              <Circle size={18} className="shrink-0 text-dim" aria-label="To do:" />
            )}
            <div className="min-w-0 grow">
              <p className={isDone ? 'text-dim' : 'font-semibold'}>{title}</p>
              {!isDone && <div className="text-dim">{how}</div>}
              {isDone && done}
            </div>
          </li>
        ))}
      </ol>
      {notice}
    </Section>
  );
}

/** Returns the steps with what the application has; null until that is known. */
function useSteps(): readonly Step[] | null {
  const { application } = useSession();
  const first = { query: { limit: 1 } };
  const refresh = (list: List | undefined): number | false => (isEmpty(list) ? REFRESH_MS : false);
  const traces = useApi('/v0/traces', first, { refresh });
  const health = useApi(
    '/v0/applications/{id}/health',
    { path: { id: application.id } },
    { refresh: (found) => found?.data.webhook === null && REFRESH_MS },
  );
  const tests = useApi('/v0/tests', first, { refresh });
  const evals = useApi('/v0/evals', first, { refresh });
  if (!traces.data || !health.data || !tests.data || !evals.data) return null;
  const isDone = [
    !isEmpty(traces.data),
    health.data.data.webhook !== null,
    !isEmpty(tests.data),
    !isEmpty(evals.data),
  ];
  const trace = traces.data.data[0];
  return stepsOf(trace).map((step, index) => ({ ...step, isDone: isDone[index] ?? false }));
}

const Go = ({ href, children }: { href: Href; children: ReactNode }): ReactNode => (
  <AppLink href={href} className="text-accent underline">
    {children}
  </AppLink>
);

type FirstTrace = { id: string; rootName: string } | undefined;

const stepsOf = (trace: FirstTrace): readonly Omit<Step, 'isDone'>[] => [
  {
    title: 'Receive the first trace',
    isOfData: true,
    how: <SendSpans />,
    done: trace && (
      <p role="status">
        It has arrived: <Go href={`/traces/${trace.id}`}>{trace.rootName || 'the first trace'}</Go>
      </p>
    ),
  },
  {
    title: 'Connect a webhook',
    isOfData: false,
    how: (
      <p>
        Tests arrive at it, with a signature to check. <Go href="/webhook">Webhook</Go> sets it up and tries
        it.
      </p>
    ),
  },
  {
    title: 'Run a test',
    isOfData: true,
    how: <FirstRun traceId={trace?.id ?? null} />,
  },
  {
    title: 'Get a verdict',
    isOfData: true,
    how: (
      <p>
        Say in <Go href="/evaluators">Evaluators</Go> what a good answer is. Every completed test is then
        judged by it.
      </p>
    ),
  },
];

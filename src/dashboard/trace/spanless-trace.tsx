import type { ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { type ReadAnswer, useApi } from '../api/use-api.ts';
import { formatDuration, formatMoment } from '../format/time.ts';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/panel.tsx';
import { TestFacts } from './header.tsx';
import { MakeExample } from './make-example.tsx';
import { MissingTrace } from './missing-trace.tsx';
import { EvalsTab } from './span/evals-tab.tsx';
import { Bubble, BubbleText } from './transcript/bubble.tsx';

type Trace = ReadAnswer<'/v0/traces/{id}'>['data'];

/** A trace without spans: one that an event reported with its input and output alone, or none. */
export function SpanlessTrace({ traceId, onRetry }: { traceId: string; onRetry: () => void }): ReactNode {
  const call = useApi('/v0/traces/{id}', { path: { id: traceId }, query: { steps: false } });
  const trace = call.data?.data;
  if (call.error instanceof ApiError && call.error.status === 404)
    return (
      <Page title="Trace" back="/traces">
        <MissingTrace traceId={traceId} onRetry={onRetry} />
      </Page>
    );
  return (
    <Page
      title={trace?.rootName || 'Trace'}
      back="/traces"
      facts={trace && <TestFacts traceId={traceId} testId={trace.testId} />}
      actions={trace && <MakeExample traceId={traceId} />}
    >
      <Loaded of={call} isFlush>
        {({ data }) => (
          <div className="grid gap-x-8 gap-y-6 p-4 min-[1024px]:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
            <Texts trace={data} />
            <EvalsTab traceId={traceId} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Texts({ trace: { input, output, timestamp, durationMs } }: { trace: Trace }): ReactNode {
  return (
    <div className="grid content-start gap-3">
      <p className="text-dim">
        <time dateTime={timestamp} title={timestamp}>
          {formatMoment(timestamp)}
        </time>{' '}
        · {formatDuration(durationMs)} · It was sent as an event, without spans.
      </p>
      <Bubble title="Input">{isGiven(input) && <BubbleText value={input} label="Input" />}</Bubble>
      <Bubble title="Output" isAnswer>
        {isGiven(output) && <BubbleText value={output} label="Output" />}
      </Bubble>
    </div>
  );
}

const isGiven = (value: unknown): boolean => value !== null && value !== undefined && value !== '';

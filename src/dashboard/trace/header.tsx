import { type ReactNode, useMemo } from 'react';
import type { SpanIndex } from '../../span-index/reader.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { conversationHref } from '../conversations/href.ts';
import { formatCount, formatSum, formatWhole } from '../format/number.ts';
import { formatDuration, formatMoment } from '../format/time.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { announce } from '../ui/status-line.tsx';
import { factsOf, oddities } from './facts.ts';
import type { ListedFacts } from './use-listed-trace.ts';
import { useTraceEvals } from './use-trace-evals.ts';

/** Models that the header names; of more it says how many. */
const MAX_MODELS = 4;

interface HeaderProps {
  traceId: string;
  index: SpanIndex;
  listed: ListedFacts | undefined;
}

/** Facts beside the title: errors, what is odd, the test and the verdicts. */
export function TitleFacts({ traceId, index, listed }: HeaderProps): ReactNode {
  const facts = useMemo(() => factsOf(index), [index]);
  return (
    <>
      {facts.errors > 0 && (
        <Badge tone="fail">
          ✕ {formatWhole(facts.errors)} {facts.errors === 1 ? 'error' : 'errors'}
        </Badge>
      )}
      {oddities(facts, index, listed).map(({ name, explanation }) => (
        <Badge key={name} tone="doubt" title={explanation}>
          ? {name}
          <span className="sr-only">: {explanation}</span>
        </Badge>
      ))}
      <TestFacts traceId={traceId} testId={listed?.testId ?? null} />
    </>
  );
}

/** The test of a trace, and its verdicts. */
export const TestFacts = ({ traceId, testId }: { traceId: string; testId: string | null }): ReactNode => (
  <>
    {testId !== null && <TestLink testId={testId} />}
    <BlockingVerdict traceId={traceId} />
  </>
);

/** Says how many blocking evaluators the trace passed. Others, and people, have their place beside the answer. */
function BlockingVerdict({ traceId }: { traceId: string }): ReactNode {
  const evals = useTraceEvals(traceId).data?.data ?? [];
  const judged = evals.filter(({ passed, definition }) => passed !== null && definition.isBlocking);
  if (judged.length === 0) return null;
  const failing = judged.filter(({ passed }) => passed === false);
  const title =
    failing.length === 0
      ? 'All blocking evaluators passed'
      : `Failed: ${failing.map(({ definition }) => definition.name).join(', ')}`;
  return (
    <Badge tone={failing.length === 0 ? 'pass' : 'fail'} title={title}>
      {failing.length === 0 ? '✓' : '✕'} {judged.length - failing.length} of {judged.length} passed
    </Badge>
  );
}

function TestLink({ testId }: { testId: string }): ReactNode {
  const test = useApi('/v0/tests/{id}', { path: { id: testId } });
  const status = test.data?.test.status;
  return (
    <AppLink href={`/tests/${testId}`} className="rounded-md text-ink no-underline">
      <Badge tone={TONES[status ?? ''] ?? 'plain'}>
        Test <code className="font-mono">{testId.slice(0, 8)}</code>
        {status !== undefined && <b className="font-semibold">{status.toLowerCase().replaceAll('_', ' ')}</b>}
      </Badge>
    </AppLink>
  );
}

const TONES: Readonly<Record<string, Tone>> = { COMPLETED: 'plain', FAILED: 'fail', CANCELLED: 'doubt' };

/** The sums of a trace in one line. */
export function TraceSumsLine({ traceId, index, listed }: HeaderProps): ReactNode {
  const facts = useMemo(() => factsOf(index), [index]);
  const durationMs = useMemo(() => index.durationMs, [index]);
  const began = new Date(index.originMs).toISOString();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-0.5 text-dim">
      <Fact value={formatDuration(durationMs)} name="duration" />
      <Fact value={formatWhole(facts.spans)} name={facts.spans === 1 ? 'span' : 'spans'} />
      {facts.modelCalls > 0 && (
        <Fact
          value={formatWhole(facts.modelCalls)}
          name={facts.modelCalls === 1 ? 'model call' : 'model calls'}
        />
      )}
      {facts.tokens > 0 && <Fact value={formatCount(facts.tokens)} name="tokens" />}
      {facts.cost !== null && (
        <Fact
          value={formatSum(facts.cost)}
          name={facts.isCostEstimated ? 'cost, from the price table' : 'cost'}
        />
      )}
      <Models names={index.header.models} />
      {listed?.sessionId && (
        <span className="truncate">
          session{' '}
          <AppLink href={conversationHref(listed.sessionId)} className="text-accent underline">
            {listed.sessionId}
          </AppLink>
        </span>
      )}
      <time dateTime={began} title={began}>
        {formatMoment(began)}
      </time>
      <TraceId id={traceId} />
    </div>
  );
}

function Models({ names }: { names: readonly string[] }): ReactNode {
  if (names.length === 0) return null;
  return (
    <span className="truncate max-[719px]:hidden" title={names.join(', ')}>
      {names.slice(0, MAX_MODELS).join(', ')}
      {names.length > MAX_MODELS && ` and ${names.length - MAX_MODELS} more`}
    </span>
  );
}

function TraceId({ id }: { id: string }): ReactNode {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(id);
    announce('Trace id copied');
  };
  return (
    <button
      type="button"
      className="cursor-pointer font-mono text-label hover:text-ink max-[719px]:hidden"
      title={`Copy ${id}`}
      onClick={() => void copy()}
    >
      {id.slice(0, 8)}…{id.slice(-6)}
    </button>
  );
}

const Fact = ({ value, name }: { value: string; name: string }): ReactNode => (
  <span className="whitespace-nowrap">
    <b className="font-semibold text-ink">{value}</b> {name}
  </span>
);

import { type ReactNode, useState } from 'react';
import type { ListedTrace } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatCount, formatMoney } from '../format/number.ts';
import { formatDuration, formatMoment } from '../format/time.ts';
import type { VerdictCount } from '../traces/use-verdicts.ts';
import { Verdicts } from '../traces/verdicts.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';

/** Length from which the texts of a listed trace may be truncated. */
const PREVIEW_LENGTH = 300;

interface TurnProps {
  trace: ListedTrace;
  number: number;
  verdict: VerdictCount | undefined;
}

/** Shows one turn: the input, the output, and what it took. */
export function TurnView({ trace, number, verdict }: TurnProps): ReactNode {
  const { id, timestamp, rootName, durationMs, usage, cost, errorCount, input, output } = trace;
  const [isComplete, setComplete] = useState(false);
  const complete = useApi(
    '/v0/traces/{id}',
    { path: { id }, query: { steps: false } },
    { enabled: isComplete },
  );
  const texts = isComplete && complete.data ? complete.data.data : { input, output };
  const isLong = [input, output].some((text) => text !== null && text.length >= PREVIEW_LENGTH);
  return (
    <article aria-label={`Turn ${number}`} className="grid gap-2">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 text-label text-dim">
        <span className="font-semibold text-ink">{number}</span>
        <time dateTime={timestamp} title={timestamp}>
          {formatMoment(timestamp)}
        </time>
        <AppLink href={`/traces/${id}`} className="text-accent underline">
          {rootName === '' ? 'Trace' : rootName}
        </AppLink>
        <span>{formatDuration(durationMs)}</span>
        {usage.totalTokens > 0 && <span>{formatCount(usage.totalTokens)} tokens</span>}
        {cost !== null && <span>{formatMoney(cost)}</span>}
        {errorCount > 0 && (
          <Badge tone="fail">
            ✕ {errorCount} {errorCount === 1 ? 'failed span' : 'failed spans'}
          </Badge>
        )}
        {verdict && <Verdicts count={verdict} />}
      </header>
      <Bubble name="Input" value={texts.input} isOfUser />
      <Bubble name="Output" value={texts.output} />
      {isLong && (
        <div>
          <Button
            look="quiet"
            disabled={isComplete && complete.isPending}
            aria-expanded={isComplete}
            onClick={() => setComplete(!isComplete)}
          >
            {isComplete ? 'Show the beginnings' : 'Show the complete texts'}
          </Button>
          <ErrorLine error={isComplete ? complete.error : null} />
        </div>
      )}
    </article>
  );
}

function Bubble({
  name,
  value,
  isOfUser = false,
}: {
  name: string;
  value: unknown;
  isOfUser?: boolean;
}): ReactNode {
  const isText = typeof value === 'string';
  const isEmpty = value === null || value === undefined || value === '';
  return (
    <div
      className={`max-w-[88%] min-w-0 rounded-md border border-line px-3.5 py-2.5 ${isOfUser ? 'justify-self-start bg-panel' : 'justify-self-end bg-page'}`}
    >
      <h2 className="text-label font-semibold text-dim">{name}</h2>
      {isEmpty ? (
        <p className="text-dim">The spans report none.</p>
      ) : (
        <p className={`break-words whitespace-pre-wrap ${isText ? 'text-reading' : 'font-mono text-label'}`}>
          {isText ? value : JSON.stringify(value, null, 2)}
        </p>
      )}
    </div>
  );
}

import { type ReactNode, useMemo, useState } from 'react';
import type { ListedTrace } from '../../api/generated/schema.ts';
import type { SpanIndex } from '../../span-index/reader.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatDuration, formatMoment } from '../format/time.ts';
import { useVerdicts } from '../traces/use-verdicts.ts';
import { Verdicts } from '../traces/verdicts.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { usePartner } from './use-partner.ts';

const LIMIT = 30;
const TRACE_ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})$/i;

/** Chooses the trace to compare with: by its id, or among recent ones with the same name. */
export function ChoosePartner({
  first,
  index,
  onChoose,
}: {
  /** The trace that is already chosen; empty when there is none. */
  first: string;
  index: SpanIndex | undefined;
  onChoose: (id: string) => void;
}): ReactNode {
  const [id, setId] = useState('');
  const name = index !== undefined && index.rows > 0 ? index.name(0) : '';
  const query = { limit: LIMIT, ...(name !== '' && { search: name }) };
  const recent = useApi('/v0/traces', { query }, { keepsRows: true });
  const isValid = TRACE_ID.test(id.trim());
  const submit = (): void => {
    if (isValid) onChoose(id.trim().toLowerCase());
  };
  return (
    <div className="grid max-w-[900px] gap-5">
      <Form className="flex max-w-[520px] items-end gap-2" onSubmit={submit}>
        <div className="grow">
          <TextField
            label={first === '' ? 'Id of the first trace' : 'Id of the trace to compare with'}
            value={id}
            spellCheck={false}
            problem={id === '' || isValid ? undefined : 'must be a uuid or 32 hex digits'}
            onChange={({ target }) => setId(target.value)}
          />
        </div>
        <Button type="submit" disabled={!isValid} className="h-[30px]">
          Compare
        </Button>
      </Form>
      {first !== '' && index !== undefined && index.rows > 0 && (
        <Suggested traceId={first} onChoose={onChoose} />
      )}
      <Section title={name === '' ? 'Recent traces' : `Recent traces called ${name}`}>
        <Loaded of={recent}>
          {({ data }) => (
            <Candidates
              traces={data.filter((one) => one.id !== first && one.otelTraceId !== first)}
              onChoose={onChoose}
            />
          )}
        </Loaded>
      </Section>
    </div>
  );
}

/** Offers the trace that shows best why this one failed; `Enter` on it compares. */
function Suggested({ traceId, onChoose }: { traceId: string; onChoose: (id: string) => void }): ReactNode {
  const partner = usePartner(traceId);
  if (partner === undefined) return null;
  return (
    <Section title="Suggested">
      <p className="flex flex-wrap items-center gap-3 py-1">
        <Button look="primary" autoFocus onClick={() => onChoose(partner.traceId)}>
          Compare with it
        </Button>
        {partner.why}{' '}
        <AppLink href={`/tests/${partner.testId}`} className="text-accent underline">
          Test {partner.testId.slice(0, 8)}
        </AppLink>
      </p>
    </Section>
  );
}

function Candidates({
  traces,
  onChoose,
}: {
  traces: readonly ListedTrace[];
  onChoose: (id: string) => void;
}): ReactNode {
  const verdicts = useVerdicts(useMemo(() => traces.map(({ id }) => id), [traces]));
  if (traces.length === 0) return <p className="text-dim">There is no other trace with this name.</p>;
  return (
    <ul>
      {traces.map(({ id, timestamp, rootName, input, output, durationMs }) => (
        <li
          key={id}
          className="flex flex-wrap items-center gap-x-3 border-b border-line py-1 min-[1024px]:flex-nowrap"
        >
          <time className="w-24 shrink-0 text-dim" dateTime={timestamp}>
            {formatMoment(timestamp)}
          </time>
          <button
            type="button"
            className="w-[160px] shrink-0 cursor-pointer truncate text-left text-accent underline"
            onClick={() => onChoose(id)}
          >
            {rootName || '(no name)'}
          </button>
          <span className="min-w-0 grow basis-40 truncate">{input}</span>
          <span className="min-w-0 grow basis-40 truncate text-dim">{output}</span>
          <Verdicts count={verdicts.get(id)} />
          <span className="w-16 shrink-0 text-right">{formatDuration(durationMs)}</span>
        </li>
      ))}
    </ul>
  );
}

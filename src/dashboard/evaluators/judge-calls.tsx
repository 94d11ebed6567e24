import type { ReactNode } from 'react';
import type { JudgeCall } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { formatMoney, formatWhole } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { Loaded, Section } from '../ui/panel.tsx';

/** Shows what a judge model was sent for a verdict, and what it answered. Nothing for evaluators without one. */
export function JudgeCalls({ evalId }: { evalId: string }): ReactNode {
  const calls = useApi('/v0/evals/{id}/judge-calls', { path: { id: evalId } });
  if (calls.data?.data.length === 0) return null;
  return (
    <Section title="Calls of the judge">
      <Loaded of={calls}>
        {({ data }) => (
          <ol>
            {data.map((call, index) => (
              <Call key={index} call={call} />
            ))}
          </ol>
        )}
      </Loaded>
    </Section>
  );
}

function Call({ call }: { call: JudgeCall }): ReactNode {
  const { repeat, model, request, raw, inputTokens, outputTokens, cost, latencyMs, attempts } = call;
  const facts = [
    model,
    formatDuration(latencyMs),
    ...(inputTokens === null
      ? []
      : [`${formatWhole(inputTokens)} → ${formatWhole(outputTokens ?? 0)} tokens`]),
    ...(cost === null ? [] : [formatMoney(cost)]),
    ...(attempts > 1 ? [`${attempts} attempts`] : []),
  ];
  return (
    <li className="grid gap-2 border-b border-line py-2">
      <p>
        <b className="font-semibold">Vote {repeat + 1}</b>{' '}
        <span className="text-label text-dim">{facts.join(' · ')}</span>
      </p>
      {request && (
        <details>
          <summary className="cursor-pointer text-dim">What the judge was sent</summary>
          <LabelledText title="Instructions" text={request.system} />
          {request.inputs.map(({ label, text, length }) => (
            <LabelledText
              key={label}
              title={
                text.length < length ? `${label}, truncated from ${formatWhole(length)} characters` : label
              }
              text={text}
            />
          ))}
          {request.leftOut > 0 && (
            <p className="text-dim">{formatWhole(request.leftOut)} texts were not sent.</p>
          )}
          {request.mistake && <LabelledText title={request.mistake.problem} text={request.mistake.raw} />}
        </details>
      )}
      {raw === null ? (
        <p className="text-dim">The text was deleted with the trace.</p>
      ) : (
        <LabelledText title="Answer" text={raw} />
      )}
    </li>
  );
}

const LabelledText = ({ title, text }: { title: string; text: string }): ReactNode => (
  <figure className="mt-1 min-w-0">
    <figcaption className="text-label text-dim">{title}</figcaption>
    <pre
      tabIndex={0}
      aria-label={title}
      className="max-h-80 overflow-auto rounded-md border border-line bg-panel px-3 py-2 font-mono text-label break-words whitespace-pre-wrap"
    >
      {text}
    </pre>
  </figure>
);

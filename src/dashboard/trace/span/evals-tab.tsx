import type { ReactNode } from 'react';
import type { HumanAnnotation, ListedEval } from '../../../api/generated/schema.ts';
import { useApi } from '../../api/use-api.ts';
import { formatMoney } from '../../format/number.ts';
import { formatDuration, formatMoment } from '../../format/time.ts';
import { AppLink } from '../../app/url.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Loaded, Section } from '../../ui/panel.tsx';
import { byWeight } from '../verdict-order.ts';
import { MAX_EVALS, useTraceEvals } from '../use-trace-evals.ts';
import { OwnVerdict } from './own-verdict.tsx';

const LIMIT = 100;

/** Verdicts of evaluators and of people on the complete trace, and a form for one's own. */
export function EvalsTab({ traceId }: { traceId: string }): ReactNode {
  const ids = [traceId];
  const evals = useTraceEvals(traceId);
  const people = useApi('/v0/human-annotations', { query: { traceId: ids, limit: LIMIT } });
  const criteria = useApi('/v0/definitions', { query: { limit: LIMIT, orderBy: 'name' } }).data?.data ?? [];
  const nameOf = (id: string | null): string =>
    id === null ? WHOLE : (criteria.find((one) => one.id === id)?.name ?? `evaluator ${id.slice(0, 8)}`);
  return (
    <div className="grid gap-5">
      <Section title="Verdicts of evaluators">
        <Loaded of={evals}>
          {({ data, pagination }) =>
            data.length === 0 ? (
              <p className="text-dim">
                No evaluator has judged this trace. Evaluators judge tests and sampled traces.
              </p>
            ) : (
              <ul>
                {byWeight(data).map((one) => (
                  <EvalRow key={one.id} eval={one} />
                ))}
                {pagination.total > MAX_EVALS && (
                  <li className="py-1 text-dim">and {pagination.total - MAX_EVALS} more</li>
                )}
              </ul>
            )
          }
        </Loaded>
      </Section>
      <Section title="Verdicts of people">
        <Loaded of={people}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="text-dim">No one has judged this trace yet.</p>
            ) : (
              <ul>
                {data.map((one) => (
                  <AnnotationRow key={one.id} annotation={one} criterion={nameOf(one.evalDefinitionId)} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Section>
      <OwnVerdict traceId={traceId} criteria={criteria} />
    </div>
  );
}

function EvalRow({ eval: one }: { eval: ListedEval }): ReactNode {
  const { id, definition, definitionVersion, status, passed, score, reason, cost, latencyMs } = one;
  return (
    <li className="grid gap-0.5 border-b border-line py-1.5">
      <p className="flex flex-wrap items-center gap-2">
        <Outcome passed={passed} status={status} />
        <AppLink href={`/evaluators/${definition.id}`} className="font-semibold text-ink hover:text-accent">
          {definition.name}
        </AppLink>
        <span className="ml-auto text-label text-dim">
          {[
            definition.isBlocking ? 'blocking' : 'non-blocking',
            score === null ? null : `score ${Number(score.toFixed(3))}`,
            `v${definitionVersion}`,
            latencyMs === null ? null : formatDuration(latencyMs),
            cost === null ? null : formatMoney(cost),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <AppLink href={`/evals/${id}`} className="text-accent underline">
          Details
        </AppLink>
      </p>
      {reason !== null && <p className="break-words whitespace-pre-wrap text-dim">{reason}</p>}
    </li>
  );
}

/** Name of the criterion of a verdict that names none. */
const WHOLE = 'the complete trace';

function AnnotationRow({
  annotation,
  criterion,
}: {
  annotation: HumanAnnotation;
  criterion: string;
}): ReactNode {
  const { verdict, score, unsure, critique, correctedOutput, createdAt } = annotation;
  return (
    <li className="grid gap-0.5 border-b border-line py-1.5">
      <p className="flex flex-wrap items-center gap-2">
        <Outcome passed={verdict} status={unsure ? 'UNSURE' : 'NOTE'} />
        <Annotator {...annotation} />
        <span className="min-w-0 truncate text-dim">
          on {criterion}
          {score !== null && `, score ${score}`}
        </span>
        <time className="ml-auto text-label text-dim" dateTime={createdAt}>
          {formatMoment(createdAt)}
        </time>
      </p>
      {critique !== null && <p className="break-words whitespace-pre-wrap text-dim">{critique}</p>}
      {(correctedOutput ?? null) !== null && (
        <p className="break-words whitespace-pre-wrap">
          Should have been:{' '}
          {typeof correctedOutput === 'string' ? correctedOutput : JSON.stringify(correctedOutput)}
        </p>
      )}
    </li>
  );
}

/** Names who judged; without a name, the id of the key or of the person in another system. */
const Annotator = ({
  annotatorId,
  annotatorName,
}: Pick<HumanAnnotation, 'annotatorId' | 'annotatorName'>): ReactNode => (
  <span className="min-w-0 truncate font-semibold" title={annotatorId}>
    {annotatorName ?? annotatorId}
  </span>
);

function Outcome({ passed, status }: { passed: boolean | null; status: string }): ReactNode {
  if (passed === true) return <Badge tone="pass">✓ pass</Badge>;
  if (passed === false) return <Badge tone="fail">✕ fail</Badge>;
  return <Badge>{status.toLowerCase().replaceAll('_', ' ')}</Badge>;
}

import { type ReactNode, useState } from 'react';
import type { CreateAnnotationBody, HumanAnnotation, ListedEval } from '../../../api/generated/schema.ts';
import { useScope } from '../../api/session.ts';
import { useAction, useApi } from '../../api/use-api.ts';
import { formatMoney } from '../../format/number.ts';
import { formatDuration, formatMoment } from '../../format/time.ts';
import { AppLink } from '../../app/url.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Loaded, Section } from '../../ui/panel.tsx';
import { announce } from '../../ui/status-line.tsx';

const LIMIT = 100;
/** Characters that a critique of a failed trace has at least. */
const MIN_CRITIQUE = 20;

/** Verdicts of evaluators and of people on the complete trace, and a form for one's own. */
export function EvalsTab({ traceId }: { traceId: string }): ReactNode {
  const ids = [traceId];
  const evals = useApi('/v0/evals', { query: { traceId: ids, superseded: false, limit: LIMIT } });
  const people = useApi('/v0/human-annotations', { query: { traceId: ids, limit: LIMIT } });
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
                {data.map((one) => (
                  <EvalRow key={one.id} eval={one} />
                ))}
                {pagination.total > LIMIT && (
                  <li className="py-1 text-dim">and {pagination.total - LIMIT} more</li>
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
                  <AnnotationRow key={one.id} annotation={one} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Section>
      <OwnVerdict traceId={traceId} />
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

function AnnotationRow({ annotation }: { annotation: HumanAnnotation }): ReactNode {
  const { verdict, critique, correctedOutput, annotatorId, createdAt } = annotation;
  return (
    <li className="grid gap-0.5 border-b border-line py-1.5">
      <p className="flex flex-wrap items-center gap-2">
        <Outcome passed={verdict} status="COMPLETED" />
        <span className="min-w-0 truncate font-semibold">{annotatorId}</span>
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

function Outcome({ passed, status }: { passed: boolean | null; status: string }): ReactNode {
  if (passed === true) return <Badge tone="pass">✓ pass</Badge>;
  if (passed === false) return <Badge tone="fail">✕ fail</Badge>;
  return <Badge>{status.toLowerCase().replaceAll('_', ' ')}</Badge>;
}

type OwnVerdictBody = Pick<CreateAnnotationBody, 'verdict' | 'critique' | 'correctedOutput'>;

const useAddVerdict = (traceId: string) =>
  useAction(['/v0/human-annotations'], (api, body: OwnVerdictBody) =>
    api.POST('/v0/human-annotations', { body: { ...body, traceId, source: 'TRACE_PAGE' } }),
  );

/** Adds a verdict of the person at the page. */
function OwnVerdict({ traceId }: { traceId: string }): ReactNode {
  const mayWrite = useScope('write');
  const mayAnnotate = useScope('annotate') || mayWrite;
  const [verdict, setVerdict] = useState<boolean | null>(null);
  const [critique, setCritique] = useState('');
  const [corrected, setCorrected] = useState('');
  const add = useAddVerdict(traceId);
  if (!mayAnnotate) return null;
  const needsCritique = verdict === false && critique.trim().length < MIN_CRITIQUE;
  const save = (): void => {
    if (verdict === null || needsCritique) return;
    add.mutate(
      { verdict, critique: critique.trim() || null, correctedOutput: corrected.trim() || null },
      {
        onSuccess: () => {
          setVerdict(null);
          setCritique('');
          setCorrected('');
          announce('Verdict saved');
        },
      },
    );
  };
  return (
    <Section title="Your verdict">
      <Form className="grid gap-2" onSubmit={save}>
        <PassOrFail verdict={verdict} onChoose={setVerdict} />
        <TextArea
          label="Critique"
          help={
            verdict === false
              ? `What is wrong with it, in at least ${MIN_CRITIQUE} characters.`
              : 'What is good or bad about it. Optional when it passes.'
          }
          rows={3}
          maxLength={2_048}
          value={critique}
          onChange={({ target }) => setCritique(target.value)}
        />
        <TextArea
          label="Corrected output"
          help="What the output should have been. An example made of this trace expects it. Optional."
          rows={3}
          value={corrected}
          onChange={({ target }) => setCorrected(target.value)}
        />
        <div>
          <Button type="submit" look="primary" disabled={verdict === null || needsCritique || add.isPending}>
            Save the verdict
          </Button>
        </div>
        {add.error !== null && <ErrorPanel error={add.error} />}
      </Form>
    </Section>
  );
}

interface PassOrFailProps {
  verdict: boolean | null;
  onChoose: (passes: boolean) => void;
}

function PassOrFail({ verdict, onChoose }: PassOrFailProps): ReactNode {
  return (
    <div role="group" aria-label="Verdict" className="flex gap-2">
      {([true, false] as const).map((passes) => (
        <Button
          key={String(passes)}
          look={verdict === passes ? 'chosen' : 'plain'}
          aria-pressed={verdict === passes}
          onClick={() => onChoose(passes)}
        >
          {passes ? '✓ Pass' : '✕ Fail'}
        </Button>
      ))}
    </div>
  );
}

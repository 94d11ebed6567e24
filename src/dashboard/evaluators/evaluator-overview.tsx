import type { ReactNode } from 'react';
import type { EvaluationDefinition } from '../../api/generated/schema.ts';
import { AppLink } from '../app/url.tsx';
import { formatPercent, formatWhole } from '../format/number.ts';
import { useTopicTitles } from '../topics/use-topics.ts';
import { IntervalBar } from '../ui/interval-bar.tsx';
import { formatJson } from '../ui/json-field.ts';
import { Metric } from '../ui/metric.tsx';
import { Section } from '../ui/panel.tsx';
import { AgreementPanel } from './agreement.tsx';
import { RecentVerdicts } from './recent-verdicts.tsx';
import { useVerdictRates } from './use-verdict-rates.ts';
import { evaluatorWords } from './words.ts';

/** Shows what an evaluator measures, how its verdicts went, whether people agree, and its newest verdicts. */
export const EvaluatorOverview = ({ definition }: { definition: EvaluationDefinition }): ReactNode => (
  <>
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(280px,400px)] gap-6 p-4 max-[1000px]:grid-cols-1">
      <div className="grid content-start gap-5">
        <Measures definition={definition} />
        <Verdicts definition={definition} />
      </div>
      <AgreementPanel definition={definition} />
    </div>
    <RecentVerdicts definitionId={definition.id} />
  </>
);

function Measures({ definition }: { definition: EvaluationDefinition }): ReactNode {
  const { type, globalConfig, topics, repeats } = definition;
  const titles = useTopicTitles();
  const { criterion, ...config } = globalConfig;
  return (
    <Section title="What it judges">
      <p className="py-1 text-reading">{evaluatorWords(type).measures}</p>
      {typeof criterion === 'string' && (
        <blockquote className="border-l-2 border-edge pl-3 text-reading break-words whitespace-pre-wrap">
          {criterion}
        </blockquote>
      )}
      {Object.keys(config).length > 0 && (
        <pre
          tabIndex={0}
          aria-label="Configuration"
          className="mt-1 max-h-60 overflow-auto rounded-md border border-line bg-panel px-3 py-2 font-mono text-label"
        >
          {formatJson(config)}
        </pre>
      )}
      {repeats > 1 && <p className="mt-1 text-dim">The majority of {repeats} answers of the judge counts.</p>}
      {topics.length > 0 && (
        <p className="mt-1 flex flex-wrap gap-x-3 text-dim">
          Linked to the topics{' '}
          {topics.map((id) => (
            <AppLink key={id} href={`/topics/${id}`} className="text-accent underline">
              {titles.get(id) ?? id.slice(0, 8)}
            </AppLink>
          ))}
        </p>
      )}
    </Section>
  );
}

/** Names of what counts as one observation of an interval, in singular and plural. */
const OBSERVATIONS = {
  TEST: ['verdict', 'verdicts'],
  EXAMPLE: ['example', 'examples'],
  TASK: ['task', 'tasks'],
} as const;

function Verdicts({ definition: { id } }: { definition: EvaluationDefinition }): ReactNode {
  const rate = useVerdictRates(id).get(id);
  return (
    <Section title="Last 30 days">
      <dl className="mt-1 grid grid-cols-2 gap-3">
        <Metric title="Passed" value={rate ? formatPercent(rate.share) : null}>
          {rate ? (
            <>
              <IntervalBar {...rate} />
              95 % interval {formatPercent(rate.interval.low)} to {formatPercent(rate.interval.high)}, from{' '}
              {formatWhole(rate.clusters)} {OBSERVATIONS[rate.clusteredBy][rate.clusters === 1 ? 0 : 1]}
            </>
          ) : (
            'No verdict yet. Run a task that it applies to.'
          )}
        </Metric>
        <Metric title="Verdicts" value={formatWhole(rate?.count ?? 0)}>
          On tests and sampled live traces.
        </Metric>
      </dl>
    </Section>
  );
}

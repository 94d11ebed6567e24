import type { ReactNode } from 'react';
import type { Task } from '../../api/generated/schema.ts';
import { formatPercent } from '../format/number.ts';
import { IntervalBar } from '../ui/interval-bar.tsx';
import { Metric } from '../ui/metric.tsx';
import { Section } from '../ui/panel.tsx';
import { rateOf } from './rate.tsx';
import { LEVEL_NAMES } from './words.ts';

/** Shows the metrics of a task, each with how sure it is. */
export function TaskMetricsPanel({ task }: { task: Task }): ReactNode {
  const { confidence, health, stability, errorRate, monitoringPassRate, repeats } = task;
  const rate = rateOf(task);
  return (
    <Section title="Last 30 days">
      <dl className="mt-1 grid grid-cols-3 gap-3 max-[700px]:grid-cols-2">
        <Metric title="Pass rate" value={rate ? formatPercent(rate.share) : null}>
          {rate ? (
            <>
              <IntervalBar {...rate} />
              95 % interval {formatPercent(rate.interval.low)} to {formatPercent(rate.interval.high)}
              {confidence && `, confidence ${LEVEL_NAMES[confidence.level]}`}
            </>
          ) : (
            'No test counts yet. Run the task.'
          )}
        </Metric>
        <Metric title="Health" value={health?.score ?? null}>
          {health === null ? 'Needs a test that counts.' : 'Of 100; recent tests weigh more.'}
        </Metric>
        <Metric title="Consistency" value={stability && LEVEL_NAMES[stability.level]}>
          {stability === null
            ? 'No example was tested twice.'
            : `Scores of an example deviate by ${stability.deviation.toFixed(2)}.`}
        </Metric>
        <Metric
          title="Examples with mixed results"
          value={repeats ? formatPercent(repeats.flakiness / 100) : null}
        >
          {repeats
            ? `Of ${repeats.groups} tested ${repeats.k} times or more; all ${repeats.k} pass with a chance of ${formatPercent(repeats.passPowK / 100)}.`
            : 'No example was tested twice.'}
        </Metric>
        <Metric title="No verdict" value={errorRate === null ? null : formatPercent(errorRate / 100)}>
          {errorRate === null ? 'No test has ended.' : 'Tests that failed for reasons outside the app.'}
        </Metric>
        <Metric
          title="Live traffic"
          value={monitoringPassRate === null ? null : formatPercent(monitoringPassRate / 100)}
        >
          {monitoringPassRate === null
            ? 'No evaluator samples live traces.'
            : 'Pass rate of sampled live traces.'}
        </Metric>
      </dl>
    </Section>
  );
}

import type { ReactNode } from 'react';
import type { Run, RunComparison as Comparison } from '../../api/generated/schema.ts';
import { useApi, useCall } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { shareInterval } from '../format/interval.ts';
import { formatPercent } from '../format/number.ts';
import { formatMoment } from '../format/time.ts';
import { Choice } from '../ui/choice.tsx';
import { IntervalBar } from '../ui/interval-bar.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { differenceText } from './difference.ts';

type Candidate = Comparison['candidates'][number];

interface RunComparisonProps {
  run: Run;
  /** Run to compare with; empty for the one before. */
  other: string;
  onChoose: (other: string) => void;
}

/** Runs of the task to choose from. */
const MAX_CHOICES = 50;

/** Shows the pass rate of a run with its interval, and how it differs from that of another run. */
export function RunComparisonPanel({ run, other, onChoose }: RunComparisonProps): ReactNode {
  const { id, taskId, createdAt, modifiedAt } = run;
  const runs = useApi('/v0/runs', {
    query: { taskId: [taskId], limit: MAX_CHOICES, orderBy: 'createdAt', orderDir: 'desc' },
  });
  const others = (runs.data?.data ?? []).filter((one) => one.id !== id);
  const baseline = other === '' ? others.find((one) => one.createdAt < createdAt)?.id : other;
  // A run without another one is compared with itself, which returns its interval.
  const body = { baseline: { runIds: [baseline ?? id] }, candidates: [{ runIds: [id] }] };
  const comparison = useCall(
    '/v0/runs/compare',
    { query: body },
    (api, signal) => api.POST('/v0/runs/compare', { body, signal }),
    { enabled: runs.data !== undefined, version: modifiedAt },
  );
  return (
    <Section
      title="Pass rate"
      actions={
        others.length > 0 && (
          <Choice
            label="Compare with"
            value={other}
            anyText="Compare with the run before"
            choices={others.map((one) => [one.id, `Compare with that of ${formatMoment(one.createdAt)}`])}
            onChoose={onChoose}
          />
        )
      }
    >
      <Loaded of={comparison}>
        {({ data }) => <Rates comparison={data} baseline={baseline} isBefore={other === ''} />}
      </Loaded>
    </Section>
  );
}

interface RatesProps {
  comparison: Comparison;
  baseline: string | undefined;
  /** True if the other run is the one before. */
  isBefore: boolean;
}

function Rates({ comparison, baseline, isBefore }: RatesProps): ReactNode {
  const [candidate] = comparison.candidates;
  if (candidate === undefined || candidate.passRate === null)
    return <p className="py-1 text-dim">No test of this run counts yet: none was evaluated.</p>;
  return (
    <div className="grid gap-3">
      <Rate name="this run" side={candidate} isLarge />
      {baseline !== undefined && (
        <>
          <Rate
            name={
              <AppLink href={`/runs/${baseline}`} className="text-accent underline">
                {isBefore ? 'the run before' : 'the other run'}
              </AppLink>
            }
            side={comparison.baseline}
          />
          <p className="text-reading font-semibold">{differenceText(candidate)}</p>
          {candidate.difference && (
            <p className="text-label text-dim">
              {candidate.pairs} {candidate.pairs === 1 ? 'pair' : 'pairs'} of task and input.{' '}
              {candidate.difference.reason}
            </p>
          )}
          <Unpaired candidate={candidate} />
        </>
      )}
      <Judges definitions={candidate.definitions} />
    </div>
  );
}

/** Says how much of what was tested is not compared, and whether that is because it was judged by something else. */
function Unpaired({ candidate: { pairedShare, judgedOtherwise } }: { candidate: Candidate }): ReactNode {
  if (pairedShare === 100) return null;
  return (
    <p className="text-label text-dim">
      {formatPercent(pairedShare / 100)} of what was tested is compared.
      {judgedOtherwise > 0 &&
        ` ${judgedOtherwise} ${judgedOtherwise === 1 ? 'pair has' : 'pairs have'} another expected value, definition version or judge version in the other run.`}
    </p>
  );
}

/** Lists the judges of a run: the rate of each that has proved itself, corrected for its errors, and those that do not count. */
function Judges({ definitions }: { definitions: Candidate['definitions'] }): ReactNode {
  return definitions.map(({ id, name, candidate, isAdvisory, correctedCandidate: corrected }) => {
    if (isAdvisory)
      return (
        <p key={id} className="text-label text-dim">
          {name} is advisory: its verdicts do not count, because its judge has no valid gate.
        </p>
      );
    if (!corrected) return null;
    const { low, high } = shareInterval(corrected);
    return (
      <p key={id} className="text-label text-dim">
        {name}: {formatPercent(candidate / 100)} passed; {formatPercent(corrected.rate / 100)} when corrected
        for the errors of its judge (95 % interval {formatPercent(low)} to {formatPercent(high)}).
      </p>
    );
  });
}

interface RateProps {
  name: ReactNode;
  side: Comparison['baseline'];
  isLarge?: boolean;
}

function Rate({ name, side: { passRate, passRateInterval, tests }, isLarge = false }: RateProps): ReactNode {
  if (passRate === null || passRateInterval === null)
    return <p className="text-dim">No test of {name} counts.</p>;
  const interval = shareInterval(passRateInterval);
  const { examples } = passRateInterval;
  return (
    <div>
      <div className="flex items-baseline gap-2">
        <span className={isLarge ? 'text-headline font-semibold' : 'font-semibold'}>
          {formatPercent(passRate / 100)}
        </span>
        <span className="text-dim">
          {name}, {tests} {tests === 1 ? 'test' : 'tests'} of {examples}{' '}
          {examples === 1 ? 'example' : 'examples'}; 95 % interval {formatPercent(interval.low)} to{' '}
          {formatPercent(interval.high)}
        </span>
      </div>
      <IntervalBar share={passRate / 100} interval={interval} />
    </div>
  );
}

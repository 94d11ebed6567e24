import type { ReactNode } from 'react';
import type { RunComparison, Variant } from '../../api/generated/schema.ts';
import { shareInterval } from '../format/interval.ts';
import { formatPercent, formatWhole } from '../format/number.ts';
import { differenceText, lossOf, pText } from '../runs/difference.ts';
import { DifferenceBar } from '../runs/difference-bar.tsx';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { IntervalBar } from '../ui/interval-bar.tsx';
import { moreExamples, WANTED_POINTS } from './more-examples.ts';
import { letterOf, VARIANT_STATUS } from './words.ts';

type Side = RunComparison['baseline'];
type Candidate = RunComparison['candidates'][number];

interface VariantTableProps {
  variants: readonly Variant[];
  /** Results of the variants that have run, by id. */
  sides: ReadonlyMap<string, Side>;
  /** Called to run a variant; undefined for those who may not. */
  onRun: ((variant: Variant) => void) | undefined;
}

const HEAD = 'text-label font-semibold tracking-wide text-dim uppercase';

/** The variants with the share of tests that passed. */
export function VariantTable({ variants, sides, onRun }: VariantTableProps): ReactNode {
  return (
    <section aria-label="Passed" className="min-w-0">
      <h2 className={HEAD}>Passed, 95 % interval</h2>
      <table aria-label="Variants" className="w-full">
        <tbody>
          {variants.map((variant, place) => (
            <VariantLine
              key={variant.id}
              variant={variant}
              letter={letterOf(place)}
              side={sides.get(variant.id)}
              onRun={onRun && (() => onRun(variant))}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface VariantLineProps {
  variant: Variant;
  letter: string;
  side: Side | undefined;
  onRun: (() => void) | undefined;
}

function VariantLine({ variant, letter, side, onRun }: VariantLineProps): ReactNode {
  const { title, status, progress } = variant;
  const isRunning = status === 'RUNNING';
  return (
    <tr className="h-[34px] border-b border-line">
      <th
        scope="row"
        className="max-w-[240px] min-w-[120px] truncate pr-3 text-left font-normal"
        title={title}
      >
        <b className="font-semibold">{letter}</b> {title}
        <span className="ml-2 text-label text-dim">
          {isRunning
            ? `${formatWhole(progress.completed)} of ${formatWhole(progress.total)} tests`
            : VARIANT_STATUS[status]}
        </span>
      </th>
      <td className="pr-3 text-right font-semibold whitespace-nowrap">
        {side?.passRate == null ? '–' : formatPercent(side.passRate / 100)}
      </td>
      <td className="w-[36%] pr-4">
        {side?.passRate != null && side.passRateInterval && (
          <IntervalBar share={side.passRate / 100} interval={shareInterval(side.passRateInterval)} />
        )}
      </td>
      <td className="text-right">
        {onRun && !isRunning && status !== 'REJECTED' && (
          <Button onClick={onRun} aria-label={`Run variant ${letter}`}>
            {status === 'COMPLETED' || status === 'FAILED' ? 'Run again' : 'Run'}
          </Button>
        )}
      </td>
    </tr>
  );
}

/** Shows the difference of each variant from the first, and how sure it is. */
export function Differences({
  compared,
}: {
  compared: readonly { letter: string; candidate: Candidate }[];
}): ReactNode {
  if (compared.length === 0) return null;
  const title = `Difference from A · paired by example${compared.length > 1 ? ` · Holm over ${compared.length}` : ''}`;
  return (
    <section aria-label="Difference from A" className="min-w-0">
      <h2 className={HEAD}>{title}</h2>
      {compared.map(({ letter, candidate }) => {
        const { difference } = candidate;
        const more = moreExamples(candidate);
        const isOpen = difference !== null && difference.low <= 0 && difference.high >= 0;
        return (
          <div key={letter} className="border-b border-line py-1.5">
            <p>
              <b className="font-semibold">{letter}</b>{' '}
              <span className={classNames('font-semibold', lossOf(candidate) && 'text-fail')}>
                {differenceText(candidate, 'A')}
              </span>{' '}
              {isOpen && more !== null && (
                <span className="text-dim">
                  About {formatWhole(more)} more examples would detect a loss of {WANTED_POINTS} points.
                </span>
              )}
            </p>
            {difference && (
              <>
                <DifferenceBar {...difference} />
                <p className="text-label text-dim">
                  {difference.estimate.toFixed(1).replace('-', '−')} points · adjusted{' '}
                  {pText(difference.adjustedPValue)} · {formatWhole(candidate.pairs)} pairs
                </p>
              </>
            )}
          </div>
        );
      })}
    </section>
  );
}

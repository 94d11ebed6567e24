import type { ReactNode } from 'react';
import type { Reliability } from '../../api/generated/schema.ts';
import { formatPercent, formatWhole } from '../format/number.ts';
import { SmallTable } from '../ui/small-table.tsx';

const RIGHT = 'text-right';
const PEOPLE = [['Person'], ['Verdicts', RIGHT], ['Pass', RIGHT], ['Bias', RIGHT]] as const;
const PAIRS = [['Two people'], ['Both judged', RIGHT], ['Agree', RIGHT], ['Agreement κ', RIGHT]] as const;
/** Pairs that are shown. */
const MAX_PAIRS = 10;

/** Shows how the people judge whose verdicts count, and how far each two of them agree. */
export function People({ annotators }: Pick<Reliability, 'annotators'>): ReactNode {
  const { alpha, people, pairs } = annotators;
  if (people.length < 2) return null;
  return (
    <div className="mt-4 grid gap-3">
      <p>
        {alpha === null
          ? 'How far people agree with each other is unknown: too few traces have verdicts of two.'
          : `People agree with each other with an alpha of ${alpha.value.toFixed(2)} (${alpha.low.toFixed(2)} to ${alpha.high.toFixed(2)}). A judge can hardly agree with them more.`}
      </p>
      <SmallTable label="People" heads={PEOPLE}>
        {people.map(({ annotatorId, verdicts, passRate, bias }) => (
          <tr key={annotatorId} className="border-t border-line">
            <td className="max-w-[160px] truncate py-1">{annotatorId}</td>
            <td className={RIGHT}>{formatWhole(verdicts)}</td>
            <td className={RIGHT}>{formatPercent(passRate / 100)}</td>
            <td className={RIGHT} title="Percentage points that the person lets pass more than others">
              {bias === null ? '–' : `${bias > 0 ? '+' : ''}${bias.toFixed(0)}`}
            </td>
          </tr>
        ))}
      </SmallTable>
      {pairs.length > 0 && (
        <SmallTable label="Agreement of each two people" heads={PAIRS}>
          {pairs.slice(0, MAX_PAIRS).map(({ annotatorIds, traces, agreed, kappa }) => (
            <tr key={annotatorIds.join(' ')} className="border-t border-line">
              <td className="max-w-[160px] truncate py-1">{annotatorIds.join(', ')}</td>
              <td className={RIGHT}>{formatWhole(traces)}</td>
              <td className={RIGHT}>{formatWhole(agreed)}</td>
              <td className={RIGHT}>{kappa === null ? '–' : kappa.toFixed(2)}</td>
            </tr>
          ))}
        </SmallTable>
      )}
    </div>
  );
}

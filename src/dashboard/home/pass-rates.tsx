import type { ReactNode } from 'react';
import type { QueryReportBody, Report } from '../../api/generated/schema.ts';
import { type Interval, shareInterval } from '../format/interval.ts';
import { formatPercent, formatWhole } from '../format/number.ts';
import { IntervalBar } from '../ui/interval-bar.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { SmallTable } from '../ui/small-table.tsx';
import { groupName, useReport, weeksAgo } from '../reports/use-report.ts';

interface Rate {
  share: number;
  count: number;
  interval: Interval;
}

type Condition = Pick<NonNullable<QueryReportBody['filters']>[number], 'operator' | 'value'>;

const bodyOf = (createdAt: Condition): QueryReportBody => ({
  datasource: 'eval',
  filters: [
    { column: 'createdAt', ...createdAt },
    { column: 'superseded', operator: 'eq', value: false },
  ],
  groupBy: [{ column: 'topic' }],
  measurements: [{ aggregation: 'count', column: 'passed', as: 'count' }, { aggregation: 'passRate' }],
  withIntervals: true,
  limit: 100,
});

const SCALE = (
  <span className="flex justify-between">
    <span>0 %</span>
    <span className="max-[719px]:hidden">95 % interval</span>
    <span>100 %</span>
  </span>
);
const HEADS = [
  ['Topic', 'py-1'],
  ['Verdicts', 'w-[80px] text-right max-[719px]:hidden'],
  ['Passed', 'w-[64px] text-right'],
  [SCALE, 'w-[42%] px-4 max-[719px]:pr-0'],
  ['Week before', 'w-[140px] text-right max-[719px]:hidden'],
] as const;

/** Shows the share of verdicts that passed, by topic, this week above last week. */
export function PassRates(): ReactNode {
  // Without an end: verdicts arrive while the page is open, and the clock of the browser may be slow.
  const thisWeek = useReport(bodyOf({ operator: 'gte', value: weeksAgo(1) }));
  const lastWeek = useReport(bodyOf({ operator: 'between', value: [weeksAgo(2), weeksAgo(1)] }));
  const before = ratesOf(lastWeek.data);
  return (
    <Section title="Pass rate by topic, last 7 days">
      <Loaded of={thisWeek}>
        {(report) => {
          const rates = ratesOf(report);
          return rates.size === 0 ? (
            <p className="py-2 text-dim">No verdicts in the last 7 days.</p>
          ) : (
            <SmallTable label="Pass rate by topic" heads={HEADS} isFixed>
              {[...rates].map(([topic, rate]) => (
                <RateRow key={topic} topic={topic} rate={rate} before={before.get(topic)} />
              ))}
            </SmallTable>
          );
        }}
      </Loaded>
    </Section>
  );
}

function RateRow({
  topic,
  rate,
  before,
}: {
  topic: string;
  rate: Rate;
  before: Rate | undefined;
}): ReactNode {
  return (
    <tr className="h-[30px] border-t border-line">
      <td className="truncate font-semibold">{topic}</td>
      <td className="text-right max-[719px]:hidden">{formatWhole(rate.count)}</td>
      <td className="text-right">{formatPercent(rate.share)}</td>
      <td className="px-4 max-[719px]:pr-0">
        <IntervalBar {...rate} before={before} />
      </td>
      <td className="text-right max-[719px]:hidden">
        {before ? <Change now={rate} before={before} /> : <span className="text-dim">–</span>}
      </td>
    </tr>
  );
}

/** Says that something changed only where the intervals lie apart. */
function Change({ now, before }: { now: Rate; before: Rate }): ReactNode {
  const rate = formatPercent(before.share);
  if (now.interval.high < before.interval.low) return <span className="text-fail">{rate}, now ↓ worse</span>;
  if (now.interval.low > before.interval.high) return <span className="text-pass">{rate}, now ↑ better</span>;
  return (
    <span className="text-dim" title="The intervals overlap: no difference is shown">
      {rate}, now ≈ same
    </span>
  );
}

function ratesOf(report: Report | undefined): Map<string, Rate> {
  const rates = new Map<string, Rate>();
  for (const { groups, values, passRateInterval } of report?.data ?? []) {
    const [count, passRate] = [Number(values['count'] ?? 0), values['passRate']];
    if (!passRateInterval || typeof passRate !== 'number') continue;
    const share = passRate / 100;
    const topic = groupName(groups['topic']) ?? 'Without a topic';
    rates.set(topic, { share, count, interval: shareInterval(passRateInterval) });
  }
  return rates;
}

import type { ReactNode } from 'react';
import type { RunComparison } from '../../api/generated/schema.ts';
import { AppLink } from '../app/url.tsx';
import { Section } from '../ui/panel.tsx';
import { SmallTable } from '../ui/small-table.tsx';

type Unpaired = RunComparison['candidates'][number]['unpaired'];

const MAX_SHOWN = 20;
const REASONS: Readonly<Record<Unpaired[number]['reason'], string>> = {
  NOT_IN_BASELINE: 'not tested in the baseline',
  NOT_IN_CANDIDATE: 'not tested in this run set',
  DOES_NOT_COUNT_IN_BASELINE: 'without a verdict in the baseline',
  DOES_NOT_COUNT_IN_CANDIDATE: 'without a verdict in this run set',
  DOES_NOT_COUNT: 'without a verdict on both sides',
  JUDGED_OTHERWISE: 'judged by another expected value, evaluator version or judge version',
};

/** Lists what could not be compared with the baseline, with the reason. */
export function UnpairedTable({ unpaired }: { unpaired: Unpaired }): ReactNode {
  const more = unpaired.length - MAX_SHOWN;
  return (
    <Section title="Without a partner in the comparison">
      <SmallTable label="Without a partner" heads={[['Input'], ['Reason', 'w-[45%]']]} isFixed>
        {unpaired.slice(0, MAX_SHOWN).map(({ taskId, prompt, reason }, index) => (
          <tr key={index} className="border-t border-line align-top">
            <td className="truncate py-1.5 pr-3">
              <AppLink href={`/tasks/${taskId}`}>{prompt === '' ? taskId.slice(0, 8) : prompt}</AppLink>
            </td>
            <td className="py-1.5">{REASONS[reason]}</td>
          </tr>
        ))}
      </SmallTable>
      {more > 0 && <p className="text-dim">and {more} more</p>}
    </Section>
  );
}

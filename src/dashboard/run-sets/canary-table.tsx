import type { ReactNode } from 'react';
import type { Decision } from '../../api/generated/schema.ts';
import { AppLink } from '../app/url.tsx';
import { formatPercent } from '../format/number.ts';
import { Badge } from '../ui/badge.tsx';
import { Section } from '../ui/panel.tsx';
import { SmallTable } from '../ui/small-table.tsx';

type Canaries = Decision['canaries'][number];

/** Shows whether judges still give the verdicts that they gave on frozen tests and traces. */
export function CanaryTable({ canaries }: { canaries: readonly Canaries[] }): ReactNode {
  return (
    <Section title="Canaries">
      <p className="text-dim">
        Tests and traces that were judged before, and judged again with this run set to notice a judge that
        has changed.
      </p>
      <SmallTable
        label="Canaries"
        heads={[
          ['Evaluator'],
          ['Judged again', 'w-[110px]'],
          ['Now pass', 'w-[90px]'],
          ['No longer pass', 'w-[110px]'],
          ['Changed (95 % interval)', 'w-[180px]'],
          ['Judge', 'w-[150px]'],
        ]}
      >
        {canaries.map((one) => (
          <tr key={one.id} className="border-t border-line align-top">
            <td className="py-1.5 pr-3">
              <AppLink href={`/evaluators/${one.id}`}>{one.name}</AppLink>
            </td>
            <td className="py-1.5 tabular-nums">
              {one.compared} of {one.canaries}
            </td>
            <td className="py-1.5 tabular-nums">{one.toPassed}</td>
            <td className="py-1.5 tabular-nums">{one.toFailed}</td>
            <td className="py-1.5 tabular-nums">{changedText(one)}</td>
            <td className="py-1.5">
              <JudgeBadge canaries={one} />
            </td>
          </tr>
        ))}
      </SmallTable>
    </Section>
  );
}

function changedText({ changed }: Canaries): string {
  if (changed === null) return '–';
  const { rate, low, high } = changed;
  return `${formatPercent(rate / 100)} (${formatPercent(low / 100)} to ${formatPercent(high / 100)})`;
}

function JudgeBadge({
  canaries: { canaries, open, compared, isShifted },
}: {
  canaries: Canaries;
}): ReactNode {
  if (isShifted) return <Badge tone="fail">✕ Has changed</Badge>;
  if (open > 0) return <Badge tone="accent">… {open} open</Badge>;
  if (2 * compared < canaries) return <Badge tone="doubt">? Too few verdicts</Badge>;
  return <Badge tone="pass">✓ As before</Badge>;
}

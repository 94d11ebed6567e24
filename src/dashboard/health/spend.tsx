import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatCount, formatMoney, formatSum, formatWhole } from '../format/number.ts';
import { Loaded, Section } from '../ui/panel.tsx';
import { startOf } from './use-ledger.ts';

/** Evaluators that are listed. */
const SHOWN = 8;

/** Shows what judge models cost in a period, by evaluator. */
export function SpendByEvaluator({ last }: { last: string }): ReactNode {
  const startDate = startOf(last, Date.now());
  const costs = useApi(
    '/v0/evals/costs',
    { query: { groupBy: 'definition', ...(startDate !== undefined && { startDate }) } },
    { keepsRows: true },
  );
  return (
    <Section title="Judge models">
      <Loaded of={costs}>
        {({ data }) => {
          const total = data.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
          const unpriced = data.reduce((sum, { unpricedEvals }) => sum + unpricedEvals, 0);
          if (data.length === 0)
            return <p className="py-1 text-dim">No judge model was called in this period.</p>;
          return (
            <>
              <p>
                <span className="text-headline font-semibold">{formatSum(total)}</span>{' '}
                <span className="text-dim">
                  {unpriced > 0 && `without ${formatWhole(unpriced)} verdicts of models without a price`}
                </span>
              </p>
              <table aria-label="Cost by evaluator" className="w-full">
                <tbody>
                  {data
                    .toSorted((a, b) => (b.cost ?? 0) - (a.cost ?? 0))
                    .slice(0, SHOWN)
                    .map(({ evalDefinitionId, name, evals, inputTokens, outputTokens, cost }) => (
                      <tr key={evalDefinitionId} className="border-t border-line">
                        <td className="py-1">
                          <AppLink href={`/evaluators/${evalDefinitionId}`} className="text-ink">
                            {name ?? evalDefinitionId}
                          </AppLink>
                        </td>
                        <td className="text-right text-dim">{formatWhole(evals)} evals</td>
                        <td className="text-right text-dim">
                          {formatCount(inputTokens + outputTokens)} tokens
                        </td>
                        <td className="w-[100px] text-right">{cost === null ? '–' : formatMoney(cost)}</td>
                      </tr>
                    ))}
                </tbody>
              </table>
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

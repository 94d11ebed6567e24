import type { ReactNode } from 'react';
import type { SpanDetail } from '../../../api/generated/schema.ts';
import { formatWhole } from '../../format/number.ts';
import { Section } from '../../ui/panel.tsx';
import { SmallTable } from '../../ui/small-table.tsx';

type Cost = NonNullable<SpanDetail['mapped']['cost']>;

const HEAD = 'border-b border-line py-1 pr-2';
const HEADS = [
  ['Tokens', HEAD],
  ['Number', `${HEAD} text-right`],
  ['$ per million', `${HEAD} text-right`],
  ['Cost', `${HEAD} text-right`],
] as const;

const PARTS: Readonly<Record<Cost['parts'][number]['part'], string>> = {
  input: 'Input',
  cacheRead: 'Read from the cache',
  cacheWrite: 'Written to the cache',
  cacheWriteHour: 'Written to the cache for an hour',
  audioInput: 'Audio input',
  audioCacheRead: 'Audio from the cache',
  output: 'Output',
  audioOutput: 'Audio output',
};

const TABLES: Readonly<Record<NonNullable<Cost['price']>['source'], string>> = {
  application: 'the prices of the application',
  file: 'the prices file',
  'built-in': 'the built-in table',
  free: 'its name, which says that it is free',
};

const amount = (value: number): string => `$${Number(value.toPrecision(6))}`;

/** Shows the cost of a span as a calculation. */
export function CostSection({ cost }: { cost: Cost }): ReactNode {
  const { basis, certainty, parts, notes } = cost;
  return (
    <Section title={`Cost · ${basis}, certainty ${certainty}`}>
      {parts.length > 0 && (
        <SmallTable label="Calculation of the cost" heads={HEADS}>
          {parts.map((part) => (
            <tr key={part.part} className="border-b border-line align-top tabular-nums">
              <th scope="row" className="py-1 pr-2 text-left font-normal">
                {PARTS[part.part]}
                <code className="block font-mono text-label break-all text-dim">{part.from}</code>
              </th>
              <td className="py-1 pr-2 text-right">{formatWhole(part.quantity)}</td>
              <td className="py-1 pr-2 text-right">× {Number(part.pricePerMillion.toPrecision(6))}</td>
              <td className="py-1 pr-2 text-right">{amount(part.cost)}</td>
            </tr>
          ))}
          <tr className="tabular-nums">
            <th scope="row" colSpan={3} className="py-1 pr-2 text-left font-semibold">
              Sum
            </th>
            <td className="py-1 pr-2 text-right font-semibold">
              {cost.cost === null ? '' : amount(cost.cost)}
            </td>
          </tr>
        </SmallTable>
      )}
      {parts.length === 0 && cost.cost !== null && <p className="font-semibold">{amount(cost.cost)}</p>}
      <ul className="mt-1 grid gap-0.5 text-dim">
        {cost.price && (
          <li>
            Price of {cost.price.name} from {TABLES[cost.price.source]}
            {cost.price.validFrom !== null && `, valid from ${cost.price.validFrom}`}
          </li>
        )}
        {cost.tier && (
          <li>
            Tier {cost.tier.name}
            {cost.tier.from !== null && ` (${cost.tier.from})`}
            {cost.tier.factor !== null && cost.tier.factor !== 1 && `: × ${cost.tier.factor}`}
          </li>
        )}
        {cost.above !== null && <li>Price of requests above {formatWhole(cost.above)} input tokens</li>}
        {notes.map((note) => (
          <li key={note}>? {note}</li>
        ))}
      </ul>
    </Section>
  );
}

import type { ReactNode } from 'react';
import type { SpanDetail } from '../../../api/generated/schema.ts';
import { Section } from '../../ui/panel.tsx';
import { SmallTable } from '../../ui/small-table.tsx';
import { CostSection } from './cost-section.tsx';
import { OwnRulesSection, UnreadKeys } from './own-rules-section.tsx';

const HEAD = 'border-b border-line py-1 pr-2';
const HEADS = [
  ['Field', `${HEAD} w-[26%]`],
  ['Value', `${HEAD} w-[30%]`],
  ['From', HEAD],
] as const;

/** Characters of a value in the table. */
const MAX_VALUE = 160;

/** Shows which vocabulary and which key gave each field of the model, and which keys no rule reads. */
export function OriginsTab({ span }: { span: SpanDetail }): ReactNode {
  const { ruleSet, fields, unmapped, redacted, truncated, cost, warnings } = span.mapped;
  const entries = Object.entries(fields);
  return (
    <div className="grid gap-4">
      {warnings.map((warning) => (
        <p key={warning} className="text-doubt">
          ? {warning}
        </p>
      ))}
      <Section title={`Where each field came from · rule set ${ruleSet}`}>
        {entries.length === 0 ? (
          <p className="text-dim">No rule gave this span a field: its sender follows no known convention.</p>
        ) : (
          <SmallTable label="Origins" heads={HEADS} isFixed>
            {entries.map(([field, { value, vocabulary, from }]) => (
              <tr key={field} className="border-b border-line align-top">
                <th scope="row" className="py-1 pr-2 text-left font-normal break-words">
                  {field}
                </th>
                <td className="py-1 pr-2">
                  <span className="line-clamp-2 break-words" title={shorten(value)}>
                    {shorten(value)}
                  </span>
                </td>
                <td className="py-1">
                  <code className="font-mono text-label break-all">{from}</code>
                  <span className="block text-label text-dim">{vocabulary}</span>
                </td>
              </tr>
            ))}
          </SmallTable>
        )}
      </Section>
      {cost && <CostSection cost={cost} />}
      <UnreadKeys keys={unmapped} />
      <OwnRulesSection />
      <Keys title="Hidden by the sender" keys={redacted} />
      <Keys title="Truncated by the sender" keys={truncated} />
    </div>
  );
}

function Keys({ title, keys }: { title: string; keys: readonly string[] }): ReactNode {
  if (keys.length === 0) return null;
  return (
    <Section title={`${title} · ${keys.length}`}>
      <ul>
        {keys.map((key) => (
          <li key={key}>
            <code className="font-mono text-label break-all">{key}</code>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

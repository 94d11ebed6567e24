import type { ReactNode } from 'react';
import type { Check } from '../../api/generated/schema.ts';
import { Badge } from '../ui/badge.tsx';

const LEVELS: Readonly<Record<Check['level'], { tone: 'pass' | 'doubt' | 'fail'; text: string }>> = {
  ok: { tone: 'pass', text: '✓ ok' },
  warning: { tone: 'doubt', text: '! warning' },
  problem: { tone: 'fail', text: '✕ problem' },
};

/** Shows what was found, how bad it is, and what to do about it. */
export const HealthChecks = ({ label, checks }: { label: string; checks: readonly Check[] }): ReactNode => (
  <table aria-label={label} className="w-full">
    <tbody>
      {checks.map(({ name, level, message, advice }) => (
        <tr key={name} className="border-t border-line align-top">
          <th
            scope="row"
            className="w-[190px] py-1 pr-3 text-left font-normal text-dim max-[700px]:w-[110px]"
          >
            {name}
          </th>
          <td className="py-1 [overflow-wrap:anywhere]">
            {message}
            {advice !== null && <p className="text-dim">{advice}</p>}
          </td>
          <td className="w-[100px] py-1 text-right">
            <Badge tone={LEVELS[level].tone}>{LEVELS[level].text}</Badge>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

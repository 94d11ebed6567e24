import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { formatAgo } from '../format/time.ts';
import { Badge } from '../ui/badge.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { findingsOf, type Level } from './server-findings.ts';

/** Milliseconds between two looks. */
const REFRESH_MS = 10_000;

const LEVELS: Readonly<Record<Level, { tone: 'pass' | 'doubt' | 'fail'; text: string }>> = {
  good: { tone: 'pass', text: '✓ good' },
  watch: { tone: 'doubt', text: '! watch' },
  bad: { tone: 'fail', text: '✕ act' },
};

/** Shows the disk, the memory and the queues of the server, and what to do about them. */
export function Server(): ReactNode {
  const state = useApi(['system'], (api, signal) => api.GET('/v0/system', { signal }), {
    refresh: () => REFRESH_MS,
  });
  return (
    <Section title="Server">
      <Loaded of={state}>
        {({ data }) => (
          <>
            <p className="py-1 text-dim">
              Touchstone {data.version}, started {formatAgo(data.startedAt)}. These numbers concern all
              applications of the server.
            </p>
            <table aria-label="State of the server" className="w-full">
              <tbody>
                {findingsOf(data, Date.now()).map(({ name, value, level, advice }) => (
                  <tr key={name} className="border-t border-line align-top">
                    <th scope="row" className="w-[190px] py-1 text-left font-normal text-dim">
                      {name}
                    </th>
                    <td className="py-1">
                      {value}
                      {advice !== '' && <p className="text-dim">{advice}</p>}
                    </td>
                    <td className="w-[80px] py-1 text-right">
                      <Badge tone={LEVELS[level].tone}>{LEVELS[level].text}</Badge>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
      </Loaded>
    </Section>
  );
}

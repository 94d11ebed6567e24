import type { ReactNode } from 'react';
import type { System } from '../../api/generated/schema.ts';
import { formatBytes, formatMoney, formatPercent, formatWhole } from '../format/number.ts';
import { Badge } from '../ui/badge.tsx';

type Organisation = System['organisations'][number];
type Quota = Organisation['quotas'][number];

/** Share of a limit from which on it is marked. */
const NEAR = 0.8;

const seconds = (value: number): string => `${value < 10 ? value.toFixed(1) : formatWhole(value)} s`;
const KINDS: Readonly<Record<Quota['name'], { title: string; format: (value: number) => string }>> = {
  applications: { title: 'Applications', format: formatWhole },
  streams: { title: 'Streams', format: formatWhole },
  uploads: { title: 'Uploads', format: formatWhole },
  decodingSecondsOfHour: { title: 'Decoding this hour', format: seconds },
  storedBytes: { title: 'Stored traces', format: formatBytes },
  judgeDollarsOfDay: { title: 'Judges today', format: formatMoney },
  judgeDollarsOfMonth: { title: 'Judges this month', format: formatMoney },
};

/** Shows what organisations use, and how much they may use. */
export const Quotas = ({ organisations }: { organisations: readonly Organisation[] }): ReactNode =>
  organisations.map(({ id, quotas }) => (
    <table key={id} aria-label={`What organisation ${id} uses`} className="w-full">
      <caption className="py-1 text-left text-dim [overflow-wrap:anywhere]">Organisation {id}</caption>
      <tbody>
        {quotas.map((quota) => (
          <tr key={quota.name} className="border-t border-line align-top">
            <th
              scope="row"
              className="w-[190px] py-1 pr-3 text-left font-normal text-dim max-[700px]:w-[110px]"
            >
              {KINDS[quota.name].title}
            </th>
            <td className="py-1">{usageOf(quota)}</td>
            <td className="w-[100px] py-1 text-right">
              <Share quota={quota} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  ));

function usageOf({ name, used, limit }: Quota): string {
  const { format } = KINDS[name];
  return limit === null ? `${format(used)}, without a limit` : `${format(used)} of ${format(limit)}`;
}

function Share({ quota: { used, limit } }: { quota: Quota }): ReactNode {
  if (limit === null) return null;
  const share = used / limit;
  if (share >= 1) return <Badge tone="fail">✕ used up</Badge>;
  if (share >= NEAR) return <Badge tone="doubt">! {formatPercent(share)}</Badge>;
  return <span className="text-dim">{formatPercent(share)}</span>;
}

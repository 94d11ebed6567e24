import type { ReactNode } from 'react';
import type { Rejection } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { formatMoment } from '../format/time.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { cureOf } from './cures.ts';

/** Rejections that are shown. */
const SHOWN = 20;
const REFRESH_MS = 30_000;

/** Lists the latest rejections, each with what avoids it. */
export function Rejections(): ReactNode {
  const list = useApi(
    ['ledger', 'rejected'],
    (api, signal) => api.GET('/v0/ingest/ledger/rejected', { params: { query: { limit: SHOWN } }, signal }),
    { refresh: () => REFRESH_MS },
  );
  return (
    <Section title="Latest rejections">
      <Loaded of={list}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <p className="py-1 text-dim">Nothing was rejected.</p>
          ) : (
            <>
              <RejectionTable rejections={data} />
              {pagination.total > data.length && (
                <p className="py-2 text-dim">
                  The latest {data.length} of {formatWhole(pagination.total)}.
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

/** Lists rejections with reason and cure. */
export const RejectionTable = ({ rejections }: { rejections: readonly Rejection[] }): ReactNode => (
  <div className="-mx-4">
    <DataTable label="Rejections" rows={rejections} columns={COLUMNS} rowKey={({ id }) => id} />
  </div>
);

const COLUMNS: readonly Column<Rejection>[] = [
  {
    id: 'at',
    title: 'Time',
    width: 'w-[112px]',
    cell: ({ at }) => (
      <time dateTime={at} title={at} className="text-dim">
        {formatMoment(at)}
      </time>
    ),
  },
  {
    id: 'reason',
    title: 'Reason',
    width: 'w-[170px]',
    cell: ({ reason }) => <code className="font-mono text-label">{reason}</code>,
  },
  {
    id: 'spans',
    title: 'Spans',
    width: 'w-[70px]',
    align: 'right',
    cell: ({ spans }) =>
      spans === 0 ? <span title="The complete request was rejected">all</span> : formatWhole(spans),
  },
  { id: 'message', title: 'Message', cell: ({ message }) => <span title={message}>{message}</span> },
  { id: 'cure', title: 'Cure', cell: ({ reason }) => <span title={cureOf(reason)}>{cureOf(reason)}</span> },
  {
    id: 'key',
    title: 'API key',
    width: 'w-[116px]',
    cell: ({ keyId }) => <code className="font-mono text-label">{keyId}</code>,
  },
  {
    id: 'trace',
    title: 'Trace',
    width: 'w-[84px]',
    cell: ({ traceId }) =>
      traceId === null || traceId === '' ? (
        <span className="text-dim">–</span>
      ) : (
        <AppLink href={`/health?find=${traceId}`} className="font-mono text-label text-accent">
          {traceId.slice(0, 8)}
        </AppLink>
      ),
  },
];

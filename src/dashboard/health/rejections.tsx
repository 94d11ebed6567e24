import type { ReactNode } from 'react';
import type { Rejection } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { formatMoment } from '../format/time.ts';
import { Loaded, Section } from '../ui/panel.tsx';
import { cureOf } from './cures.ts';

/** Rejections that are shown. */
const SHOWN = 20;
const REFRESH_MS = 30_000;

/** Lists the latest rejections, each with what avoids it. */
export function Rejections(): ReactNode {
  const list = useApi(
    '/v0/ingest/ledger/rejected',
    { query: { limit: SHOWN } },
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

const HEAD = 'h-[28px] border-b border-line px-1.5 text-left text-label font-normal text-dim first:pl-0';
const CELL = 'border-b border-line px-1.5 py-1.5 first:pl-0 break-words';

/** Lists rejections with reason and cure. */
export const RejectionTable = ({ rejections }: { rejections: readonly Rejection[] }): ReactNode => (
  <table aria-label="Rejections" className="w-full">
    <thead>
      <tr>
        {['Time', 'Reason', 'Spans', 'What was wrong, and the cure', 'API key', 'Trace'].map((title) => (
          <th key={title} scope="col" className={HEAD}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rejections.map((rejection) => (
        <RejectionRow key={rejection.id} rejection={rejection} />
      ))}
    </tbody>
  </table>
);

function RejectionRow({ rejection }: { rejection: Rejection }): ReactNode {
  const { at, reason, message, spans, keyId, traceId } = rejection;
  return (
    <tr className="align-top">
      <td className={`${CELL} whitespace-nowrap text-dim`}>
        <time dateTime={at} title={at}>
          {formatMoment(at)}
        </time>
      </td>
      <td className={CELL}>
        <code className="font-mono text-label">{reason}</code>
      </td>
      <td className={CELL}>
        {spans === 0 ? <span title="The complete request was rejected">all</span> : formatWhole(spans)}
      </td>
      <td className={CELL}>
        {message}
        <span className="block text-dim">{cureOf(reason)}</span>
      </td>
      <td className={CELL}>
        <code className="font-mono text-label">{keyId}</code>
      </td>
      <td className={CELL}>
        {traceId === null || traceId === '' ? (
          <span className="text-dim">–</span>
        ) : (
          <AppLink href={`/health?find=${traceId}`} className="font-mono text-label text-accent">
            {traceId.slice(0, 8)}
          </AppLink>
        )}
      </td>
    </tr>
  );
}

import type { ReactNode } from 'react';
import type { Test } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { formatMoment } from '../format/time.ts';
import { useAttempts, useDelivery } from './use-attempts.ts';
import type { FailureCode } from './words.ts';

/** Failures for which it matters whether spans arrived. */
const ABOUT_SPANS: ReadonlySet<FailureCode> = new Set(['trace_missing', 'delivery_unknown']);
/** Characters of a response that are shown. */
const MAX_RESPONSE = 400;
/** Milliseconds before and after the test in which hours of the ledger count. */
const HOUR = 3_600_000;

/** Lists what was checked after a failure, and what was found. */
export function Checks({ test, code }: { test: Test; code: FailureCode }): ReactNode {
  const attempts = useAttempts(test);
  const last = attempts.data?.data.at(-1);
  const delivery = useDelivery(last?.id, last?.outcome);
  if (attempts.data === undefined) return null;
  const request = delivery.data?.data.request;
  const response = delivery.data?.data.response;
  return (
    <table aria-label="Checks" className="mt-3 w-full">
      <thead>
        <tr className="text-left text-label text-dim">
          <th scope="col" className="w-[260px] font-normal">
            Checked
          </th>
          <th scope="col" className="font-normal">
            Found
          </th>
        </tr>
      </thead>
      <tbody>
        <Check what="Attempts to send the test">
          {last === undefined ? 'none' : `${attempts.data.data.length}, the last one to ${last.url}`}
        </Check>
        {response && (
          <Check what="Response of the app">
            {response.body.trim() === '' || response.encoding === 'base64' ? (
              'without text'
            ) : (
              <code className="font-mono text-label break-words whitespace-pre-wrap">
                {response.body.slice(0, MAX_RESPONSE)}
              </code>
            )}
          </Check>
        )}
        {ABOUT_SPANS.has(code) && (
          <>
            <ReceivedMeanwhile test={test} />
            {request && <Continued traceparent={request.headers['traceparent']} />}
          </>
        )}
      </tbody>
    </table>
  );
}

function Check({ what, children }: { what: ReactNode; children: ReactNode }): ReactNode {
  return (
    <tr className="border-t border-line align-top">
      <th scope="row" className="py-1 pr-3 text-left font-normal">
        {what}
      </th>
      <td className="py-1">{children}</td>
    </tr>
  );
}

/** Counts the spans that arrived in the hours of the test, whatever they belong to. */
function ReceivedMeanwhile({ test }: { test: Test }): ReactNode {
  const startDate = new Date(Math.floor(Date.parse(test.createdAt) / HOUR) * HOUR).toISOString();
  const endDate = test.modifiedAt;
  const ledger = useApi(['ledger', startDate, endDate], (api, signal) =>
    api.GET('/v0/ingest/ledger', { params: { query: { startDate, endDate, limit: 100 } }, signal }),
  );
  const rows = ledger.data?.data;
  if (rows === undefined) return null;
  const sum = (name: 'received' | 'rejected'): number => rows.reduce((total, row) => total + row[name], 0);
  return (
    <Check what={`Spans of any test since ${formatMoment(startDate)}`}>
      <strong>{formatWhole(sum('received'))} received</strong>, {formatWhole(sum('rejected'))} rejected ·{' '}
      <AppLink href="/health" className="text-accent underline">
        ledger
      </AppLink>
      {sum('received') === 0 && ': the exporter of the app has sent nothing'}
    </Check>
  );
}

/** Looks up the trace that the request named in its header `traceparent`. */
function Continued({ traceparent }: { traceparent: string | undefined }): ReactNode {
  const [, traceId = ''] = traceparent?.split('-') ?? [];
  const lookup = useApi(
    ['lookup', traceId],
    (api, signal) => api.GET('/v0/ingest/lookup', { params: { query: { traceId } }, signal }),
    { enabled: traceId !== '' },
  );
  const found = lookup.data?.data;
  if (found === undefined) return null;
  const { traceSpanCount, rejections } = found;
  const isContinued = traceSpanCount > 1;
  return (
    <Check
      what={
        <>
          Spans of the trace in <code className="font-mono text-label">traceparent</code>
        </>
      }
    >
      {isContinued
        ? `${formatWhole(traceSpanCount)} stored`
        : 'only the delivery itself: the app does not continue the trace'}
      {rejections.length > 0 && `; ${rejections.length} rejections`} ·{' '}
      <AppLink href={`/health?find=${traceId}`} className="text-accent underline">
        look up
      </AppLink>
    </Check>
  );
}

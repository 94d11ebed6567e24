import type { ReactNode } from 'react';
import type { Test } from '../../api/generated/schema.ts';
import { AppLink } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { SmallTable } from '../ui/small-table.tsx';
import { useAttempts, useDelivery } from './use-attempts.ts';
import { useDiagnosis } from './use-diagnosis.ts';
import type { FailureCode } from './words.ts';

/** Failures for which it matters whether spans arrived. */
const ABOUT_SPANS: ReadonlySet<FailureCode> = new Set(['trace_missing', 'delivery_unknown']);
/** Characters of a response that are shown. */
const MAX_RESPONSE = 400;
/** Other tests that are linked. */
const SHOWN_TESTS = 3;

/** Lists what was checked after a failure, and what was found. */
export function FailureChecks({ test, code }: { test: Test; code: FailureCode }): ReactNode {
  const attempts = useAttempts(test);
  const last = attempts.data?.data.at(-1);
  const delivery = useDelivery(last?.id, last?.outcome);
  if (attempts.data === undefined) return null;
  const request = delivery.data?.data.request;
  const response = delivery.data?.data.response;
  return (
    <div className="mt-3">
      <SmallTable label="Checks" heads={[['Checked', 'w-[260px]'], ['Found']]}>
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
        {ABOUT_SPANS.has(code) && <Waited test={test} traceparent={request?.headers['traceparent']} />}
      </SmallTable>
    </div>
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

/** Shows what arrived while the test waited, and the likely cause. */
function Waited({ test, traceparent }: { test: Test; traceparent: string | undefined }): ReactNode {
  const diagnosis = useDiagnosis(test);
  if (diagnosis.data === undefined) return null;
  const { cause, cure, meanwhile, spans } = diagnosis.data.data;
  const [, traceId] = traceparent?.split('-') ?? [];
  return (
    <>
      <Check what="Traces that began meanwhile">
        <strong>{formatWhole(meanwhile.tracesWithoutTest)} without a test</strong>,{' '}
        {formatWhole(meanwhile.tracesOfOtherTests)} with the id of a test that did not run then
        {meanwhile.otherTestIds.slice(0, SHOWN_TESTS).map((id) => (
          <span key={id}>
            {' · '}
            <AppLink href={`/tests/${id}`} className="text-accent underline">
              {id.slice(0, 8)}
            </AppLink>
          </span>
        ))}
      </Check>
      <Check what="Spans rejected meanwhile">
        {meanwhile.rejections.length === 0
          ? 'none'
          : [...new Set(meanwhile.rejections.map(({ message }) => message))].join('; ')}{' '}
        ·{' '}
        <AppLink href="/health" className="text-accent underline">
          ledger
        </AppLink>
      </Check>
      <Check
        what={
          <>
            Spans of the trace in <code className="font-mono text-label">traceparent</code>
          </>
        }
      >
        {spans.isTraceparentContinued ? 'arrived' : 'none: the app does not continue the trace'}
        {traceId !== undefined && (
          <>
            {' · '}
            <AppLink href={`/health?find=${traceId}`} className="text-accent underline">
              look up
            </AppLink>
          </>
        )}
      </Check>
      <Check what="Likely cause">
        <strong>{cause}</strong> {cure}
      </Check>
    </>
  );
}

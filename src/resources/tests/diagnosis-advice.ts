import type { Failure } from '../../tests/failures.ts';
import type { Diagnosis } from './diagnosis-contract.ts';

interface Facts extends Pick<Diagnosis, 'status' | 'phase' | 'meanwhile' | 'spans' | 'attempts'> {
  failure: Failure | null;
}

type Advice = Pick<Diagnosis, 'cause' | 'cure'>;

/** Returns the likely cause of the state of a test, and what to do about it. */
export function likelyCause(facts: Facts): Advice {
  const { status, phase, failure, spans } = facts;
  if (status === 'COMPLETED') return { cause: 'The test completed.', cure: null };
  if (failure !== null && failure.code !== 'trace_missing')
    return { cause: failure.message, cure: failure.hint };
  if (failure !== null || (phase === 'delivered' && spans.stored === 0)) return whyNoTrace(facts);
  return { cause: PROGRESS[phase], cure: null };
}

const PROGRESS: Readonly<Record<Diagnosis['phase'], string>> = {
  queued: 'The test waits for its turn to be delivered.',
  delivering: 'The test is being delivered to the webhook.',
  delivered: 'Spans have arrived, and the test waits until no more come.',
  trace_received: 'Spans have arrived, and the test waits until no more come.',
  evaluating: 'The trace is complete and is being evaluated.',
  done: 'The test has ended.',
};

/** Explains why the response of the webhook was 200 and no span of the test arrived; the most telling fact comes first. */
function whyNoTrace({ meanwhile }: Facts): Advice {
  const { rejections, otherTestIds, tracesOfOtherTests, tracesWithoutTest, unauthorized } = meanwhile;
  const [rejection] = rejections;
  if (rejection)
    return {
      cause: `Spans were rejected while the test waited: ${rejection.message} (${rejection.reason}).`,
      cure: 'Correct what the exporter sends; GET /v0/ingest/ledger/rejected lists every rejection.',
    };
  if (unauthorized)
    return {
      cause: `${unauthorized.method} ${unauthorized.path} was rejected with ${unauthorized.status} while the test waited${unauthorized.keyId === null ? '' : ` (key ${unauthorized.keyId})`}: ${unauthorized.message}.`,
      cure: `Set the API key and the application id of the exporter; the log of the server has the request ${unauthorized.requestId}.`,
    };
  if (tracesWithoutTest > 0)
    return {
      cause: `${traces(tracesWithoutTest)} arrived without a test id, and none of them continues the traceparent that was sent.`,
      cure: 'Set the attribute service.test.id on the spans of the request, or start its first span from the traceparent header.',
    };
  if (tracesOfOtherTests > 0)
    return {
      cause: `${traces(tracesOfOtherTests)} arrived with other test ids (such as ${otherTestIds[0]}), and none with the id of this test.`,
      cure: 'Take the test id from each request; do not keep that of an earlier one.',
    };
  return {
    cause: 'No span arrived while the test waited.',
    cure: 'Check the endpoint and the API key of the exporter, and flush spans before the response is sent.',
  };
}

const traces = (count: number): string => (count === 1 ? 'One trace' : `${count} traces`);

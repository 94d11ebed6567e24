import { type Check, ok, problem, warning } from '../../contract/check.ts';
import type { HealthFacts } from './health-contract.ts';

const RECENT_MS = 60 * 60 * 1_000;
const FEW_MINUTES_MS = 5 * 60 * 1_000;
/** Difference of clocks beyond which lists by time show traces at the wrong place. */
const CLOCK_MS = 5_000;
/** A trace that arrives an hour late is more likely one of a clock that is behind. */
const CLOCK_BEHIND_MS = 60 * 60 * 1_000;

/** Says what the facts about an application mean. `at` is in Unix milliseconds. */
export function healthChecks(facts: HealthFacts, at: number): Check[] {
  return [
    spans(facts, at),
    credentials(facts, at),
    rejections(facts, at),
    webhook(facts, at),
    testLinks(facts),
    clock(facts),
  ];
}

function spans({ lastSpan, lastUnauthorized }: HealthFacts, at: number): Check {
  if (lastSpan) return ok('Spans', `The last span arrived ${ago(lastSpan.at, at)}.`);
  const cause = lastUnauthorized
    ? 'Correct the API key of the sender; see below.'
    : 'Set OTEL_EXPORTER_OTLP_ENDPOINT to the address of this server, and flush spans before the app ends.';
  return warning('Spans', 'No span has arrived.', cause);
}

function credentials({ lastUnauthorized: last, lastSpan }: HealthFacts, at: number): Check {
  const name = 'API keys';
  if (!last) return ok(name, 'No request with a wrong key since the server started.');
  const key = last.keyId === null ? '' : ` (key ${last.keyId})`;
  const message = `${last.method} ${last.path} was rejected ${ago(last.at, at)}${key}: ${last.message}.`;
  const isOver = lastSpan !== null && Date.parse(lastSpan.at) > Date.parse(last.at);
  if (isOver && at - Date.parse(last.at) > FEW_MINUTES_MS)
    return ok(name, `${message} Spans have arrived since.`);
  const advice = `Set the API key and the application id of the sender; the log of the server has the request ${last.requestId}.`;
  return lastSpan === null ? problem(name, message, advice) : warning(name, message, advice);
}

function rejections({ lastRejection: last }: HealthFacts, at: number): Check {
  const name = 'Rejected spans';
  if (!last) return ok(name, 'No span was rejected.');
  const message = `The last rejection was ${ago(last.at, at)}: ${last.message} (${last.reason}).`;
  return at - Date.parse(last.at) > RECENT_MS
    ? ok(name, message)
    : warning(
        name,
        message,
        'Correct what the exporter sends; GET /v0/ingest/ledger/rejected lists every rejection.',
      );
}

function webhook({ lastDelivery: last }: HealthFacts, at: number): Check {
  const name = 'Webhook';
  if (!last) return ok(name, 'No test has been sent.');
  if (last.outcome === null)
    return ok(name, `A test was sent ${ago(last.sentAt, at)} and has no response yet.`);
  const what = last.statusCode === null ? last.outcome.replaceAll('_', ' ') : `status ${last.statusCode}`;
  const message = `The last test was sent ${ago(last.sentAt, at)}: ${what}${last.message === null ? '' : `. ${sentence(last.message)}`}`;
  if (last.statusCode === 200) return ok(name, `${message}.`);
  return warning(
    name,
    message.replace(/\.?$/, '.'),
    'POST /v0/webhook/test sends a sample; GET /v0/webhook/deliveries shows requests and responses.',
  );
}

const sentence = (text: string): string => text.replace(/\.$/, '');

function testLinks({ traces: { total, withoutTest }, lastDelivery }: HealthFacts): Check {
  const name = 'Test links';
  const message = `${withoutTest} of ${total === 1_000 ? 'the last 1000' : total} traces of the last 24 hours have no test id.`;
  // An app in production sends traces without tests, so this is a fault only if all of them lack one.
  const isSuspicious = lastDelivery?.statusCode === 200 && total > 0 && withoutTest === total;
  if (!isSuspicious) return ok(name, message);
  return warning(
    name,
    message,
    'Set the attribute service.test.id on the spans of tests, or continue the traceparent header of the webhook.',
  );
}

function clock({ clockDifferenceMs: difference }: HealthFacts): Check {
  const name = 'Clocks of senders';
  if (difference === null) return ok(name, 'Unknown until a span arrives.');
  const advice = 'Synchronize the clock of the machine that sends spans (NTP).';
  if (difference > CLOCK_MS)
    return warning(name, `A sender is at least ${duration(difference)} ahead of this server.`, advice);
  if (difference < -CLOCK_BEHIND_MS)
    return warning(
      name,
      `All recent spans arrived ${duration(-difference)} or more after they ended.`,
      `${advice} Or they were sent late.`,
    );
  return ok(name, 'No sender is ahead of this server.');
}

const ago = (time: string, at: number): string => `${duration(Math.max(0, at - Date.parse(time)))} ago`;

function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

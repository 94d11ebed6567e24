import { z } from 'zod';
import { canonicalJson, UncanonicalError } from '../../contract/canonical-json.ts';
import { issuesOf } from '../../contract/errors.ts';
import { definitionConfigs } from '../definition-config.ts';
import type { AppliedDefinition, ScoredEvaluator, ScoredVerdict, Verdict } from '../evaluator.ts';
import { isBusyStatus, isPassingStatus, type TriedOnce, withRetries } from '../retry.ts';
import { requestedDelay, resetOf, slowDownOf } from '../slow-down.ts';
import type { Subject } from '../subject.ts';
import { ScorerError } from './scorer-error.ts';
import { MAX_WAIT_MS, ScorerSlots } from './scorer-slots.ts';

/** Time limit of all tries together, unless the definition has one. */
const TIMEOUT_MS = 10_000;
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;
export const MAX_RESPONSE_BYTES = 64 * 1024;

/** A request to a scorer. */
export interface ScorerRequest {
  application: number;
  /** Id of the message, equal in all tries. */
  id: string;
  url: string;
  body: Buffer;
  timeoutMs: number;
  /** Bytes of the response that are read. */
  maxResponseBytes: number;
  signal: AbortSignal;
}

/** Outcome of one request. Messages name the host, but no header, body or secret. */
export type ScorerOutcome =
  | {
      kind: 'answered';
      status: number;
      headers: Readonly<Record<string, string>>;
      body: Buffer;
      truncated: boolean;
    }
  /** The request certainly did not reach the scorer. */
  | { kind: 'not_sent'; reason: string; message: string }
  | { kind: 'timeout' | 'lost'; message: string }
  /** Nothing was sent, because there is no secret to sign the request. */
  | { kind: 'unsigned'; message: string };

/** Signs and sends one request. Throws only the abort reason of the signal, or when the store fails. */
export type SendToScorer = (request: ScorerRequest) => Promise<ScorerOutcome>;

/** Eval that is scored. `traceId` is in hex. */
export interface ScoredEval {
  application: number;
  evalId: string;
  testId: string | null;
  traceId: string | null;
}

/** Record of a request to a scorer, stored for inspection. */
export interface ScorerRecord {
  scorer: string;
  /** Number of tries; 0 if nothing was sent. */
  attempts: number;
  /** Total duration of all tries, without the waits between them. */
  latencyMs: number;
  /** Cost that the scorer reports, in US dollars. */
  cost: number | null;
}

export interface ScoreOptions {
  signal: AbortSignal;
  /** Called before each attempt to send the eval, which waits for it and is not made if it rejects. */
  beforeSend: () => Promise<void>;
}

/**
 * Sends an eval to its scorer. Every failure of the scorer becomes a verdict. Rejects only with the reason of the
 * signal, or when the store fails.
 */
export type Score = (
  of: { definition: AppliedDefinition; subject: Subject; evaluator: ScoredEvaluator; scored: ScoredEval },
  options: ScoreOptions,
) => Promise<{ verdict: Verdict; record: ScorerRecord }>;

export const createScore =
  (send: SendToScorer, slots = new ScorerSlots()): Score =>
  async ({ definition, subject, evaluator, scored }, { signal, beforeSend }) => {
    const { url, timeoutMs = TIMEOUT_MS } = definitionConfigs.HTTP.parse(definition.config);
    let [attempts, triedMs] = [0, 0];
    const record = (made: number, cost: number | null): ScorerRecord => {
      return { scorer: url, attempts: made, latencyMs: Math.round(triedMs), cost };
    };
    try {
      const body = bodyOf(evaluator.question(subject, definition), scored);
      const { application, evalId: id } = scored;
      const value = await withRetries(
        async (limited) => {
          attempts += 1;
          const since = performance.now();
          try {
            const request = { application, id, url, body, timeoutMs, maxResponseBytes: MAX_RESPONSE_BYTES };
            return answerOf(await send({ ...request, signal: limited }));
          } finally {
            triedMs += performance.now() - since;
          }
        },
        {
          slots: slots.of(application, url),
          party: application,
          timeoutMs,
          maxWaitMs: MAX_WAIT_MS,
          signal,
          onTurn: beforeSend,
          onTimeout: (message) => new ScorerError('scorer_timeout', message),
        },
      );
      if (typeof value === 'string')
        return { verdict: { status: 'SKIPPED', reason: value }, record: record(0, null) };
      const { verdict, cost } = decided(evaluator, value, definition);
      return { verdict, record: record(attempts, cost) };
    } catch (error) {
      if (!(error instanceof ScorerError)) throw error;
      const reason = `${error.code}: ${error.message}`;
      return { verdict: { status: 'FAILED', reason }, record: record(attempts, null) };
    }
  };

/** Writes canonical JSON, which `POST /v0/validate-webhook` can verify, unless a value has no canonical form. */
function bodyOf(question: Readonly<Record<string, unknown>>, scored: ScoredEval): Buffer {
  const { evalId: id, testId, traceId } = scored;
  const message = { ...question, id, testId, traceId };
  const body = Buffer.from(canonicalOrPlain(message));
  if (body.length > MAX_REQUEST_BYTES)
    throw new ScorerError(
      'scorer_too_large',
      `the request would have ${body.length} bytes; the limit is ${MAX_REQUEST_BYTES}. Send fewer parts with globalConfig.send`,
    );
  return body;
}

function canonicalOrPlain(message: object): string {
  try {
    return canonicalJson(message);
  } catch (error) {
    if (error instanceof UncanonicalError) return JSON.stringify(message);
    throw error;
  }
}

/** Returns the body of a response, or why nothing was sent. Throws ScorerError for every other outcome. */
function answerOf(outcome: ScorerOutcome): TriedOnce<Buffer | string> {
  if (outcome.kind === 'unsigned') return { value: outcome.message, pauseMs: null };
  if (outcome.kind !== 'answered') {
    const isPassing = outcome.kind !== 'not_sent' || !['blocked', 'invalid_url'].includes(outcome.reason);
    throw new ScorerError('scorer_unreachable', outcome.message, { isPassing });
  }
  const { status, headers, body, truncated } = outcome;
  if (status !== 200) throw statusError(outcome);
  if (truncated)
    throw new ScorerError('scorer_bad_answer', `the response is longer than ${MAX_RESPONSE_BYTES} bytes`);
  return { value: body, pauseMs: resetOf(headers, Date.now()) };
}

function statusError({ status, headers, body }: ScorerOutcome & { kind: 'answered' }): ScorerError {
  if (!isPassingStatus(status))
    return new ScorerError('scorer_refused', `the scorer responded with ${status}; expected: 200`);
  const isBusy = isBusyStatus(status);
  const now = Date.now();
  const retryAfterMs = isBusy
    ? slowDownOf(headers, body.toString('utf8'), now).delayMs
    : requestedDelay(headers, now);
  const message = `the scorer responded with ${status}`;
  return new ScorerError('scorer_unreachable', message, { isPassing: true, isBusy, retryAfterMs });
}

function decided(evaluator: ScoredEvaluator, body: Buffer, definition: AppliedDefinition): ScoredVerdict {
  try {
    return evaluator.decide(JSON.parse(body.toString('utf8')), definition);
  } catch (error) {
    if (error instanceof SyntaxError) throw new ScorerError('scorer_bad_answer', 'the response is not JSON');
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = issuesOf(error);
    const place = issue && issue.path.length > 0 ? `\`${issue.path.join('.')}\` ` : '';
    throw new ScorerError('scorer_bad_answer', `the response is not valid: ${place}${issue?.message}`);
  }
}

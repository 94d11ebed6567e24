import { USER_AGENT } from '../../deliver/attempt.ts';
import type { GuardedClient } from '../../deliver/guarded-client.ts';
import { sign } from '../../deliver/signature.ts';
import { AppError } from '../../errors.ts';
import type { ClaimedJob } from '../../jobs/claim.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { SecretBox } from '../../runtime/secrets.ts';
import type { Read, Write } from '../../storage/calls.ts';
import { dropMessageJob, endMessageAttempt, issueMessageWork } from './calls.ts';
import { ISSUE_MESSAGE } from './message-queue.ts';
import type { StoredIssueWebhook } from './record.ts';
import { unsealIssueSecrets } from './seal.ts';

/** Most messages that are sent at once: in total, and of one application. */
const TOTAL = 8;
const PER_APPLICATION = 2;
/** Most runs of a job, including those interrupted by the end of the process. */
const MAX_RUNS = 50;
const TIMEOUT_MS = 10_000;
/** Bytes of a response that are read; none is kept. */
const MAX_RESPONSE_BYTES = 16 * 1024;

interface MessageDeps {
  read: Read;
  write: Write;
  client: GuardedClient;
  secretBox: SecretBox;
  metrics: Pick<Metrics, 'issueMessages'>;
  config: { readonly publicUrl: string | null };
  now: () => number;
}

interface AttemptEnd {
  statusCode: number | null;
  error: string | null;
  isFinal: boolean;
}

/** Declares the jobs that send messages about issues. */
export const issueMessageKinds = (deps: MessageDeps): Record<string, JobKind> => ({
  [ISSUE_MESSAGE]: {
    total: TOTAL,
    perApplication: PER_APPLICATION,
    maxAttempts: 2 * MAX_RUNS,
    run: (job, signal) => sendMessage(deps, job, signal),
  },
});

async function sendMessage(deps: MessageDeps, job: ClaimedJob, signal: AbortSignal): Promise<void> {
  const { read, write, metrics, config, now } = deps;
  const { id: jobId, application, key: id, attempt } = job;
  const base = config.publicUrl?.replace(/\/+$/, '') ?? null;
  const work = await read(issueMessageWork, { application, id, base });
  if (work === null) return write(dropMessageJob, { application, jobId });
  const end: AttemptEnd =
    'error' in work
      ? { statusCode: null, error: work.error, isFinal: true }
      : await attemptOf(deps, { ...work, id, signal });
  const isFinal = end.isFinal || attempt >= MAX_RUNS;
  const result = { application, id, jobId, ...end, isFinal, random: Math.random(), at: now() };
  metrics.issueMessages.inc({ outcome: await write(endMessageAttempt, result) });
}

/** Signs and sends a message once. */
async function attemptOf(
  { client, secretBox, now }: MessageDeps,
  {
    id,
    webhook,
    body: text,
    signal,
  }: { id: string; webhook: StoredIssueWebhook; body: string; signal: AbortSignal },
): Promise<AttemptEnd> {
  const body = Buffer.from(text);
  const timestampMs = now();
  let secrets: readonly [string, ...string[]];
  try {
    secrets = unsealIssueSecrets(secretBox, webhook, timestampMs);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { statusCode: null, error: error.message, isFinal: true };
  }
  const own = { 'content-type': 'application/json', 'user-agent': USER_AGENT };
  const headers = { ...own, ...sign({ secrets, id, body, timestampMs }) };
  const limits = { timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_RESPONSE_BYTES, keepBytes: 0 };
  const outcome = await client.request({
    url: webhook.url,
    method: 'POST',
    headers,
    body,
    signal,
    ...limits,
  });
  if (outcome.kind === 'answered') {
    const { status } = outcome;
    const isAccepted = status >= 200 && status < 300;
    const error = isAccepted ? null : `The receiver responded with status ${status}; it must be 200 to 299.`;
    return { statusCode: status, error, isFinal: false };
  }
  const hint = outcome.kind === 'not_sent' ? ` ${outcome.hint}` : '';
  return { statusCode: null, error: `${outcome.message}${hint}`, isFinal: false };
}

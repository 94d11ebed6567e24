import { explainMismatch } from '../../deliver/explain-mismatch.ts';
import type { VerifyResult } from '../../deliver/verify.ts';
import type { Read } from '../../storage/calls.ts';
import { deliveredBody } from './calls.ts';
import type { Explanation } from './contract.ts';

export interface RejectedDelivery {
  application: number;
  verdict: VerifyResult & { kind: 'answer'; valid: false };
  /** Body of the request that is not valid. */
  rawBody: Uint8Array;
}

/** Explains why a webhook is not valid, as far as the request shows it. */
export async function explainRejection(
  read: Read,
  { application, verdict, rawBody }: RejectedDelivery,
): Promise<Explanation> {
  if (verdict.reason === 'malformed') return { reason: 'malformed', detail: verdict.detail };
  if (verdict.reason === 'stale') return { reason: 'stale' };
  const { testId } = verdict.body as { testId?: unknown };
  if (typeof testId !== 'string') return { reason: 'other_secret' };
  // The JSON has no oddities, so every parser reads the same value.
  const { signature } = JSON.parse(new TextDecoder().decode(rawBody)) as { signature: string };
  const sent = await read(deliveredBody, { application, testId, signature });
  if (!sent) return { reason: 'other_secret' };
  const pointer = explainMismatch(new TextDecoder().decode(sent.body), verdict.body);
  if (pointer !== null) return { reason: 'body_changed', pointer };
  return sent.hasSignature === 1
    ? { reason: 'malformed', detail: WRONG_TIMESTAMP }
    : { reason: 'other_secret' };
}

const WRONG_TIMESTAMP =
  '/timestamp is not the signed one; pass the value of x-service-timestamp, which is in milliseconds';

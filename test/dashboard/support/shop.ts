/** An application with a little of everything: a support bot whose traces, tests and verdicts the screens show. */
import { randomUUID } from 'node:crypto';
import { withStore } from '../../../src/cli/data-folder.ts';
import { saveEvals } from '../../../src/evaluate/eval-store.ts';
import { otelTraceUuid } from '../../../src/traces/ids.ts';
import type { TestServer } from '../../support/server.ts';
import { PENDING_EVAL, verdict } from '../../support/stored-evals.ts';
import { applicationKey } from '../../support/stored-tests.ts';
import { shopTrace } from './shop-spans.ts';

/** Fills the first application of the server. Resolves to the ids of its traces, newest first. */
export async function openShop(
  server: TestServer,
  { traces = 60 }: { traces?: number } = {},
): Promise<{ traceIds: string[] }> {
  const make = async (path: string, body: object): Promise<{ id: string }> => {
    const { status, text, json } = await server.call('POST', path, { body });
    if (status >= 300) throw new Error(`POST ${path}: ${text}`);
    return Object.values(json as object)[0] as { id: string };
  };
  await server.call('PUT', `/v0/applications/${server.applicationId}`, { body: { title: 'Support bot' } });
  const definitions = await Promise.all(
    ['Polite', 'Right parcel', 'Answers the question'].map((name) =>
      make('/v0/definitions', {
        name,
        type: 'ASSERT',
        status: 'ACTIVE',
        globalConfig: { assertions: [{ type: 'contains', value: 'e' }] },
      }),
    ),
  );
  const now = Date.now();
  const stored: Buffer[] = [];
  for (let index = 0; index < traces; index += 1) {
    const { otelTraceId, request } = shopTrace(
      index + 1,
      now - (index + 1) * 7_300 - Math.floor(index / 20) * 3_600_000,
    );
    // One request for each trace, as from an app that exports after every answer.
    await server.call('POST', '/v1/traces', { body: request });
    stored.push(Buffer.from(otelTraceId, 'hex'));
  }
  const evals = stored.flatMap((traceId, index) =>
    index % 3 === 2
      ? []
      : definitions.map(({ id: definitionId }, which) => ({
          ...PENDING_EVAL,
          ...verdict(index % 7 !== which * 2),
          id: randomUUID(),
          definitionType: 'ASSERT' as const,
          definitionId,
          traceId,
        })),
  );
  withStore(server.folder, (database) => {
    const application = applicationKey(database, server.applicationId);
    saveEvals(database, { application, evals, at: now });
  });
  return { traceIds: stored.map(otelTraceUuid) };
}

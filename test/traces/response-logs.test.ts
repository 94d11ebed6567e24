/** Log records that name a model response instead of a span, such as evaluations that another program made. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildLogBatch, type IncomingLog } from '../../src/traces/log-batch.ts';
import { scanLogs } from '../../src/ingest/otlp/scan-logs.ts';
import { inOneTurn } from '../../src/runtime/steps.ts';
import { finishRefresh, workOutTrace } from '../../src/traces/refresh.ts';
import { indexEarlierResponses } from '../../src/traces/response-index.ts';
import { logsOfTrace } from '../../src/traces/span-logs.ts';
import { readLedger } from '../support/ledger.ts';
import { type LogSpec, logsJson, logsProtobuf } from '../support/otlp-logs.ts';
import { sharedServer, type TestServer } from '../support/server.ts';
import { BASE_MS, spanHex, traceBytes } from '../support/spans.ts';
import { storeLogRecords } from '../support/stored-logs.ts';
import { type Tenant, useStore } from '../support/storage.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const trace = (n: number): string => n.toString(16).padStart(32, 'c');

interface Sent {
  trace: number;
  span: number;
  response: string;
  /** Default: it has usage. */
  tokens?: number;
}

async function sendSpan({ trace: id, span, response, tokens = 5 }: Sent): Promise<void> {
  const time = `${Date.now()}000000`;
  const attribute = (key: string, value: object) => ({ key, value });
  const attributes = [
    attribute('gen_ai.operation.name', { stringValue: 'chat' }),
    attribute('gen_ai.response.id', { stringValue: response }),
    ...(tokens > 0 ? [attribute('gen_ai.usage.input_tokens', { intValue: tokens })] : []),
  ];
  const sent = {
    traceId: trace(id),
    spanId: spanHex(span),
    name: 'chat',
    startTimeUnixNano: time,
    endTimeUnixNano: time,
    attributes,
  };
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [sent] }] }] };
  expect((await server.call('POST', '/v1/traces', { body })).status).toBe(200);
}

const evaluation = (response: string, score: number, more: Partial<LogSpec> = {}): LogSpec => ({
  trace: null,
  span: null,
  event: 'gen_ai.evaluation.result',
  body: '',
  attributes: {
    'gen_ai.evaluation.name': 'relevance',
    'gen_ai.evaluation.score.value': score,
    'gen_ai.response.id': response,
  },
  ...more,
});

async function sendLogs(...specs: LogSpec[]): Promise<void> {
  const { status, text } = await server.call('POST', '/v1/logs', {
    headers: { 'content-type': 'application/json' },
    body: logsJson(specs),
  });
  expect(status, text).toBe(200);
}

/** Returns the scores that a span shows. */
async function scores(id: number, span: number): Promise<unknown> {
  const path = `/v0/traces/${trace(id)}/spans/${spanHex(span)}`;
  const { data } = await server.ok('GET', path as '/v0/traces/{id}/spans/{spanId}');
  const shown = data.mapped.fields['evaluations']?.value as { score: number }[] | undefined;
  return shown?.map(({ score }) => score);
}

const PATIENCE = { timeout: 120_000, interval: 100 };

describe('an evaluation that names a response and no span', () => {
  it('is shown with the span of the response, whichever arrives first, and once', async () => {
    await sendSpan({ trace: 1, span: 1, response: 'resp-stored' });
    await sendLogs(evaluation('resp-stored', 0.25), evaluation('resp-later', 0.5));
    await expect.poll(() => scores(1, 1), PATIENCE).toEqual([0.25]);
    await sendSpan({ trace: 2, span: 1, response: 'resp-other' });
    await sendSpan({ trace: 3, span: 7, response: 'resp-later' });
    await expect.poll(() => scores(3, 7), PATIENCE).toEqual([0.5]);
    expect(await scores(2, 1)).toBeUndefined();
    await sendLogs(evaluation('resp-stored', 0.25), evaluation('resp-stored', 0.75));
    await expect.poll(() => scores(1, 1), PATIENCE).toEqual([0.25, 0.75]);
    const { notices } = await readLedger(server);
    expect(notices).toMatchObject({ log_records: 3, log_record_duplicates: 1 });
  });

  it('is found by the response alone: without usage, with the id of some trace', async () => {
    await sendSpan({ trace: 4, span: 2, response: 'resp-bare', tokens: 0 });
    await sendLogs(evaluation('resp-bare', 1, { trace: 'ef'.repeat(16) }));
    await expect.poll(() => scores(4, 2), PATIENCE).toEqual([1]);
    await sendLogs(evaluation('resp-bare', 2, { attributes: { 'gen_ai.response.id': '' } }));
    expect((await readLedger(server)).notices).toMatchObject({ dropped_log_records: 1 });
  });
});

it('an evaluation whose fields are in the body of the record is shown with the response that the body names', async () => {
  await sendSpan({ trace: 9, span: 1, response: 'resp-body' });
  const { attributes } = evaluation('resp-body', 0.125);
  await sendLogs(evaluation('', 0, { attributes: {}, body: attributes as never }));
  await expect.poll(() => scores(9, 1), PATIENCE).toEqual([0.125]);
});

describe('the index of responses', () => {
  const { database, newTenant } = useStore();

  const received = (...specs: LogSpec[]): IncomingLog[] => inOneTurn(scanLogs(logsProtobuf(specs))).records;
  const storeReceived = (tenant: Tenant, records: readonly IncomingLog[]) =>
    storeLogRecords(tenant, [], { batch: buildLogBatch(records) });
  const rowsOf = ({ application }: Tenant, table: string): number =>
    database().get<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE application = ?`, application)
      ?.n ?? 0;
  const inTransaction = <T>(work: () => T): T => database().connection.transaction(work)();
  const indexAll = (): number => {
    let steps = 0;
    while (inTransaction(() => indexEarlierResponses(database(), { at: BASE_MS }))) steps += 1;
    return steps;
  };
  /** Refreshes a trace until nothing is left to do; returns the scores beside each span. */
  const refreshed = (tenant: Tenant, id: number): Record<string, unknown[]> => {
    const tkey = tenant.tkey(id) as number;
    const refresh = () =>
      finishRefresh(database(), { tkey, asOf: BASE_MS, refreshed: workOutTrace(database(), { tkey }) });
    while (!inTransaction(refresh));
    return Object.fromEntries(
      [...logsOfTrace(database(), tenant.application, traceBytes(id))].map(([span, records]) => [
        span,
        records.map(({ attributes }) => attributes['gen_ai.evaluation.score.value']),
      ]),
    );
  };
  const llm = (id: number, response: string) => ({
    trace: id,
    id: 1,
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.response.id': response },
  });

  it('begins with the first such record, and reaches all earlier spans in steps', () => {
    const tenant = newTenant();
    for (let n = 1; n <= 300; n++) tenant.store([llm(n, `r-${n}`)]);
    expect(rowsOf(tenant, 'response_span')).toBe(0);
    storeReceived(tenant, received(evaluation('r-1', 0.5)));
    expect(indexAll()).toBeGreaterThan(1);
    expect(rowsOf(tenant, 'response_span')).toBe(300);
    expect(refreshed(tenant, 1)).toEqual({ [spanHex(1)]: [0.5] });
    expect(refreshed(tenant, 2)).toEqual({});
    tenant.store([llm(301, 'r-301')]);
    expect(rowsOf(tenant, 'response_span')).toBe(301);
  });

  it('gives nothing to another response with the same hash, nor to another application', () => {
    const [tenant, other] = [newTenant(), newTenant()];
    for (const one of [tenant, other]) one.store([llm(1, 'r-1')]);
    const [record] = received(evaluation('r-1', 1)) as [IncomingLog];
    const [collision] = received(evaluation('r-2', 2)) as [IncomingLog];
    storeReceived(tenant, [record, { ...collision, spanId: record.spanId }]);
    storeReceived(other, received(evaluation('r-9', 3)));
    indexAll();
    expect(refreshed(tenant, 1)).toEqual({ [spanHex(1)]: [1] });
    expect(refreshed(other, 1)).toEqual({});
    expect(rowsOf(tenant, 'span_log')).toBe(2);
  });

  it('goes with a deleted trace, and a rewrite keeps it', () => {
    const tenant = newTenant();
    storeReceived(tenant, received(evaluation('r-1', 1)));
    tenant.store([llm(1, 'r-1')]);
    expect(tenant.rewrite(1)).toBe(true);
    expect(refreshed(tenant, 1)).toEqual({ [spanHex(1)]: [1] });
    const tkey = tenant.delete(1) as number;
    expect([tenant.count('response_span', tkey), tenant.count('span_log', tkey)]).toEqual([0, 0]);
    expect(storeReceived(tenant, received(evaluation('r-1', 1)))).toMatchObject({ stored: 1 });
  });
});

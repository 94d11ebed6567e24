import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EventStream, openEvents, type ServerEvent } from '../support/events.ts';
import { testHttp } from '../support/http-cases.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';
import { hexId, otlpRequest, type SpanSpec } from '../support/spans.ts';
import { WaitingTraces } from '../../src/traces/trace-feed.ts';

const MODEL = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-5.4-mini' };

let server: TestServer;
let other: Tenant;
beforeAll(async () => {
  server = await sharedServer();
  other = await server.newTenant();
});
afterAll(() => server.close());

const send = async (specs: readonly SpanSpec[], headers = server.headers): Promise<void> => {
  await server.call('POST', '/v1/traces', {
    headers: { ...headers, 'content-type': 'application/x-protobuf' },
    body: otlpRequest(specs),
  });
};
const open = async (query = '', headers: Readonly<Record<string, string>> = {}): Promise<EventStream> => {
  const stream = await openEvents(`${server.url}/v0/traces/stream${query}`, {
    ...server.headers,
    ...headers,
  });
  expect(await stream.next()).toEqual({ name: 'open', data: {} });
  return stream;
};
const summary = (event: ServerEvent | null): string => {
  const { rootName, spanCount } = (event?.data ?? {}) as { rootName?: string; spanCount?: number };
  return [event?.name, rootName, spanCount].filter((part) => part !== undefined).join(' ');
};
const idOf = (trace: number): string => hexId(trace, 16);
const listed = async (query: string): Promise<{ rootName: string }[]> =>
  (await server.ok('GET', `/v0/traces?${query}`)).data;

describe('GET /v0/traces/stream', () => {
  it('sends each trace that is new or has grown and meets the filters, as the list shows it', async () => {
    const all = await open();
    const failed = await open('?hasErrors=true');
    expect(all.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    await send([{ trace: 0x51, id: 1, name: 'first' }], other.headers);
    await send([{ trace: 0x52, id: 1, name: 'second' }]);
    const event = await all.next();
    expect(summary(event)).toBe('trace second 1');
    expect(event?.data).toEqual((await listed(`id=${idOf(0x52)}`))[0]);
    await send([{ trace: 0x52, id: 2, parent: 1, status: 2 }]);
    expect(summary(await all.next())).toBe('trace second 2');
    expect(summary(await failed.next())).toBe('trace second 2');
    await server.call('POST', '/v0/ingest', {
      body: {
        events: [{ type: 'trace', timestamp: new Date().toISOString(), input: 'Hi', output: 'Hello' }],
      },
    });
    expect(summary(await all.next())).toContain('trace');
    for (const stream of [all, failed]) stream.leave();
  });

  it('repeats what a client that reconnects has missed', async () => {
    const before = Date.now();
    await send([{ trace: 0x53, id: 1, name: 'meanwhile', attributes: MODEL }]);
    const stream = await open('?model=gpt-5.4-mini', { 'last-event-id': String(before) });
    expect(summary(await stream.next())).toBe('trace meanwhile 1');
    stream.leave();
  });

  it('reports that a repetition is not complete only where the changes reach the oldest of the newest 1000', async () => {
    const tenant = await server.newTenant();
    const begin = Date.now();
    await send(
      Array.from({ length: 1_200 }, (_, n) => ({ trace: 0x8000 + n, id: 1 })),
      tenant.headers,
    );
    const all = await open('', { ...tenant.headers, 'last-event-id': String(begin) });
    expect(await all.next()).toEqual({ name: 'missed', data: { isRepeat: true } });
    all.leave();
    const later = await open('', { ...tenant.headers, 'last-event-id': String(Date.now() + 60_000) });
    await send([{ trace: 0x9000, id: 1, name: 'later' }], tenant.headers);
    expect((await later.next())?.name).toBe('missed');
    later.leave();
  });

  it('ends when its key is revoked', async () => {
    const made = await server.call('POST', '/v0/api-keys', { body: { name: 'tail', scopes: ['read'] } });
    const { id, key } = (made.json as { data: { id: string; key: string } }).data;
    const stream = await open('', { 'x-api-key': key });
    await server.call('DELETE', `/v0/api-keys/${id}`);
    expect(await stream.next()).toBeNull();
  });

  it('reports that changes were left out when too many waited', () => {
    const waiting = new WaitingTraces();
    const ids = Buffer.alloc(16 * 2_001);
    for (let n = 0; n < 2_001; n += 1) ids.writeUInt32BE(n, n * 16);
    waiting.add(ids, false);
    expect(waiting.take(5_000)).toHaveLength(2_000);
    expect([waiting.takeMissed(), waiting.takeMissed(), waiting.isEmpty]).toEqual([true, false, true]);
  });

  testHttp(
    () => server,
    [
      {
        name: 'takes no filter that the list would not take',
        request: 'GET /v0/traces/stream?metadataValue=x',
        status: 400,
      },
    ],
  );
});

describe('the filter `id`', () => {
  it('finds traces by uuid and by the id of OpenTelemetry, and no others', async () => {
    await send([
      { trace: 0x61, id: 1, name: 'one' },
      { trace: 0x62, id: 1, name: 'two' },
      { trace: 0x63, id: 1, name: 'three' },
    ]);
    const [one] = (await listed(`id=${idOf(0x61)}`)) as { rootName: string; id: string }[];
    const found = await listed(`id=${one?.id},${idOf(0x63)}&orderDir=asc`);
    expect(found.map(({ rootName }) => rootName).toSorted()).toEqual(['one', 'three']);
    expect(await listed(`id=${idOf(0x51)}`)).toEqual([]);
  });
});

describe('GET /v0/traces/export', () => {
  const exported = async (query: string): Promise<{ headers: Headers; text: string; status: number }> => {
    const response = await fetch(`${server.url}/v0/traces/export?${query}`, { headers: server.headers });
    return { headers: response.headers, text: await response.text(), status: response.status };
  };

  it('returns every match once, over several pages', async () => {
    const specs = Array.from({ length: 1_100 }, (_, n) => ({
      trace: 0x1000 + n,
      id: 1,
      name: `row ${n}`,
      // Many share their start, so that pages end between equals.
      start: Math.floor(n / 300) * 1_000_000,
      attributes: { ...MODEL, 'user.id': 'exporter' },
    }));
    await send(specs);
    const { headers, text } = await exported('format=jsonl&userId=exporter');
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="traces.jsonl"');
    const rows = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; rootName: string; timestamp: string });
    expect(new Set(rows.map(({ rootName }) => rootName)).size).toBe(1_100);
    expect(rows).toHaveLength(1_100);
    expect(rows.map(({ timestamp }) => timestamp)).toEqual(
      rows.map(({ timestamp }) => timestamp).toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)),
    );
    const limited = await exported('format=jsonl&userId=exporter&limit=501');
    expect(limited.text.trimEnd().split('\n')).toHaveLength(501);
  });

  it('writes CSV that a spreadsheet reads as text', async () => {
    await send([{ trace: 0x71, id: 1, name: '=1+1,"quoted"' }]);
    const { text, headers } = await exported(`id=${idOf(0x71)}`);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head, row, end] = text.split('\r\n');
    expect(head).toMatch(/^id,timestamp,name,input,output,durationMs/);
    expect(row).toContain(`,"'=1+1,""quoted""",`);
    expect(end).toBe('');
  });

  it('shows nothing of another application, and rejects a limit that is too high', async () => {
    expect((await exported(`id=${idOf(0x51)}`)).text.split('\r\n')).toHaveLength(2);
    expect((await exported('limit=1000001')).status).toBe(422);
  });
});

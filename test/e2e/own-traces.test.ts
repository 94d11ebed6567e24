/** A server that traces its own work, and another one that receives the traces. */
import { Session } from 'node:inspector';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { defining } from '../resources/definition-support.ts';
import { answer, type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { exportPath, framed, GrpcConnection } from '../support/grpc.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { otlpRequest } from '../support/spans.ts';
import { STAND_IN_TOKENS, type StandInJudge, startStandInJudge } from '../support/stand-in-judge.ts';
import { jsonRequest, jsonSpan, newSpanId, newTraceId } from './otlp-sender.ts';
import { until } from '../support/until.ts';

/** Texts of a request that no span may contain. */
const SEARCH = 'a-private-word';

interface ExportedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status?: { code?: number };
  attributes?: { key: string; value: { stringValue?: string; intValue?: string } }[];
}
interface Exported {
  resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[];
}
type OwnSpan = Omit<ExportedSpan, 'attributes'> & { attributes: Record<string, string | number> };

let receiver: TestServer;
let traced: TestServer;
let model: StandInJudge;
let app: CustomerApp;
const newCaller = (): { trace: string; caller: string } => ({ trace: newTraceId(), caller: newSpanId() });
/** Spans of clients, whose traces the server continues or not. */
const callers = {
  ingest: newCaller(),
  grpc: newCaller(),
  list: newCaller(),
  unknown: newCaller(),
  unsampled: newCaller(),
  carrier: newCaller(),
  probe: newCaller(),
};
/** Kinds of spans in OTLP. */
const [INTERNAL, SERVER, CLIENT] = [1, 2, 3];
let spans: OwnSpan[];
let wasLoaded: { without: boolean; with: boolean };

const endpointOf = ({ url }: TestServer): URL => new URL('/v1/traces', url);
const by = ({ trace, caller }: { trace: string; caller: string }, flags = '01'): Record<string, string> => ({
  traceparent: `00-${trace}-${caller}-${flags}`,
});

beforeAll(async () => {
  receiver = await startServer();
  const without = await isSdkLoaded();
  model = await startStandInJudge(() => ({ say: { rationale: 'It says 30.', verdict: 'yes' } }));
  app = await startCustomerApp();
  traced = await startServer({
    config: {
      ownTracesEndpoint: endpointOf(receiver),
      ownTracesHeaders: receiver.headers,
      ownTracesRatio: 1,
      grpcPort: 0,
      quietMs: 50,
      orphanQuietMs: 50,
      judgeModel: 'judge-1',
      judgeBaseUrl: model.openAi,
    },
  });
  wasLoaded = { without, with: await isSdkLoaded() };

  const { call } = traced;
  const span = jsonSpan(newTraceId(), 'of the customer');
  const body = jsonRequest(span);
  await call('POST', '/v1/traces', { headers: by(callers.ingest), body });
  const connection = await GrpcConnection.open(traced.grpcPort as number);
  const bytes = framed(otlpRequest([]));
  await connection.call({
    path: exportPath('traces'),
    headers: { ...traced.headers, ...by(callers.grpc) },
    bytes,
  });
  connection.destroy();
  await call('GET', `/v0/traces?search=${SEARCH}`, { headers: by(callers.list) });
  await call('GET', `/v0/${SEARCH}`, { headers: by(callers.unknown) });
  await call('GET', '/v0/traces', { headers: by(callers.unsampled, '00') });
  await call('POST', '/v1/traces', {
    headers: { ...by(callers.carrier), 'touchstone-own-traces': '1' },
    body,
  });
  await call('GET', '/healthz', { headers: by(callers.probe) });
  await runJudgedTest();
  // Sends what waits.
  await traced.close();
  // What takes too long for the end of the server continues.
  spans = await until(readSpans, (found) => found.some(({ name }) => name === 'job judge:default'));
});
afterAll(async () => {
  await receiver.close();
  await app.close();
  await model[Symbol.asyncDispose]();
});

async function runJudgedTest(): Promise<void> {
  await traced.call('POST', '/v0/webhook', { body: { url: `${app.url}?token=of-the-webhook` } });
  const task = await defining(traced).task();
  const config = { criterion: 'It names a number of days.' };
  const judged = await defining(traced).definition({ type: 'CUSTOM', globalConfig: config, repeats: 1 });
  const quick = await defining(traced).definition({
    type: 'ASSERT',
    globalConfig: { assertions: [{ type: 'contains', value: '30' }] },
  });
  await defining(traced).link('link', { evalIds: [judged.id, quick.id], taskIds: [task.id] });
  app.behave((request, response) => {
    const [, trace = '', parentSpanId] = String(request.headers['traceparent']).split('-');
    const attributes = [
      { key: 'openinference.span.kind', value: { stringValue: 'AGENT' } },
      { key: 'output.value', value: { stringValue: 'Within 30 days.' } },
    ];
    const body = jsonRequest(jsonSpan(trace, 'answer', { spanId: newSpanId(), parentSpanId, attributes }));
    void traced.call('POST', '/v1/traces', { body }).then(() => response.writeHead(200).end());
  });
  await traced.call('POST', '/v0/tasks/trigger', { body: { taskIds: [task.id] } });
  const areCompleted = async (): Promise<boolean> => {
    const { data } = await traced.ok('GET', '/v0/evals');
    return data.length === 2 && data.every(({ status }) => status === 'COMPLETED');
  };
  await until(areCompleted);
}

/** Reports whether this process has loaded the code of the OpenTelemetry SDK of the build. */
async function isSdkLoaded(): Promise<boolean> {
  const session = new Session();
  session.connect();
  const urls: string[] = [];
  session.on('Debugger.scriptParsed', ({ params }) => urls.push(params.url));
  session.post('Debugger.enable');
  session.post('Debugger.disable');
  session.disconnect();
  return urls.some((url) => /\/dist\/shared\/sdk-[\w-]+\.js$/.test(url));
}

/** Returns all spans that the receiver has stored. */
async function readSpans(): Promise<OwnSpan[]> {
  const { text } = await receiver.call('GET', '/v0/traces/export?format=otlp-jsonl');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => (JSON.parse(line) as Exported).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap((scope) => scope.spans)
    .map(({ attributes = [], ...span }) => ({
      ...span,
      attributes: Object.fromEntries(
        attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
      ),
    }));
}

const childrenOf = (parent: OwnSpan): OwnSpan[] =>
  spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId);
const ofTrace = (traceId: string): OwnSpan[] => spans.filter((span) => span.traceId === traceId);
const rootNamed = (name: string): OwnSpan => {
  const root = spans.find((span) => span.name === name);
  if (!root) throw new Error(`no span is named ${name}`);
  return root;
};

describe('a server with an endpoint for its own traces', () => {
  it('loads the SDK only then', () => {
    expect(wasLoaded).toEqual({ without: false, with: true });
  });

  it.each<[what: string, ids: { trace: string; caller: string }, root: string, attributes: object]>([
    [
      'OTLP over HTTP',
      callers.ingest,
      'POST /v1/traces',
      {
        'http.request.method': 'POST',
        'http.route': '/v1/traces',
        'http.response.status_code': 200,
        'url.path': '/v1/traces',
        'url.scheme': 'http',
        'network.protocol.version': '1.1',
      },
    ],
    [
      'OTLP over gRPC',
      callers.grpc,
      exportPath('traces').slice(1),
      {
        'rpc.system': 'grpc',
        'rpc.service': 'opentelemetry.proto.collector.trace.v1.TraceService',
        'rpc.method': 'Export',
        'rpc.grpc.status_code': 0,
      },
    ],
  ])('continues the trace of %s, with the phases of ingest', (_what, { trace, caller }, name, attributes) => {
    const [root, ...others] = ofTrace(trace).filter(({ parentSpanId }) => parentSpanId === caller);
    expect(root).toMatchObject({ name, kind: SERVER });
    expect(root?.attributes).toEqual(attributes);
    expect(others).toEqual([]);
    const children = childrenOf(root as OwnSpan).map((span) => span.name);
    expect(children).toEqual(expect.arrayContaining(['ingest read', 'ingest prepare', 'ingest commit']));
  });

  it('has a span for each call of the store, named like the query', () => {
    const [root] = ofTrace(callers.list.trace).filter(({ kind }) => kind === SERVER);
    // On a slow machine the key is looked up again, because what is remembered of it is too old.
    const callsOf = (span: OwnSpan): OwnSpan[] => childrenOf(span).filter(({ name }) => name !== 'findKey');
    expect(callsOf(root as OwnSpan)).toMatchObject([
      {
        name: 'listTraces',
        kind: CLIENT,
        attributes: { 'db.system.name': 'sqlite', 'db.operation.name': 'listTraces' },
      },
    ]);
    expect(callsOf(rootNamed('POST /v0/tasks')).map(({ name }) => name)).toEqual([
      'findAllWithheld',
      'createTask',
    ]);
  });

  it.each<[job: string, children: [name: string, kind: number, attributes: object][]]>([
    ['job deliver', [['POST', CLIENT, { 'server.address': '127.0.0.1', 'http.response.status_code': 200 }]]],
    ['job evaluate', [['evaluate', INTERNAL, { 'touchstone.evaluation.definitions': 1 }]]],
    [
      'job judge:default',
      [
        [
          'chat judge-1',
          CLIENT,
          { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': STAND_IN_TOKENS.input },
        ],
      ],
    ],
  ])('has a trace for each %s', (job, children) => {
    const found = childrenOf(rootNamed(job));
    for (const [name, kind, attributes] of children) {
      const child = found.find((span) => span.name === name);
      expect(child?.kind).toBe(kind);
      expect(child?.attributes).toMatchObject(attributes);
    }
  });

  it('leaves the traceparent of a delivery as it is: that of the test', () => {
    expect(ofTrace(String(app.last().headers['traceparent']).split('-')[1] ?? '')).toEqual([]);
  });

  it('names the span of a path that does not exist by the method alone', () => {
    expect(ofTrace(callers.unknown.trace)).toMatchObject([
      { name: 'GET', attributes: { 'http.response.status_code': 404 } },
    ]);
    expect(rootNamed('GET').attributes).not.toHaveProperty('url.path');
  });

  it('traces neither what its caller does not sample, nor requests that carry own traces, nor probes', () => {
    for (const { trace } of [callers.unsampled, callers.carrier, callers.probe])
      expect(ofTrace(trace)).toEqual([]);
  });

  it('sends no query, header, body, id or credential', () => {
    const text = JSON.stringify(spans);
    for (const secret of [SEARCH, traced.apiKey, traced.applicationId, 'of the customer', 'of-the-webhook'])
      expect(text).not.toContain(secret);
    expect(traced.logged.join('')).not.toContain(receiver.apiKey);
  });
});

describe('an endpoint that fails', () => {
  it('costs one line of the log and the spans, and no request', async () => {
    const broken = await startCustomerApp();
    onTestFinished(() => broken.close());
    broken.behave(answer(400));
    const config = { ownTracesEndpoint: new URL('/v1/traces', broken.url), ownTracesRatio: 1 };
    const server = await startServer({ config });
    const reply = await server.call('GET', '/v0/traces');
    await server.close();
    expect(reply.status).toBe(200);
    await expect.poll(() => broken.received).toHaveLength(1);
    const lines = (): string[] =>
      server.logged.filter((line) => line.includes('traces of the server itself'));
    await expect.poll(lines).toHaveLength(1);
    expect(lines()[0]).toContain('"reason":"400 Bad Request"');
  });
});

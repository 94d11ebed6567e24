/** Actions of apps that send traces, and of people on traces. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Action, type Done, judgement, statusOf } from './action.ts';
import { otlp, type SentTrace, spanOf, type Fixture } from './fixture.ts';

const MAX_SPANS = 6;
const USERS = 5;
const SESSIONS = 12;
const POLL_MS = 100;
/** Polls after which an erasure that is not completed is a fault. */
const MAX_POLLS = 600;

const living = (fixture: Fixture): SentTrace | undefined =>
  fixture.pick(fixture.traces.filter(({ isDeleted }) => !isDeleted));

function attributesOf({ sessionId, userId, secret }: SentTrace, version: number): Record<string, string> {
  return {
    'session.id': sessionId,
    'user.id': userId,
    'input.value': `${secret} of version ${version}`,
    'output.value': 'Paris',
    'gen_ai.request.model': version % 2 === 0 ? 'model-a' : 'model-b',
  };
}

async function sendSpans(fixture: Fixture, trace: SentTrace, spans: SentTrace['spans']): Promise<Done> {
  const body = otlp(
    spans.map(({ spanId, version }) =>
      spanOf(
        { traceId: trace.id, spanId, name: `work ${version}` },
        attributesOf(trace, version),
        fixture.now,
      ),
    ),
  );
  const { status } = await fixture.call('POST', '/v1/traces', body);
  if (status === 200)
    for (const span of spans) {
      const known = trace.spans.find(({ spanId }) => spanId === span.spanId);
      if (known) known.version = span.version;
      else trace.spans.push(span);
    }
  return status;
}

const newSpans = (fixture: Fixture): SentTrace['spans'] =>
  Array.from({ length: 1 + fixture.upTo(MAX_SPANS) }, () => ({ spanId: fixture.hex(16), version: 1 }));

async function sendTrace(fixture: Fixture): Promise<Done> {
  const trace: SentTrace = {
    id: fixture.hex(32),
    sessionId: `session-${fixture.upTo(SESSIONS)}`,
    userId: `user-${fixture.upTo(USERS)}`,
    secret: `secret ${fixture.hex(24)}`,
    spans: [],
    isDeleted: false,
  };
  const done = await sendSpans(fixture, trace, newSpans(fixture));
  if (done === 200) fixture.traces.push(trace);
  return done;
}

const withTrace =
  (work: (fixture: Fixture, trace: SentTrace) => Promise<Done>) =>
  async (fixture: Fixture): Promise<Done> => {
    const trace = living(fixture);
    return trace ? work(fixture, trace) : 'skipped';
  };

async function erase(fixture: Fixture, trace: SentTrace): Promise<Done> {
  const isUser = fixture.random() < 0.3;
  const subject = isUser ? { userId: trace.userId } : { sessionId: trace.sessionId };
  const { status, json } = await fixture.call('POST', '/v0/erasures', subject);
  const id = (json as { data?: { id: string } } | undefined)?.data?.id;
  if (id === undefined) return status;
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const { json: read } = await fixture.call('GET', `/v0/erasures/${id}`);
    if ((read as { data?: { status: string } } | undefined)?.data?.status === 'COMPLETED') {
      const gone = [...fixture.traces, ...fixture.expired].filter((one) =>
        isUser ? one.userId === trace.userId : one.sessionId === trace.sessionId,
      );
      for (const one of gone) {
        one.isDeleted = true;
        fixture.erased.push(one);
      }
      return status;
    }
    await delay(POLL_MS);
  }
  fixture.faults.push(`the erasure ${id} did not complete`);
  return status;
}

async function openStream(fixture: Fixture, path: string): Promise<Done> {
  const stop = new AbortController();
  try {
    const response = await fetch(fixture.server.url + path, {
      headers: fixture.server.headers,
      signal: stop.signal,
    });
    const reader = response.body?.getReader();
    await Promise.race([reader?.read(), delay(POLL_MS)]);
    return response.status;
  } catch {
    return 0;
  } finally {
    stop.abort();
  }
}

export const traceActions: readonly Action[] = [
  { name: 'send a trace', weight: 14, run: sendTrace },
  {
    name: 'add spans to a trace',
    weight: 5,
    run: withTrace((fixture, trace) => sendSpans(fixture, trace, newSpans(fixture))),
  },
  {
    name: 'send the same spans again',
    weight: 3,
    run: withTrace((fixture, trace) => sendSpans(fixture, trace, trace.spans)),
  },
  {
    name: 'replace a span',
    weight: 4,
    run: withTrace((fixture, trace) => {
      const span = fixture.pick(trace.spans);
      return span
        ? sendSpans(fixture, trace, [{ ...span, version: span.version + 1 }])
        : Promise.resolve('skipped');
    }),
  },
  {
    name: 'send a span with a wrong id',
    weight: 2,
    run: (fixture) =>
      statusOf(
        fixture.call(
          'POST',
          '/v1/traces',
          otlp([spanOf({ traceId: 'xyz', spanId: '1', name: 'bad' }, {}, fixture.now)]),
        ),
      ),
  },
  {
    name: 'send events',
    weight: 4,
    run: (fixture) => {
      const timestamp = new Date(fixture.now).toISOString();
      const events = [
        {
          type: 'trace',
          timestamp,
          input: `question ${fixture.hex(6)}`,
          output: 'answer',
          referenceId: `session-e${fixture.upTo(4)}`,
        },
        {
          type: 'llm',
          event: 'end',
          timestamp,
          modelId: 'gpt-4o',
          output: 'answer',
          usage: { promptTokens: 10, completionTokens: 5 },
        },
      ];
      return statusOf(fixture.call('POST', '/v0/ingest', { events }));
    },
  },
  {
    name: 'send log records',
    weight: 3,
    run: withTrace((fixture, trace) => {
      const record = {
        timeUnixNano: String(BigInt(Math.trunc(fixture.now)) * 1_000_000n),
        traceId: trace.id,
        spanId: trace.spans[0]?.spanId,
        body: { stringValue: `log ${fixture.hex(8)}` },
      };
      return statusOf(
        fixture.call('POST', '/v1/logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] }),
      );
    }),
  },
  {
    name: 'delete a trace',
    weight: 3,
    run: withTrace(async (fixture, trace) => {
      const { status } = await fixture.call('DELETE', `/v0/traces/${trace.id}`);
      if (status === 204) trace.isDeleted = true;
      return status;
    }),
  },
  {
    name: 'send to a deleted trace',
    weight: 2,
    run: (fixture) => {
      const trace = fixture.pick(fixture.traces.filter(({ isDeleted }) => isDeleted));
      return trace ? sendSpans(fixture, trace, newSpans(fixture)) : Promise.resolve('skipped');
    },
  },
  { name: 'erase a person or a session', weight: 2, run: withTrace(erase) },
  { name: 'watch traces arrive', weight: 2, run: (fixture) => openStream(fixture, '/v0/traces/stream') },
  { name: 'listen for deliveries', weight: 2, run: (fixture) => openStream(fixture, '/v0/webhook/listen') },
  {
    name: 'export while a person is erased',
    weight: 1,
    run: async (fixture) => {
      const exported = fixture.call('GET', '/v0/traces/export?format=otlp-jsonl');
      await withTrace(erase)(fixture);
      return statusOf(exported);
    },
  },
  {
    name: 'evaluate a session',
    weight: 2,
    run: withTrace((fixture, { sessionId }) =>
      statusOf(fixture.call('POST', `/v0/sessions/${sessionId}/evaluate`, { force: fixture.random() < 0.5 })),
    ),
  },
  {
    name: 'make an example of a trace',
    weight: 3,
    run: withTrace((fixture, trace) =>
      statusOf(fixture.call('POST', `/v0/traces/${trace.id}/example`, { expected: 'Paris' })),
    ),
  },
  {
    name: 'annotate a trace',
    weight: 4,
    run: withTrace((fixture, trace) =>
      statusOf(
        fixture.call('POST', '/v0/human-annotations', {
          traceId: trace.id,
          ...judgement(fixture),
          source: 'TRACE_PAGE',
          annotatorId: 'ada',
        }),
      ),
    ),
  },
  {
    name: 'change masking',
    weight: 1,
    run: (fixture) =>
      statusOf(
        fixture.call('PUT', '/v0/masking', {
          detectors: fixture.random() < 0.5 ? ['email', 'phone'] : ['email'],
        }),
      ),
  },
];

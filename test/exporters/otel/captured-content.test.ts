import { context, propagation, trace } from '@opentelemetry/api';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  isContentCaptured,
  isContentEvent,
  isContentKey,
} from '../../../exporters/otel/src/captured-content.ts';
import { currentTraceId, observe, updateObservation } from '../../../exporters/otel/src/observe.ts';
import { register } from '../../../exporters/otel/src/register.ts';
import type { RegisterOptions } from '../../../exporters/otel/src/registration.ts';
import { PRECEDENCE } from '../../../src/traces/conventions/precedence.ts';
import type { Field } from '../../../src/traces/conventions/rule.ts';
import { VOCABULARIES } from '../../../src/traces/conventions/rule-set.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const CONTENT_FIELDS = new Set<Field>([
  'documents',
  'input',
  'inputMessages',
  'output',
  'outputMessages',
  'promptTemplate',
  'promptVariables',
  'systemInstructions',
  'toolDefinitions',
  'traceInput',
  'traceOutput',
]);

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterEach(() => {
  vi.unstubAllEnvs();
  trace.disable();
  context.disable();
  propagation.disable();
});
afterAll(() => server.close());

/** Runs an app that sends its spans to the server, and returns the stored trace with its spans. */
async function stored(options: RegisterOptions, app: () => string | undefined) {
  const touchstone = register({
    url: server.url,
    apiKey: server.apiKey,
    applicationId: server.applicationId,
    timeoutMillis: 100_000,
    strict: true,
    ...options,
  });
  const id = app() ?? '';
  await touchstone.shutdown();
  const { data } = await server.ok('GET', `/v0/traces/${id}`);
  const spans = await server.ok('GET', `/v0/traces/${id}/spans?include=payload`);
  return { trace: data, spans: spans.data };
}

const call = observe((question: string) => question.toUpperCase(), { kind: 'llm', name: 'call' });
const answer = observe(
  (question: string, from: { chat: string }) => {
    updateObservation({ user: `user of ${from.chat}` });
    call(question);
    return currentTraceId();
  },
  {
    name: 'answer',
    kind: 'agent',
    session: (_question, { chat }) => chat,
    tags: ['beta', 'eu'],
    metadata: { plan: 'large', seats: 3 },
    input: (question) => question,
    output: () => 'Paris',
  },
);

it('observe() gives a trace its input, output, session, user, tags and metadata, and its spans their kinds', async () => {
  const { trace: found, spans } = await stored({}, () => answer('Of France?', { chat: 'c-1' }));
  expect(found).toMatchObject({
    input: 'Of France?',
    output: 'Paris',
    sessionId: 'c-1',
    userId: 'user of c-1',
    tags: ['beta', 'eu'],
    metadata: { plan: 'large', seats: 3 },
  });
  const kinds = new Map(spans.map(({ name, kind }) => [name, kind]));
  expect(kinds).toEqual(
    new Map([
      ['answer', 'AGENT'],
      ['call', 'LLM'],
    ]),
  );
});

describe.each<[how: string, options: RegisterOptions, env: string | undefined]>([
  ['the option', { captureContent: false }, undefined],
  ['the variable', {}, '0'],
])('content that is turned off by %s', (_how, options, env) => {
  it('is not sent: structure, names, tokens and errors remain', async () => {
    if (env !== undefined) vi.stubEnv('TOUCHSTONE_CAPTURE_CONTENT', env);
    const { trace: found, spans } = await stored(options, () =>
      trace.getTracer('app').startActiveSpan('chat', (span) => {
        span.setAttributes({
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'gpt-5',
          'gen_ai.usage.input_tokens': 7,
          'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"secret"}]}]',
          'llm.output_messages.0.message.role': 'assistant',
          'llm.output_messages.0.message.content': 'secret',
          'embedding.embeddings.0.embedding.vector': [1, 2],
        });
        span.addEvent('gen_ai.choice', { index: 0, finish_reason: 'stop', message: '{"content":"secret"}' });
        call('secret');
        span.end();
        return currentTraceId();
      }),
    );
    expect(JSON.stringify([found, spans])).not.toContain('secret');
    expect(JSON.stringify(spans)).toContain('__REDACTED__');
    expect(found).toMatchObject({ totalPromptTokens: 7, models: ['gpt-5'] });
    const chat = spans.find(({ name }) => name === 'chat');
    expect(JSON.stringify(chat)).toMatch(/"finish_reason"/);
    expect(JSON.stringify(chat)).toMatch(/assistant/);
    expect(JSON.stringify(chat)).not.toMatch(/vector":\s*\[/);
  });
});

describe('the keys of content', () => {
  const keys = VOCABULARIES.flatMap(({ rules }) => rules)
    .filter(({ field }) => CONTENT_FIELDS.has(field))
    .map(({ key }) => key);

  it.each([...new Set(keys)].sort())('have %s, which the server reads as content', (key) => {
    const [, event] = /^event (.+)$/.exec(key) ?? [];
    // Its attributes have the names of those of spans.
    if (event === 'gen_ai.client.inference.operation.details') return;
    expect(event === undefined ? isContentKey(key.replace(/\.[#*]$/, '.0')) : isContentEvent(event)).toBe(
      true,
    );
  });

  it('have none that the server reads as something else', () => {
    const others = Object.entries(PRECEDENCE)
      .filter(([field]) => !CONTENT_FIELDS.has(field as Field))
      .flatMap(([, given]) => given)
      .filter((key) => !key.startsWith('event ') && !keys.includes(key))
      .filter((key) => isContentKey(key.replace(/\.[#*]$/, '.0')));
    expect(others).toEqual([]);
  });

  it('are the same in Python', () => {
    const folder = join(import.meta.dirname, '../../../exporters');
    const listed = (file: string, start: string): string[] => {
      const source = readFileSync(join(folder, file), 'utf8');
      const list = source.slice(source.indexOf(start));
      return [...list.slice(0, list.search(/^[\])}]/m)).matchAll(/^ +['"]([^'"]+)['"],$/gm)].map(
        ([, key = '']) => key,
      );
    };
    const python = listed('python/src/touchstone_otel/_captured_content.py', '_CONTENT_KEYS');
    expect(python).toEqual(listed('otel/src/captured-content.ts', 'const CONTENT_KEYS'));
    expect(python.length).toBeGreaterThan(50);
  });
});

it.each<[value: string | undefined, option: boolean | undefined, isCaptured: boolean]>([
  [undefined, undefined, true],
  ['', undefined, true],
  ['1', undefined, true],
  ['true', undefined, true],
  ['0', undefined, false],
  ['off', undefined, false],
  ['false', undefined, false],
  ['no', undefined, false],
  ['0', true, true],
  ['1', false, false],
])(
  'TOUCHSTONE_CAPTURE_CONTENT=%s with the option %s: content is captured: %s',
  (value, option, isCaptured) => {
    expect(isContentCaptured({ TOUCHSTONE_CAPTURE_CONTENT: value }, option)).toBe(isCaptured);
  },
);

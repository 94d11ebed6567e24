import { context, propagation, trace } from '@opentelemetry/api';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { currentTraceId, observe, updateObservation } from '../../../exporters/otel/src/observe.ts';
import { register } from '../../../exporters/otel/src/register.ts';
import type { Touchstone } from '../../../exporters/otel/src/registration.ts';
import { type ReceivedSpan, type Receiver, startReceiver } from './support/receiver.ts';
import { CREDENTIALS } from './support/tracing.ts';

let receiver: Receiver;
let touchstone: Touchstone;
beforeAll(async () => {
  receiver = await startReceiver();
  touchstone = register({ ...CREDENTIALS, url: receiver.url, strict: true, delayMillis: 600_000 });
});
afterAll(async () => {
  await touchstone.shutdown();
  trace.disable();
  context.disable();
  propagation.disable();
  await receiver[Symbol.asyncDispose]();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await touchstone.flush();
  receiver.requests.length = 0;
});

interface SentSpan extends ReceivedSpan {
  status: { code?: number; message?: string };
  events: { name: string }[];
}

async function sent(): Promise<SentSpan[]> {
  await touchstone.flush();
  return receiver.spans() as SentSpan[];
}

async function one(): Promise<SentSpan> {
  const spans = await sent();
  expect(spans).toHaveLength(1);
  return spans[0] as SentSpan;
}

/** Name of the method of a lazy query, as some libraries have it. */
const THEN = 'then';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function* words(...all: string[]): AsyncGenerator<string> {
  for (const word of all) {
    await tick();
    yield word;
  }
}

describe('observe()', () => {
  it('records input, output and kind of a function, which stays synchronous and keeps its name', async () => {
    const add = observe(
      function add(a: number, b: number) {
        return { sum: a + b };
      },
      { kind: 'tool' },
    );
    expect([add(1, 2), add.name, add.length]).toEqual([{ sum: 3 }, 'add', 2]);
    expect(await one()).toMatchObject({
      name: 'add',
      attributes: {
        'openinference.span.kind': 'TOOL',
        'tool.name': 'add',
        'input.value': '[1,2]',
        'input.mime_type': 'application/json',
        'output.value': '{"sum":3}',
        'output.mime_type': 'application/json',
      },
    });
  });

  it('records texts as they are', async () => {
    await observe(async (question: string) => `${question}!`, { name: 'answer' })('Why?');
    expect((await one()).attributes).toMatchObject({
      'openinference.span.kind': 'CHAIN',
      'input.value': 'Why?',
      'input.mime_type': 'text/plain',
      'output.value': 'Why?!',
    });
  });

  it('records session, user, tags and metadata, fixed or of the arguments', async () => {
    const answer = observe(async (request: { chat: string }) => request.chat.length, {
      name: 'answer',
      session: (request) => request.chat,
      user: 'ada',
      tags: ['beta'],
      metadata: { plan: 'large' },
    });
    expect(await answer({ chat: 'c-1' })).toBe(3);
    const { attributes } = await one();
    expect(attributes).toMatchObject({ 'session.id': 'c-1', 'user.id': 'ada', metadata: '{"plan":"large"}' });
    expect(JSON.stringify(attributes['tag.tags'])).toContain('beta');
  });

  it.each<[what: string, call: () => unknown]>([
    [
      'a function that throws',
      () => {
        throw new RangeError('too far');
      },
    ],
    ['a promise that rejects', () => Promise.reject(new RangeError('too far'))],
  ])('records the error of %s, and throws it on', async (_what, call) => {
    await expect(async () => observe(call, { name: 'x' })()).rejects.toThrow(new RangeError('too far'));
    const span = await one();
    expect(span.status).toMatchObject({ code: 2, message: 'too far' });
    expect(span.events.map(({ name }) => name)).toEqual(['exception']);
  });

  it('puts calls inside below the call around, and keeps calls at the same time apart', async () => {
    const inner = observe(
      async (n: number) => {
        await tick();
        return n;
      },
      { name: 'inner' },
    );
    const outer = observe(
      async (n: number) => {
        await tick();
        return (await Promise.all([inner(n), inner(n)])).length;
      },
      { name: 'outer' },
    );
    await Promise.all(Array.from({ length: 50 }, (_, n) => outer(n)));
    const spans = await sent();
    const outers = spans.filter(({ name }) => name === 'outer');
    expect(new Set(outers.map(({ traceId }) => traceId)).size).toBe(50);
    for (const { spanId, traceId, attributes } of outers) {
      const below = spans.filter(({ parentSpanId }) => parentSpanId === spanId);
      expect(below).toHaveLength(2);
      for (const span of below)
        expect([span.traceId, span.attributes['input.value']]).toEqual([traceId, attributes['input.value']]);
    }
  });

  it('leaves a promise with members of its own what it is, and does not start what is lazy', async () => {
    let runs = 0;
    class Query extends Promise<string> {
      rows = 3;
    }
    const lazy = { limit: 5 } as PromiseLike<string> & { limit: number };
    Reflect.set(lazy, THEN, (accept: (value: string) => unknown) => {
      runs += 1;
      return Promise.resolve('rows').then(accept);
    });
    const query = observe(() => Query.resolve('a') as Query, { name: 'query' })();
    const found = observe(() => lazy, { name: 'lazy' })();
    expect([query instanceof Query, found, found.limit, runs]).toEqual([true, lazy, 5, 0]);
    expect([await query, await found, runs]).toEqual(['a', 'rows', 1]);
    expect((await sent()).map(({ name, attributes }) => [name, attributes['output.value']])).toEqual([
      ['query', 'a'],
      ['lazy', 'rows'],
    ]);
  });

  it('works as a decorator of methods, with `this`', async () => {
    class Bot {
      readonly name = 'bot';
    }
    function say(this: Bot, question: string): string {
      return `${this.name}: ${question}`;
    }
    const decorate = observe({ kind: 'agent' });
    const standard = decorate(say, { name: 'answer' });
    const legacy = decorate(Bot.prototype, 'answer', { value: say, configurable: true });
    expect(standard.call(new Bot(), 'Hi')).toBe('bot: Hi');
    expect(legacy.value?.call(new Bot(), 'Ho')).toBe('bot: Ho');
    expect((await sent()).map(({ name, attributes }) => [name, attributes['agent.name']])).toEqual([
      ['answer', 'answer'],
      ['answer', 'answer'],
    ]);
  });

  it('records what the options choose, and nothing where they are false or throw', async () => {
    const add = (a: number, _secret: string): { sum: number } => ({ sum: a });
    observe(add, { name: 'chosen', input: (a) => ({ a }), output: ({ sum }) => sum })(1, 's');
    observe(add, { name: 'none', input: false, output: false })(1, 's');
    const throwing = (): never => {
      throw new Error('bug');
    };
    expect(
      observe(add, { name: 'broken', input: throwing, output: throwing, user: throwing })(1, 's'),
    ).toEqual({
      sum: 1,
    });
    const content = (await sent()).map(({ name, attributes }) => [
      name,
      attributes['input.value'],
      attributes['output.value'],
    ]);
    expect(content).toEqual([
      ['chosen', '{"a":1}', '1'],
      ['none', undefined, undefined],
      ['broken', undefined, undefined],
    ]);
  });
});

describe('a stream', () => {
  const streams: [what: string, make: () => AsyncIterable<string> | Iterable<string>][] = [
    [
      'a generator',
      function* () {
        yield 'a';
        yield 'b';
      },
    ],
    ['an asynchronous generator', () => words('a', 'b')],
    ['a ReadableStream', () => ReadableStream.from(words('a', 'b'))],
    ['an object that can be iterated over', () => ({ [Symbol.asyncIterator]: () => words('a', 'b') })],
  ];

  it.each(streams)('%s ends the span with its last item, which is a text of all', async (_what, make) => {
    const seen: string[] = [];
    for await (const item of observe(make, { name: 'stream' })()) {
      expect(await sent()).toEqual([]);
      seen.push(item);
    }
    expect(seen).toEqual(['a', 'b']);
    const span = await one();
    expect(span.attributes['output.value']).toBe('ab');
    expect(span.events.map(({ name }) => name)).toEqual(['First Token Stream Event']);
  });

  it('whose output is not recorded has one event for its first item', async () => {
    const items = observe(() => words('a', 'b', 'c'), { name: 'stream', output: false })();
    for await (const item of items) expect(item).toMatch(/[abc]/);
    const { events, attributes } = await one();
    expect(events.map(({ name }) => name)).toEqual(['First Token Stream Event']);
    expect(attributes).not.toHaveProperty('output.value');
  });

  it.each(streams)('%s that is left early ends the span there', async (_what, make) => {
    for await (const item of observe(make, { name: 'stream' })()) {
      expect(item).toBe('a');
      break;
    }
    expect((await one()).attributes['output.value']).toBe('a');
  });

  it('in a promise ends the span with its last item', async () => {
    const stream = await observe(async () => ReadableStream.from(words('a', 'b')), { name: 'stream' })();
    expect(await sent()).toEqual([]);
    expect(await new Response(stream.pipeThrough(new TextEncoderStream())).text()).toBe('ab');
    expect((await one()).attributes['output.value']).toBe('ab');
  });

  it('of Node stays the same object and ends the span at its end', async () => {
    const stream = Readable.from(words('a', 'b'));
    const observed = observe(() => stream, { name: 'stream' })();
    expect(observed).toBe(stream);
    expect(await text(observed)).toBe('ab');
    await tick();
    expect((await one()).name).toBe('stream');
  });

  it('that throws ends the span with the error and what came before', async () => {
    async function* breaking(): AsyncGenerator<string> {
      yield 'a';
      throw new Error('broken');
    }
    await expect(text(Readable.from(observe(breaking)()))).rejects.toThrow('broken');
    const span = await one();
    expect([span.name, span.status.message, span.attributes['output.value']]).toEqual([
      'breaking',
      'broken',
      'a',
    ]);
  });

  it('runs each step inside its span, and the code between them outside', async () => {
    const inner = observe(() => currentTraceId(), { name: 'inner' });
    async function* steps(): AsyncGenerator<string | undefined> {
      yield inner();
      yield inner();
    }
    const outer = observe(steps, { name: 'outer' });
    const ids: (string | undefined)[] = [];
    const [first, second] = [outer(), outer()];
    for (let n = 0; n < 3; n += 1)
      for (const generator of [first, second]) {
        const { value } = (await generator.next()) as { value?: string };
        ids.push(value);
        expect(currentTraceId()).toBe(undefined);
      }
    expect([ids[0] === ids[2], ids[1] === ids[3], ids[0] === ids[1]]).toEqual([true, true, false]);
    const spans = await sent();
    const outers = spans.filter(({ name }) => name === 'outer');
    for (const { spanId } of outers)
      expect(spans.filter(({ parentSpanId }) => parentSpanId === spanId)).toHaveLength(2);
  });

  it('that is never iterated over leaves no span', async () => {
    observe(words, { name: 'stream' })('a');
    await observe(words, { name: 'stream' })('a').return('x');
    expect(await sent()).toEqual([]);
  });

  it('passes values, errors and the result of a generator through', () => {
    function* echo(): Generator<string, string, string> {
      try {
        yield `${yield 'ready'}?`;
      } catch (error) {
        yield (error as Error).message;
      }
      return 'end';
    }
    const steps = observe(echo)();
    expect([steps.next(''), steps.next('a'), steps.throw(new Error('b')), steps.next('')]).toEqual([
      { done: false, value: 'ready' },
      { done: false, value: 'a?' },
      { done: false, value: 'b' },
      { done: true, value: 'end' },
    ]);
  });
});

describe('updateObservation()', () => {
  it('adds to the span around, and its output is not replaced', async () => {
    observe(
      () => {
        updateObservation({ output: 'own', model: 'gpt-5', inputTokens: 3, outputTokens: 1, session: 's' });
        return 'result';
      },
      { kind: 'llm', name: 'call' },
    )();
    expect((await one()).attributes).toMatchObject({
      'output.value': 'own',
      'llm.model_name': 'gpt-5',
      'llm.token_count.prompt': 3,
      'llm.token_count.completion': 1,
      'session.id': 's',
    });
  });

  it('does nothing outside', () => {
    expect(() => updateObservation({ output: 'own' })).not.toThrow();
  });
});

describe('with content turned off', () => {
  it('records structure without input and output', async () => {
    vi.stubEnv('TOUCHSTONE_CAPTURE_CONTENT', '0');
    observe(
      (question: string) => {
        updateObservation({ input: question, output: question, outputTokens: 4 });
        return question;
      },
      { name: 'answer', user: 'ada' },
    )('secret');
    const { attributes } = await one();
    expect(attributes).toMatchObject({ 'user.id': 'ada', 'llm.token_count.completion': 4 });
    expect(receiver.requests[0]?.text).not.toContain('secret');
  });
});

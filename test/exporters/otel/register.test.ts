import { context, createContextKey, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NODE } from '../../../exporters/otel/src/node-platform.ts';
import { register } from '../../../exporters/otel/src/register.ts';
import type { Environment } from '../../../exporters/otel/src/settings.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { CREDENTIALS, listenToDiag } from './support/tracing.ts';

let receiver: Receiver;
let said: string[];
beforeEach(async () => {
  receiver = await startReceiver();
  said = listenToDiag();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  trace.disable();
  context.disable();
  propagation.disable();
  await receiver[Symbol.asyncDispose]();
});

const options = () => ({ ...CREDENTIALS, url: receiver.url, strict: true });

describe('register()', () => {
  it('sets up an app that has no OpenTelemetry, and sends with the headers of the server', async () => {
    vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'team=blue');
    const touchstone = register({ ...options(), serviceName: 'shop' });
    trace.getTracer('test').startActiveSpan('outer', (outer) => {
      trace.getTracer('test').startSpan('inner').end();
      outer.end();
    });
    await touchstone.flush();

    const [request] = receiver.requests;
    expect(touchstone.isRegistered).toBe(true);
    expect(request?.path).toBe('/v1/traces');
    expect(request?.headers).toMatchObject({
      'x-api-key': CREDENTIALS.apiKey,
      'x-application-id': CREDENTIALS.applicationId,
      'content-encoding': 'gzip',
      'content-type': 'application/json',
    });
    expect(request?.text).toContain('{"key":"service.name","value":{"stringValue":"shop"}}');
    expect(request?.text).toContain('{"key":"team","value":{"stringValue":"blue"}}');
    const [inner, outer] = receiver.spans();
    expect(inner).toMatchObject({ name: 'inner', parentSpanId: outer?.spanId });
    expect(said).toEqual([]);
    await touchstone.shutdown();
  });

  it('keeps more attributes of a span than the usual 128', async () => {
    const touchstone = register(options());
    const attributes = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`message.${n}`, n]));
    trace.getTracer('test').startSpan('llm', { attributes }).end();
    await touchstone.shutdown();
    expect(Object.keys(receiver.spans()[0]?.attributes ?? {})).toHaveLength(500);
  });

  it('changes nothing where a tracer provider is set, and says what to do instead', async () => {
    const own = new BasicTracerProvider();
    trace.setGlobalTracerProvider(own);
    const touchstone = register(options());

    expect(touchstone.isRegistered).toBe(false);
    expect(propagation.fields()).toEqual([]);
    expect(context.with(ROOT_CONTEXT.setValue(createContextKey('x'), 1), () => context.active())).toBe(
      ROOT_CONTEXT,
    );
    // The first line is the API's own.
    expect(said.slice(1)).toEqual([
      'touchstone: register() changed nothing: a tracer provider is already set: add new ' +
        'TouchstoneSpanProcessor() to its spanProcessors and wrap its sampler with recordTests()',
    ]);
    await expect(touchstone.flush()).rejects.toThrow('a tracer provider is already set');
    await touchstone.shutdown();
    expect(own.getTracer('x').startSpan('x').isRecording()).toBe(true);
    await expect(register({ ...options(), strict: false }).flush()).resolves.toBe(undefined);
  });

  it('returns the first registration again, and names the options that are not used', async () => {
    const first = register(options());
    expect(register()).toBe(first);
    expect(said).toEqual([]);
    expect(register({ serviceName: 'other', strict: undefined })).toBe(first);
    expect(said).toEqual([
      'touchstone: register() was called before, so these options are not used: serviceName',
    ]);
    await first.shutdown();
    const next = register(options());
    expect(next).not.toBe(first);
    await next.shutdown();
  });

  it('leaves a context manager and propagators that are set as they are', async () => {
    const manager = NODE.contextManager();
    const propagator = {
      inject: () => undefined,
      extract: (from: typeof ROOT_CONTEXT) => from,
      fields: () => ['own'],
    };
    context.setGlobalContextManager(manager);
    propagation.setGlobalPropagator(propagator);
    const touchstone = register(options());
    const inside = ROOT_CONTEXT.setValue(createContextKey('x'), 1);

    expect(touchstone.isRegistered).toBe(true);
    expect(context.with(inside, () => manager.active())).toBe(inside);
    expect(propagation.fields()).toEqual(['own']);
    expect(said).toEqual([]);
    await touchstone.shutdown();
  });

  it('can be called again after a shutdown', async () => {
    for (const name of ['first', 'second']) {
      const touchstone = register(options());
      trace.getTracer(name).startSpan(name).end();
      await touchstone.shutdown();
    }
    expect(receiver.spans().map(({ name }) => name)).toEqual(['first', 'second']);
    expect(said).toEqual([]);
  });

  it('counts spans that end after the shutdown', async () => {
    const touchstone = register(options());
    const late = trace.getTracer('test').startSpan('late');
    await touchstone.shutdown();
    late.end();
    expect(touchstone.stats()).toMatchObject({ ended: 1, dropped: 1, exported: 0 });
  });

  it('does nothing when OpenTelemetry is turned off', async () => {
    vi.stubEnv('OTEL_SDK_DISABLED', 'true');
    const touchstone = register({ ...options(), strict: false });
    trace.getTracer('test').startSpan('x').end();
    await touchstone.shutdown();
    expect(touchstone.isRegistered).toBe(false);
    expect(receiver.requests).toEqual([]);
  });

  it.each<[env: Environment, recorded: number]>([
    [{}, 100],
    [{ OTEL_TRACES_SAMPLER: 'always_off' }, 0],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, 0],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, 0],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 'half' }, 100],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '1' }, 100],
    [{ OTEL_TRACES_SAMPLER: 'unknown' }, 100],
  ])('samples as the environment says: %o', async (env, recorded) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const touchstone = register(options());
    for (let n = 0; n < 100; n += 1) trace.getTracer('test').startSpan('x').end();
    await touchstone.shutdown();
    expect(receiver.spans()).toHaveLength(recorded);
  });

  it('does not trace its own requests', async () => {
    const touchstone = register(options());
    const recorded: boolean[] = [];
    // Where an instrumentation of HTTP clients would start its span.
    const onRequest = (): void => void recorded.push(trace.getTracer('http').startSpan('POST').isRecording());
    subscribe('http.client.request.start', onRequest);
    trace.getTracer('test').startSpan('x').end();
    await touchstone.shutdown();
    unsubscribe('http.client.request.start', onRequest);
    expect(recorded).toEqual([false]);
  });
});

describe('the context manager', () => {
  const inside = ROOT_CONTEXT.setValue(createContextKey('test'), 1);
  const manager = NODE.contextManager();

  it('runs a bound function in its context, with its receiver, arguments, result and length', () => {
    const bound = manager.bind(inside, function (this: unknown, a: number, b: number) {
      return [this, a + b, manager.active()];
    });
    expect(bound).toHaveLength(2);
    expect(bound.call('me', 1, 2)).toEqual(['me', 3, inside]);
    expect(manager.active()).toBe(ROOT_CONTEXT);
  });

  it("runs a bound emitter's listeners in its context, whenever they were added", () => {
    const emitter = new EventEmitter();
    const seen: unknown[] = [];
    emitter.on('event', () => seen.push(manager.active()));
    expect(manager.bind(inside, emitter)).toBe(emitter);
    emitter.once('event', () => seen.push(manager.active()));
    expect(emitter.emit('event')).toBe(true);
    expect(seen).toEqual([inside, inside]);
    expect(emitter.listenerCount('event')).toBe(1);
  });

  it('gives back what it cannot bind, and forgets everything when disabled', () => {
    expect(manager.bind(inside, 7)).toBe(7);
    expect(manager.with(inside, () => manager.disable().active())).toBe(ROOT_CONTEXT);
  });
});

import { type Attributes, context, diag, type Tracer, type TracerProvider, trace } from '@opentelemetry/api';
import { isContentCaptured } from './captured-content.ts';
import { type Beginning, Observation, setOwnOutput } from './observation.ts';
import {
  attributesOf,
  kindAttributes,
  type ObservationFields,
  type ObservationKind,
  setContent,
} from './observation-fields.ts';
import { observeResult, observeSteps } from './observed-result.ts';
import { environment } from './runtime.ts';

type AnyFunction = (...args: never[]) => unknown;
/** A function that a decorator does not know yet: its options may have any parameters. */
type LaterFunction = (...args: never[]) => never;

/** Result of a function as the option `output` gets it: resolved, and the items of a stream as a list. */
export type OutputOf<F extends AnyFunction> =
  Awaited<ReturnType<F>> extends
    | AsyncIterable<infer Item>
    | Iterator<infer Item, unknown, never>
    | ReadableStream<infer Item>
    ? Item[]
    : Awaited<ReturnType<F>>;

const FIELDS = ['session', 'user', 'tags', 'metadata'] as const;

type PerCall<T, F extends AnyFunction> = T | ((...args: Parameters<F>) => T | undefined);

export interface ObserveOptions<F extends AnyFunction = LaterFunction> {
  /** Name of the span. Default: the name of the function. */
  name?: string | undefined;
  /** Default: `chain`. */
  kind?: ObservationKind | undefined;
  /** Id of the conversation, or a function that returns it for the arguments of the call. */
  session?: PerCall<string, F> | undefined;
  /** Id of the person that the call is for, or a function that returns it. */
  user?: PerCall<string, F> | undefined;
  tags?: PerCall<readonly string[], F> | undefined;
  metadata?: PerCall<Readonly<Record<string, unknown>>, F> | undefined;
  /** Name of the model, for the kinds `llm` and `embedding`. */
  model?: string | undefined;
  /** Returns the recorded input. False records none. Default: the argument, or the list of several. */
  input?: false | ((...args: Parameters<F>) => unknown) | undefined;
  /** Returns the recorded output. False records none. Default: the result; texts of a stream are joined. */
  output?: false | ((result: OutputOf<F>) => unknown) | undefined;
}

/** Observes a function, or a method that it decorates. */
export interface Observer {
  <F extends AnyFunction>(fn: F, decorated?: { readonly name: string | symbol }): F;
  <F extends AnyFunction>(
    target: object,
    name: string | symbol,
    descriptor: TypedPropertyDescriptor<F>,
  ): TypedPropertyDescriptor<F>;
}

/** Changes of the span that is active. */
export interface ObservationUpdate extends ObservationFields {
  name?: string | undefined;
  input?: unknown;
  /** The output, in place of the result of the function. */
  output?: unknown;
}

/**
 * Returns a function that does the same and records each call as a span with its input, output and error. Spans started inside are
 * below it. A promise, a generator or a stream ends the span when it is settled, at its last item, or when it is left. Without a function,
 * returns a decorator of methods.
 */
export function observe<F extends AnyFunction>(fn: F, options?: ObserveOptions<F>): F;
export function observe(options?: ObserveOptions): Observer;
export function observe(first?: AnyFunction | ObserveOptions, second?: ObserveOptions): unknown {
  if (typeof first === 'function') return observed(first, second ?? {});
  return observer(first ?? {});
}

/** Adds to the span that is active, such as that of the observed function around. Does nothing where there is none. */
export function updateObservation(update: ObservationUpdate): void {
  const span = trace.getActiveSpan();
  if (!span?.isRecording()) return;
  guarded('updateObservation()', () => {
    const { name, input, output, ...fields } = update;
    if (name !== undefined) span.updateName(textOf(name));
    span.setAttributes(attributesOf(fields));
    if (!isContentCaptured(environment())) return;
    setContent(span, 'input', input);
    if (output !== undefined) setOwnOutput(span, output);
  });
}

/** Returns the id of the trace that is active, by which a score or feedback can be given later. */
export const currentTraceId = (): string | undefined => trace.getActiveSpan()?.spanContext().traceId;

/** Returns the id of the span that is active, by which a score can be given to it later. */
export const currentSpanId = (): string | undefined => trace.getActiveSpan()?.spanContext().spanId;

function observer(options: ObserveOptions): Observer {
  const decorate = (
    target: AnyFunction | object,
    decorated?: string | symbol | { readonly name: string | symbol },
    descriptor?: TypedPropertyDescriptor<AnyFunction>,
  ): unknown => {
    const given = typeof decorated === 'object' ? decorated.name : decorated;
    const name = given === undefined ? undefined : String(given);
    if (descriptor?.value) return { ...descriptor, value: observed(descriptor.value, options, name) };
    return observed(target as AnyFunction, options, name);
  };
  return decorate as Observer;
}

/** A proxy, so that all members of the function remain. */
function observed<F extends AnyFunction>(fn: F, options: ObserveOptions, methodName?: string): F {
  const name = textOf(options.name ?? methodName) || textOf(fn.name) || 'function';
  const begin = beginnings(name, options);
  const isGenerator = /^\[object (?:Async)?GeneratorFunction\]$/.test(Object.prototype.toString.call(fn));
  return new Proxy(fn, {
    apply: (target, self: unknown, args: never[]) => {
      const call = (): unknown => Reflect.apply(target, self, args);
      const observation = new Observation(context.active(), () => begin(args));
      if (!isGenerator) return observeResult(observation.run(call), observation);
      const steps = call() as object;
      return observeSteps(steps, observation) ?? steps;
    },
  });
}

/** Returns a function that begins the span of a call. What all calls have in common is made once. */
function beginnings(name: string, options: ObserveOptions): (args: readonly unknown[]) => Beginning {
  const { kind = 'chain', model, input, output } = options;
  const attributes = { ...kindAttributes(textOf(kind), name), ...attributesOf({ model }) };
  const hasFields = FIELDS.some((field) => options[field] !== undefined);
  const outputOf = output === false ? undefined : guardedOutput(name, output);
  return (args) => {
    const span = tracer().startSpan(name, { attributes });
    if (!span.isRecording()) return { span, outputOf: undefined };
    if (hasFields) guarded(name, () => span.setAttributes(fieldsOf(options, args)));
    if (!isContentCaptured(environment())) return { span, outputOf: undefined };
    if (input !== false) guarded(name, () => setContent(span, 'input', inputOf(args, input)));
    return { span, outputOf };
  };
}

let known: { provider: TracerProvider; tracer: Tracer } | undefined;

/** Returns the tracer of the provider that is registered; one from before the registration uses what is registered later. */
function tracer(): Tracer {
  const provider = trace.getTracerProvider();
  if (known?.provider !== provider) known = { provider, tracer: provider.getTracer('touchstone-otel') };
  return known.tracer;
}

/** Returns the attributes of the options that each call may have its own value of. */
function fieldsOf(options: ObserveOptions, args: readonly unknown[]): Attributes {
  const fields: Record<string, unknown> = {};
  for (const field of FIELDS) {
    const value = options[field] as unknown;
    fields[field] =
      typeof value === 'function' ? (value as (...given: readonly unknown[]) => unknown)(...args) : value;
  }
  return attributesOf(fields);
}

function inputOf(args: readonly unknown[], input: ObserveOptions['input']): unknown {
  if (input) return (input as (...given: readonly unknown[]) => unknown)(...args);
  if (args.length === 0) return undefined;
  return args.length === 1 ? args[0] : args;
}

const guardedOutput =
  (name: string, output: ObserveOptions['output']): ((result: unknown) => unknown) =>
  (result) =>
    output ? guarded(name, () => output(result as never)) : result;

/** Returns a name as text, also where code without types passed another value. */
function textOf(name: unknown): string {
  if (name === undefined || name === null) return '';
  try {
    return typeof name === 'string' ? name : (String as (value: unknown) => string)(name);
  } catch {
    return '';
  }
}

/** Calls what may fail without the app failing. */
function guarded<T>(name: string, call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    diag.warn(`touchstone: an option of observe() threw for ${name}: ${String(error)}`);
    return undefined;
  }
}

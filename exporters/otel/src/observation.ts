import { type Context, context, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { setContent } from './observation-fields.ts';
import { ObservedItems } from './observed-items.ts';

const FIRST_TOKEN_EVENT = 'First Token Stream Event';

/** Spans whose output the app has set by itself. */
const withOwnOutput = new WeakSet<Span>();

/** Writes an output that the result of the function does not replace. */
export function setOwnOutput(span: Span, output: unknown): void {
  withOwnOutput.add(span);
  setContent(span, 'output', output);
}

/** Span of a call that has begun, and the part of its result that is recorded. */
export interface Beginning {
  span: Span;
  /** Returns what is recorded of a result; undefined for nothing. Items of a stream are passed as a list. */
  outputOf: ((result: unknown) => unknown) | undefined;
}

/** One call of an observed function, from its beginning to its result, its error or the last item of its stream. */
export class Observation {
  readonly #parent: Context;
  readonly #begin: () => Beginning;
  #items: ObservedItems | undefined;
  #begun: (Beginning & { inside: Context }) | undefined;
  #isOver = false;

  /** `begin` is called in the first step: a generator that is never iterated over leaves no span. */
  constructor(parent: Context, begin: () => Beginning) {
    this.#parent = parent;
    this.#begin = begin;
  }

  get hasBegun(): boolean {
    return this.#begun !== undefined;
  }

  /** Runs a step of the function inside its span. What it throws ends the span and is thrown on. */
  run<T>(step: () => T): T {
    const inside = this.#beginning().inside;
    try {
      return context.with(inside, step);
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  /** Notes an item of a stream. */
  item(item: unknown): void {
    if (this.#isOver) return;
    const { span, outputOf } = this.#beginning();
    if (!this.#items) span.addEvent(FIRST_TOKEN_EVENT);
    this.#items ??= new ObservedItems();
    if (outputOf) this.#items.add(item);
  }

  /** Ends the span of a stream; `last` is what a generator returns. */
  endStream(last?: unknown): void {
    const { outputOf } = this.#beginning();
    const items = this.#items;
    this.#end(() => {
      if (!items) return last === undefined ? undefined : outputOf?.(last);
      const own = outputOf?.(items.list());
      // Without an own function, texts are joined and what was left out is reported.
      return own === items.list() ? items.value() : own;
    });
  }

  succeed(result: unknown): void {
    const { outputOf } = this.#beginning();
    this.#end(() => outputOf?.(result));
  }

  fail(error: unknown): void {
    if (this.#isOver) return;
    const { span } = this.#beginning();
    const message = messageOf(error);
    recordException(span, error, message);
    span.setStatus({ code: SpanStatusCode.ERROR, message });
    const items = this.#items;
    this.#end(() => (!items || items.isEmpty ? undefined : items.value()));
  }

  #end(output: () => unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { span } = this.#beginning();
    if (span.isRecording() && !withOwnOutput.has(span)) setContent(span, 'output', output());
    span.end();
  }

  #beginning(): Beginning & { inside: Context } {
    if (!this.#begun) {
      const isInParent = context.active() === this.#parent;
      const { span, outputOf } = isInParent ? this.#begin() : context.with(this.#parent, this.#begin);
      this.#begun = { span, outputOf, inside: trace.setSpan(this.#parent, span) };
    }
    return this.#begun;
  }
}

function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'unknown error';
  }
}

/** Records an error, or only its message if a getter of the error throws. */
function recordException(span: Span, error: unknown, message: string): void {
  try {
    span.recordException(error instanceof Error ? error : message);
  } catch {
    span.recordException(message);
  }
}

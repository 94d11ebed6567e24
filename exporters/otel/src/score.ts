import { type Context, context, diag, type Span, trace, TraceFlags } from '@opentelemetry/api';
import { noticeOnce } from './once.ts';

/** Place and reason of a score. */
export interface ScoreOptions {
  /** The score in a word, such as `relevant`. */
  label?: string | undefined;
  explanation?: string | undefined;
  /** Id of the trace, as `currentTraceId()` returned it. Default: the trace that is active. */
  traceId?: string | undefined;
  /** Id of the span in that trace, as `currentSpanId()` returned it. Default: none, so the tree shows a missing parent. */
  spanId?: string | undefined;
}

const EVENT = 'gen_ai.evaluation.result';
const NO_SPAN_ID = '0000000000000001';

/**
 * Gives the active span a score that your code has computed: a number, a text, or true and false as 1 and 0. With `traceId`, gives it to
 * that trace by a span of its own. Never throws.
 */
export function score(name: string, value: number | string | boolean, options: ScoreOptions = {}): void {
  try {
    const attributes = attributesOf(name, value, options);
    const active = trace.getActiveSpan();
    if (options.traceId === undefined && active?.isRecording()) {
      active.addEvent(EVENT, attributes);
      return;
    }
    const span = spanFor(name, options);
    span?.addEvent(EVENT, attributes);
    span?.end();
  } catch (error) {
    diag.warn(`touchstone: score() failed: ${String(error)}`);
  }
}

function attributesOf(name: string, value: unknown, { label, explanation }: ScoreOptions) {
  const text = typeof value === 'string' ? value : typeof value === 'boolean' ? String(value) : undefined;
  const named = label ?? text;
  return {
    'gen_ai.evaluation.name': name,
    ...(typeof value === 'string' ? {} : { 'gen_ai.evaluation.score.value': Number(value) }),
    ...(named !== undefined && { 'gen_ai.evaluation.score.label': named }),
    ...(explanation !== undefined && { 'gen_ai.evaluation.explanation': explanation }),
  };
}

/** Starts a span in the trace that is meant; undefined where there is none. */
function spanFor(name: string, options: ScoreOptions): Span | undefined {
  const parent = parentOf(options);
  if (parent) {
    const attributes = { 'openinference.span.kind': 'EVALUATOR' };
    return trace.getTracer('touchstone-otel').startSpan(`score ${name}`, { attributes }, parent);
  }
  noticeOnce(
    `score() was called outside of a span and without a valid traceId, so the score "${name}" is lost.`,
  );
  return undefined;
}

function parentOf({ traceId, spanId }: ScoreOptions): Context | undefined {
  if (traceId === undefined) return undefined;
  const spanContext = {
    traceId: traceId.replaceAll('-', '').toLowerCase(),
    spanId: spanId ?? NO_SPAN_ID,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  };
  return trace.isSpanContextValid(spanContext)
    ? trace.setSpanContext(context.active(), spanContext)
    : undefined;
}

import { z } from 'zod';
import { SPAN_KINDS } from '../../../traces/span-kinds.ts';
import { percentile } from '../../measures/percentile.ts';
import type { SpanFact, Subject } from '../../subject.ts';
import { assertion, type CheckOutcome, quoteAll, yesOrNo } from './assertion.ts';
import { matchesGlob } from './glob.ts';
import { bounded, isWithin, rangeFields, rangeText, textValue } from './values.ts';
import { noteTruncation, readsAll } from './truncation.ts';

const reads = readsAll('spans');
const kind = z.enum(SPAN_KINDS).optional();
const pattern = textValue.optional();

/** Selection of spans. */
interface Choice {
  /** Glob pattern that the name of the span matches. */
  pattern?: string | undefined;
  kind?: SpanFact['kind'] | undefined;
}

const chosen = ({ spans }: Subject, choice: Choice): SpanFact[] =>
  spans.filter(
    (span) =>
      (choice.kind === undefined || span.kind === choice.kind) &&
      (choice.pattern === undefined || matchesGlob(span.name, choice.pattern)),
  );

function countSpans(subject: Subject, value: z.output<typeof stepRange>): CheckOutcome {
  const count = chosen(subject, value).length;
  return noteTruncation(
    subject,
    yesOrNo(isWithin(count, value), `there are ${count} such spans; expected: ${rangeText(value)}`),
  );
}

const stepRange = z.strictObject({ pattern, kind, ...rangeFields });

export const stepCount = assertion({
  passes: 'the number of spans of this kind and name is within the bounds',
  score: null,
  example: { value: { kind: 'LLM', max: 5 } },
  fields: {
    value: bounded(stepRange).describe(
      '`{ kind, pattern, min, max }`: `kind`, `pattern` and one of the bounds are optional',
    ),
  },
  reads,
  check: (subject, { value }) => countSpans(subject, value),
});

export const traceSpanCount = assertion({
  passes: 'the number of spans whose name matches is within the bounds',
  score: null,
  example: { value: { pattern: 'retrieve*', min: 1, max: 3 } },
  fields: {
    value: bounded(z.strictObject({ pattern: textValue, ...rangeFields })).describe(
      '`{ pattern, min, max }`: one of the bounds is optional',
    ),
  },
  reads,
  check: (subject, { value }) => countSpans(subject, value),
});

const ALL = 100;

export const traceSpanDuration = assertion({
  passes:
    'all spans whose name matches take at most `max`; with `percentile`, that percentile of them (nearest rank) does; fails when there is no such span',
  score: null,
  example: { value: { pattern: 'retrieve*', percentile: 95, max: 500 } },
  fields: {
    value: z
      .strictObject({ pattern, max: z.number().min(0), percentile: z.number().gt(0).max(ALL).default(ALL) })
      .describe(
        '`{ pattern, max, percentile }`: milliseconds, 0 to 100; `pattern` and `percentile` are optional',
      ),
  },
  reads,
  check: (subject, { value }) => {
    const spans = chosen(subject, value);
    if (spans.length === 0) return { lacks: 'there is no such span' };
    const took = percentile(
      spans.map(({ durationMs }) => durationMs),
      value.percentile,
    );
    const which = value.percentile === ALL ? 'the slowest' : `percentile ${value.percentile}`;
    return noteTruncation(
      subject,
      yesOrNo(took <= value.max, `${which} of ${spans.length} spans took ${took} ms`),
    );
  },
});

const errorBounds = z.strictObject({
  pattern,
  max_count: z.int().min(0).optional(),
  max_percentage: z.number().min(0).max(100).optional(),
});

export const traceErrorSpans = assertion({
  passes:
    'at most the allowed number or percentage of spans whose name matches ended in an error; none by default',
  score: null,
  example: { value: { pattern: 'tool*', max_count: 1 } },
  fields: {
    value: z
      .union(
        [z.int().min(0), errorBounds],
        'must be a whole number, or `{ pattern, max_count, max_percentage }`',
      )
      .transform(
        (given): z.output<typeof errorBounds> => (typeof given === 'number' ? { max_count: given } : given),
      )
      .default({})
      .describe('most errors, or `{ pattern, max_count, max_percentage }`; all are optional'),
  },
  reads,
  check: (subject, { value }) => {
    const spans = chosen(subject, value);
    const errors = spans.filter(({ isError }) => isError).length;
    const { max_percentage: maxPercentage } = value;
    const maxCount = value.max_count ?? (maxPercentage === undefined ? 0 : Number.POSITIVE_INFINITY);
    const isAllowed = errors <= maxCount && errors * 100 <= (maxPercentage ?? 100) * spans.length;
    return noteTruncation(
      subject,
      yesOrNo(isAllowed, `${errors} of ${spans.length} spans ended in an error`),
    );
  },
});

export const errorFree = assertion({
  passes: 'no span and no tool call ended in an error',
  score: null,
  example: {},
  fields: {},
  reads: readsAll('spans', 'toolCalls'),
  check: (subject) => {
    const failed = [...subject.spans, ...subject.toolCalls].filter(({ isError }) => isError);
    const names = [...new Set(failed.map(({ name }) => name))];
    const reason = names.length === 0 ? 'nothing ended in an error' : `errors in ${quoteAll(names)}`;
    return noteTruncation(subject, yesOrNo(names.length === 0, reason));
  },
});

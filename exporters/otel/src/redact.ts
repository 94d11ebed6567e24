import { type Attributes, diag } from '@opentelemetry/api';
import type { ReadableSpan } from './span.ts';

/**
 * Gives back the text to send in place of `text`. `key` is the attribute it is the value of, or `name` or
 * `status.message`. When it throws or gives back no text, `[redacted]` is sent.
 */
export type Redact = (text: string, key: string) => string;

const REDACTED = '[redacted]';
const MAX_DEPTH = 64;

/** Changes of the parts of a copied span. `event` is the name of the event that has the attributes. */
interface Copying {
  text: Redact;
  attributes: (given: Attributes, event?: string) => Attributes;
}

/** A copy of the span in which every text of its attributes, events, links, name and status went through `redact`. */
export function redactSpan(span: ReadableSpan, redact: Redact): ReadableSpan {
  const text = safely(redact);
  const attributes = (given: Attributes): Attributes =>
    Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, redactValue(value, key, text, 0)]),
    ) as Attributes;
  return copySpan(span, { text, attributes });
}

/** A copy of a span with other texts and attributes. */
export function copySpan(span: ReadableSpan, { text, attributes }: Copying): ReadableSpan {
  const { status } = span;
  return {
    name: text(span.name, 'name'),
    kind: span.kind,
    spanContext: () => span.spanContext(),
    ...(span.parentSpanContext && { parentSpanContext: span.parentSpanContext }),
    startTime: span.startTime,
    endTime: span.endTime,
    duration: span.duration,
    ended: span.ended,
    status:
      status.message === undefined ? status : { ...status, message: text(status.message, 'status.message') },
    attributes: attributes(span.attributes),
    links: span.links.map((link) =>
      link.attributes ? { ...link, attributes: attributes(link.attributes) } : link,
    ),
    events: span.events.map((event) => ({
      ...event,
      name: text(event.name, 'name'),
      ...(event.attributes && { attributes: attributes(event.attributes, event.name) }),
    })),
    resource: span.resource,
    instrumentationScope: span.instrumentationScope,
    droppedAttributesCount: span.droppedAttributesCount,
    droppedEventsCount: span.droppedEventsCount,
    droppedLinksCount: span.droppedLinksCount,
  };
}

function redactValue(value: unknown, key: string, text: Redact, depth: number): unknown {
  if (typeof value === 'string') return text(value, key);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (depth === MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, key, text, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, redactValue(item, `${key}.${name}`, text, depth + 1)]),
  );
}

const safely =
  (redact: Redact): Redact =>
  (text, key) => {
    try {
      const redacted: unknown = redact(text, key);
      if (typeof redacted === 'string') return redacted;
    } catch {
      diag.warn(`touchstone: the redact hook threw at ${key}; the text was left out`);
    }
    return REDACTED;
  };

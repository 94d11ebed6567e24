import type { Database } from '../../storage/database.ts';
import { FIELDS } from '../conventions/rule.ts';
import { rulesFor } from '../conventions/rule-set.ts';
import { jsonText } from '../conventions/json.ts';
import { SpanView } from '../conventions/span-view.ts';
import { loadSkeleton, PayloadReader, type StoredTrace, storedTrace, TRACE_ROW_COLUMNS } from '../load.ts';
import { mapSpan } from '../map-span.ts';
import { SpanMapping } from '../mapping.ts';
import { contentOf } from '../content.ts';
import { SpanFlag } from '../span.ts';
import { SPAN_KINDS } from '../span-kinds.ts';
import type { JsonValue } from '../span-wire.ts';
import { OwnMappings } from './own-mappings.ts';
import type { OwnField, OwnRule } from './own-rule.ts';
import { proposedField } from './propose.ts';

/** Bounds of what a preview reads: the newest traces, their spans and bytes, and its time. */
const MAX_TRACES = 200;
const MAX_SPANS = 5_000;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_MS = 1_000;
const MAX_UNREAD = 50;
const MAX_KEYS = 5_000;
/** Longest key that is shown; rules have no longer ones. */
const MAX_KEY = 200;
const MAX_SAMPLES = 3;
const MAX_SAMPLE = 120;

export interface MappingPreview {
  traces: number;
  spans: number;
  /** Spans that have the attribute of each rule, spans whose field it gives, and values of it. */
  rules: { key: string; field: OwnField; spans: number; given: number; samples: string[] }[];
  /** Keys that no rule reads, the most frequent first. */
  unread: { key: string; spans: number; samples: string[]; proposed: OwnField | null }[];
}

/** Applies rules to the newest stored spans of an application, and stores nothing. */
export function previewMappings(
  database: Database,
  { application, rules }: { application: number; rules: readonly OwnRule[] },
): MappingPreview {
  const preview = new Preview(rules);
  const end = performance.now() + MAX_MS;
  let bytes = 0;
  const traces = newestTraces(database, application);
  for (const trace of traces) {
    preview.traces += 1;
    const payloads = new PayloadReader(database, trace);
    for (const span of loadSkeleton(database, trace)) {
      if (span.flags & SpanFlag.traceEvent) continue;
      const { bytes: message } = payloads.open(span);
      bytes += message.length;
      preview.add(message);
      if (preview.spans >= MAX_SPANS || bytes > MAX_BYTES || performance.now() > end) return preview.result();
    }
  }
  return preview.result();
}

class Preview {
  traces = 0;
  spans = 0;
  private readonly rules: readonly {
    rule: OwnRule;
    own: OwnMappings;
    found: MappingPreview['rules'][number];
  }[];
  private readonly all: OwnMappings;
  private readonly mapping = new SpanMapping();
  private readonly unread = new Map<string, { spans: number; samples: string[]; value: JsonValue }>();

  constructor(rules: readonly OwnRule[]) {
    this.all = new OwnMappings(rules);
    this.rules = rules.map((rule) => ({
      rule,
      own: new OwnMappings([rule]),
      found: { key: rule.key, field: rule.field, spans: 0, given: 0, samples: [] },
    }));
  }

  add(message: Buffer): void {
    this.spans += 1;
    const plain = new SpanView(message);
    const keys = [...plain.keys()];
    for (const { rule, own, found } of this.rules) {
      if (!keys.some((key) => own.reads(key))) continue;
      found.spans += 1;
      const value = valueOf(new SpanView(message, [], own), mapSpan(message, this.mapping, [], own), rule);
      if (value === null) continue;
      found.given += 1;
      addSample(found.samples, value);
    }
    const vocabularies = vocabulariesOf(mapSpan(message, this.mapping));
    for (const key of keys) {
      if (key.length > MAX_KEY) continue;
      const value = plain.value(key);
      if (value === undefined || isRead(key, vocabularies) || this.all.reads(key) || isOfInfrastructure(key))
        continue;
      let found = this.unread.get(key);
      if (!found) {
        if (this.unread.size >= MAX_KEYS) continue;
        this.unread.set(key, (found = { spans: 0, samples: [], value }));
      }
      found.spans += 1;
      addSample(found.samples, value);
    }
  }

  result(): MappingPreview {
    const unread = [...this.unread]
      .sort(([a, one], [b, other]) => other.spans - one.spans || (a < b ? -1 : 1))
      .slice(0, MAX_UNREAD)
      .map(([key, { spans, samples, value }]) => ({
        key,
        spans,
        samples,
        proposed: proposedField(key, value),
      }));
    return { traces: this.traces, spans: this.spans, rules: this.rules.map(({ found }) => found), unread };
  }
}

/** Returns the vocabularies that give a field of a span. */
const vocabulariesOf = (mapping: SpanMapping): ReadonlySet<string> =>
  new Set(FIELDS.flatMap((field) => mapping.ruleOf(field)?.vocabulary ?? []));

/** Reports whether a rule reads a key. A common word counts as read only on spans of its vocabulary. */
const isRead = (key: string, vocabularies: ReadonlySet<string>): boolean =>
  rulesFor(key).some(({ isCommonWord, vocabulary }) => isCommonWord !== true || vocabularies.has(vocabulary));

/** Returns the value that a rule gives on a span; null when it gives none. */
function valueOf(view: SpanView, mapping: SpanMapping, { field }: OwnRule): JsonValue {
  const composed = view.own?.compose(view, field);
  if (composed) return composed.value as JsonValue;
  if (mapping.ruleOf(field)?.vocabulary !== 'own') return null;
  if (field === 'input' || field === 'output') return contentOf(mapping, view, field)?.value ?? null;
  return field === 'kind'
    ? (SPAN_KINDS[mapping.kind] ?? null)
    : field === 'metadata'
      ? mapping.metadata()
      : mapping.value(field);
}

function addSample(samples: string[], value: JsonValue): void {
  if (samples.length >= MAX_SAMPLES) return;
  const text = jsonText(value);
  const shown = text.length > MAX_SAMPLE ? `${text.slice(0, MAX_SAMPLE)}…` : text;
  if (!samples.includes(shown)) samples.push(shown);
}

const INFRASTRUCTURE =
  /^(?:http|url|net|network|server|client|peer|thread|code|db|rpc|messaging|telemetry|otel|process|host|os|k8s|container|cloud|faas|service|user_agent|exception|enduser|tls|dns)\./;

/** Reports whether a key is one of OpenTelemetry's conventions for other things than models. */
const isOfInfrastructure = (key: string): boolean => INFRASTRUCTURE.test(key);

const newestTraces = (database: Database, application: number): StoredTrace[] =>
  database
    .allExact<Parameters<typeof storedTrace>[0]>(
      `SELECT ${TRACE_ROW_COLUMNS} FROM trace WHERE application = ? AND span_count <= ?
       ORDER BY start_ns DESC, trace_id DESC LIMIT ?`,
      application,
      MAX_SPANS,
      MAX_TRACES,
    )
    .map(storedTrace);

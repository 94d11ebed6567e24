import { createHash } from 'node:crypto';
import { isObject } from '../../contract/is-object.ts';
import type { Database } from '../../storage/database.ts';
import { parseId } from '../../traces/ids.ts';
import { loadSkeleton, type StoredTrace, storedTrace, TRACE_ROW_COLUMNS } from '../../traces/load.ts';
import type { SkeletonSpan } from '../../traces/span.ts';
import { logsOfTrace } from '../../traces/span-logs.ts';
import { PayloadFields } from '../../traces/span-payload.ts';
import type { JsonValue } from '../../traces/span-wire.ts';
import { tracesOfTest } from '../../traces/traces-of-test.ts';
import { type AppChange, type AppChanges, type ComparedSide, MAX_READ_TRACES } from './compare-contract.ts';
import { testsOf } from './compare-store.ts';

/** Most spans of a trace that are read: calls of models first, then the earliest. */
const MAX_SPANS = 40;
/** Most changes that are returned, and most characters of a value. */
const MAX_CHANGES = 50;
const MAX_VALUE = 4_000;
/** Most properties of a side that are counted. */
const MAX_PROPERTIES = 5_000;
/** Traces of each side from which attributes other than versions are compared: those of a few traces differ by chance. */
const ENOUGH_TRACES = 3;

type Kind = AppChange['kind'];

/** Values of one property of the app, with the number of traces that have each. */
interface Property {
  kind: Kind;
  name: string;
  /** Number of traces by value, and the beginning of each value. */
  values: Map<string, { count: number; text: string }>;
}

interface ReadSide {
  traces: number;
  properties: Map<string, Property>;
}

/** Reads traces of both sides, and returns what most traces of one side have otherwise than most of the other. */
export function appChanges(
  database: Database,
  application: number,
  baseline: ComparedSide,
  candidates: readonly ComparedSide[],
): AppChanges[] {
  const before = readSide(database, application, baseline);
  return candidates.map((candidate) => {
    const after = readSide(database, application, candidate);
    return {
      changes: changesOf(before, after).slice(0, MAX_CHANGES),
      tracesRead: { baseline: before.traces, candidate: after.traces },
    };
  });
}

const KINDS: readonly Kind[] = ['SYSTEM_MESSAGE', 'MODEL', 'PARAMETER', 'TOOLS', 'ATTRIBUTE'];

function changesOf(before: ReadSide, after: ReadSide): AppChange[] {
  if (before.traces === 0 || after.traces === 0) return [];
  const keys = new Set([...before.properties.keys(), ...after.properties.keys()]);
  const isFew = Math.min(before.traces, after.traces) < ENOUGH_TRACES;
  const changes = [...keys].flatMap((key) => {
    const property = (before.properties.get(key) ?? after.properties.get(key)) as Property;
    const [a, b] = [usualOf(before, key), usualOf(after, key)];
    if (a.share < 0.5 || b.share < 0.5 || a.key === b.key) return [];
    if (isFew && property.kind === 'ATTRIBUTE' && !/version|revision/i.test(property.name)) return [];
    const { kind, name } = property;
    return [
      { kind, name, baseline: a.text, candidate: b.text, baselineShare: a.share, candidateShare: b.share },
    ];
  });
  return changes.sort(
    (a, b) =>
      KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
}

/** Returns the value that most traces of a side have; null if most lack the property. */
function usualOf(
  { traces, properties }: ReadSide,
  key: string,
): {
  key: string | null;
  text: string | null;
  share: number;
} {
  const values = [...(properties.get(key)?.values ?? [])];
  const known = values.reduce((sum, [, { count }]) => sum + count, 0);
  const [most] = values.sort(([, a], [, b]) => b.count - a.count);
  if (most === undefined || most[1].count < traces - known)
    return { key: null, text: null, share: (traces - known) / traces };
  return { key: most[0], text: most[1].text, share: most[1].count / traces };
}

function readSide(database: Database, application: number, side: ComparedSide): ReadSide {
  const properties = new Map<string, Property>();
  let traces = 0;
  for (const trace of tracesOfSide(database, application, side)) {
    traces += 1;
    const found = propertiesOf(database, trace);
    for (const { kind, name, value } of found.values()) {
      const key = `${kind} ${name}`;
      let property = properties.get(key);
      if (property === undefined) {
        if (properties.size >= MAX_PROPERTIES) continue;
        properties.set(key, (property = { kind, name, values: new Map() }));
      }
      const digest = createHash('sha256').update(value).digest('base64');
      const seen = property.values.get(digest);
      if (seen) seen.count += 1;
      else property.values.set(digest, { count: 1, text: value.slice(0, MAX_VALUE) });
    }
  }
  return { traces, properties };
}

function* tracesOfSide(database: Database, application: number, side: ComparedSide): Generator<StoredTrace> {
  const { sql, values } = testsOf(application, side);
  const tests = database.all<{ id: string }>(
    `SELECT id FROM test WHERE ${sql} AND status = 'COMPLETED' ORDER BY id LIMIT ${MAX_READ_TRACES}`,
    ...values,
  );
  for (const { id } of tests) {
    const [row] = database.allExact<Parameters<typeof storedTrace>[0]>(
      `SELECT ${TRACE_ROW_COLUMNS} FROM ${tracesOfTest()} AND via <> 2 ORDER BY start_ns, trace_id LIMIT 1`,
      { application, testId: parseId(id) },
    );
    if (row) yield storedTrace(row);
  }
}

interface FoundProperty {
  kind: Kind;
  name: string;
  value: string;
}

/** Returns what a trace says about its app; of several spans with the same property, the first counts. */
function propertiesOf(database: Database, trace: StoredTrace): Map<string, FoundProperty> {
  const found = new Map<string, FoundProperty>();
  const add = (kind: Kind, name: string, value: JsonValue | undefined): void => {
    const text = textOf(value);
    const key = `${kind} ${name}`;
    if (text !== null && !found.has(key)) found.set(key, { kind, name, value: text });
  };
  const reader = new PayloadFields(database, trace, logsOfTrace(database, trace.application, trace.traceId));
  for (const span of spansToRead(loadSkeleton(database, trace))) {
    const { attributes, resource, mapped } = reader.fieldsOf(span).fields;
    const { fields, unmapped } = mapped;
    const sent = isObject(attributes) ? (attributes as Record<string, JsonValue>) : {};
    const ofResource = isObject(resource) && isObject(resource['attributes']) ? resource['attributes'] : {};
    for (const [key, value] of Object.entries(ofResource as Record<string, JsonValue>))
      if (saysWhatApp(key)) add('ATTRIBUTE', key, value);
    for (const key of unmapped) if (saysWhatApp(key)) add('ATTRIBUTE', key, sent[key]);
    for (const field of ['version', 'promptVersion', 'promptName', 'environment'] as const) {
      const given = fields[field];
      if (given !== undefined) add('ATTRIBUTE', given.from, given.value);
    }
    if (span.kind !== 'LLM') continue;
    add('MODEL', nameOfCall(span), fields.model?.value);
    const parameters = fields.parameters?.value;
    if (isObject(parameters))
      for (const [name, value] of Object.entries(parameters as Record<string, JsonValue>))
        add('PARAMETER', name, value);
    add('SYSTEM_MESSAGE', nameOfCall(span), systemMessage(fields));
    add('TOOLS', nameOfCall(span), fields.toolDefinitions?.value);
  }
  return found;
}

/** Name of a call of a model without the model, which may be what changed. */
const nameOfCall = ({ name, model }: SkeletonSpan): string =>
  (model === null ? name : name.replace(model, '')).replace(/\s+/g, ' ').trim() || 'model call';

function spansToRead(spans: readonly SkeletonSpan[]): readonly SkeletonSpan[] {
  const byTime = spans.toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  const isCall = ({ kind }: SkeletonSpan): boolean => kind === 'LLM';
  return [...byTime.filter(isCall), ...byTime.filter((span) => !isCall(span))].slice(0, MAX_SPANS);
}

/** Attributes that name one request, one process or one machine, and not the version of the app. */
const OF_ONE_REQUEST =
  /(?:^|[._-])(?:u?u?id|ids|time|timestamp|date|duration\w*|ms|url|host\w*|port|pid|path|seed|token\w*|usage|cost|count|length|size)$|Id$|^(?:process|host|os|k8s|container|thread|net|network|server|client|http|url|user_agent|telemetry|test|touchstone)\./i;

const saysWhatApp = (key: string): boolean => !OF_ONE_REQUEST.test(key);

type Fields = ReturnType<PayloadFields['fieldsOf']>['fields']['mapped']['fields'];

/** Returns the instructions of a call of a model: those sent apart, else the first message, if it is of the system. */
function systemMessage({ systemInstructions, inputMessages }: Fields): JsonValue | undefined {
  const messages = Array.isArray(inputMessages?.value) ? inputMessages.value : [];
  const system = messages.filter(
    (message) => isObject(message) && (message['role'] === 'system' || message['role'] === 'developer'),
  );
  if (system.length > 0) return system.map(partsText).join('\n\n');
  return systemInstructions === undefined ? undefined : partsText(systemInstructions.value);
}

/** Returns the text of messages or of parts of messages; of other values their JSON. */
function partsText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(partsText).join('\n');
  if (!isObject(value)) return JSON.stringify(value);
  const { parts, text, content } = value as Record<string, JsonValue | undefined>;
  return partsText(parts ?? text ?? content ?? JSON.stringify(value));
}

function textOf(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}

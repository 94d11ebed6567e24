/**
 * Converts OTLP/JSON to OTLP/protobuf, so that each signal needs only one decoder. Fields are written in the order of
 * opentelemetry-js: from that SDK, both encodings of a span result in the same bytes.
 */
import { inOneTurn, type Steps } from '../../runtime/steps.ts';
import { COST, DecodeWork } from '../decode-work.ts';
import { OtlpDecodeError } from './decode-error.ts';
import { writeLogRecord } from './json-logs.ts';
import { type OutlineLevel, readOutline } from './json-outline.ts';
import { firstOf, type ParsedObject } from './json-parse.ts';
import { writeSpan } from './json-spans.ts';
import { writeAttributes } from './json-values.ts';
import { JsonWalk, type WriteMessage, type WriteSteps } from './json-walk.ts';
import { isObject } from '../../contract/is-object.ts';

/** Structure of a request of one signal: three nested lists, with their possible names. */
interface Signal {
  example: string;
  resources: readonly [name: string, tolerated: string];
  scopes: readonly [name: string, tolerated: string];
  /** Former name of scopes, before version 0.15. */
  libraries: readonly [name: string, tolerated: string];
  members: readonly [name: string, ...tolerated: string[]];
  writeMember: WriteMessage;
  /** Top-level keys that reveal the intended signal of a body without its list, with a message for each. */
  misplaced: ReadonlyMap<string, string>;
  /** Name of the members in the plural, for errors. */
  plural: string;
}

const SPANS_EXAMPLE = '{"resourceSpans": [{"scopeSpans": [{"spans": [...]}]}]}';
const LOGS_EXAMPLE = '{"resourceLogs": [{"scopeLogs": [{"logRecords": [...]}]}]}';

const TRACES: Signal = {
  example: SPANS_EXAMPLE,
  resources: ['resourceSpans', 'resource_spans'],
  scopes: ['scopeSpans', 'scope_spans'],
  libraries: ['instrumentationLibrarySpans', 'instrumentation_library_spans'],
  members: ['spans'],
  writeMember: writeSpan,
  plural: 'spans',
  misplaced: new Map([
    ['resourceLogs', 'this looks like logs; send it to /v1/logs'],
    ['resource_logs', 'this looks like logs; send it to /v1/logs'],
    ['resourceMetrics', 'this looks like metrics; send it to /v1/metrics'],
    ['resource_metrics', 'this looks like metrics; send it to /v1/metrics'],
    ['scopeSpans', `spans must be wrapped as ${SPANS_EXAMPLE}`],
    ['spans', `spans must be wrapped as ${SPANS_EXAMPLE}`],
    ['traceId', `spans must be wrapped as ${SPANS_EXAMPLE}`],
  ]),
};

const LOGS: Signal = {
  example: LOGS_EXAMPLE,
  resources: ['resourceLogs', 'resource_logs'],
  scopes: ['scopeLogs', 'scope_logs'],
  libraries: ['instrumentationLibraryLogs', 'instrumentation_library_logs'],
  members: ['logRecords', 'log_records', 'logs'],
  writeMember: writeLogRecord,
  plural: 'log records',
  misplaced: new Map([
    ['resourceSpans', 'this looks like spans; send it to /v1/traces'],
    ['resource_spans', 'this looks like spans; send it to /v1/traces'],
    ['resourceMetrics', 'this looks like metrics; send it to /v1/metrics'],
    ['resource_metrics', 'this looks like metrics; send it to /v1/metrics'],
    ['scopeLogs', `log records must be wrapped as ${LOGS_EXAMPLE}`],
    ['logRecords', `log records must be wrapped as ${LOGS_EXAMPLE}`],
    ['body', `log records must be wrapped as ${LOGS_EXAMPLE}`],
  ]),
};

type WriteRequest = (walk: JsonWalk, request: unknown) => Steps<void>;

/** Functions and levels to read and write a body of one signal. */
interface Encoding {
  levels: readonly OutlineLevel[];
  write: WriteRequest;
}

const TRACES_ENCODING = encodingOf(TRACES);
const LOGS_ENCODING = encodingOf(LOGS);

/** Size above which a grown buffer is not reused for the next body. */
const MAX_KEPT_SIZE = 256 * 1024;

/** Used by one body at a time. */
let reused: JsonWalk | null = null;

/** Converts an ExportTraceServiceRequest in JSON to protobuf bytes, in steps; throws OtlpDecodeError, and the errors of `work`. */
export const tracesJsonSteps = (body: Buffer, work: DecodeWork): Steps<Buffer> =>
  encodeJson(body, TRACES_ENCODING, work);

/** Converts an ExportLogsServiceRequest in JSON to protobuf bytes, in steps; throws OtlpDecodeError, and the errors of `work`. */
export const logsJsonSteps = (body: Buffer, work: DecodeWork): Steps<Buffer> =>
  encodeJson(body, LOGS_ENCODING, work);

/** Converts like `tracesJsonSteps`, at once. */
export const encodeTracesJson = (body: Buffer): Buffer => inOneTurn(tracesJsonSteps(body, new DecodeWork()));
/** Converts like `logsJsonSteps`, at once. */
export const encodeLogsJson = (body: Buffer): Buffer => inOneTurn(logsJsonSteps(body, new DecodeWork()));

function* encodeJson(body: Buffer, { levels, write }: Encoding, work: DecodeWork): Steps<Buffer> {
  const request = yield* readOutline(body, levels, work);
  const walk = reused ?? new JsonWalk();
  reused = null;
  try {
    walk.reset();
    walk.out.onGrowth = (bytes) => work.charge(bytes);
    yield* write(walk, request);
    if (walk.out.length > MAX_KEPT_SIZE) return walk.out.view();
    work.charge(walk.out.length);
    return walk.out.toBuffer();
  } finally {
    walk.out.onGrowth = null;
    if (walk.out.length <= MAX_KEPT_SIZE) reused = walk;
  }
}

function encodingOf(signal: Signal): Encoding {
  const { resources, scopes, libraries, members, misplaced } = signal;
  const shared = ['schemaUrl', 'schema_url'];
  return {
    levels: [
      { name: 'requests', lists: new Set(resources), fields: new Set(misplaced.keys()), cost: 0 },
      {
        name: 'resources',
        lists: new Set([...scopes, ...libraries]),
        fields: new Set(['resource', ...shared]),
        cost: COST.resource,
      },
      {
        name: 'scopes',
        lists: new Set(members),
        fields: new Set(['scope', 'instrumentationLibrary', 'instrumentation_library', ...shared]),
        cost: COST.scope,
        members: signal.plural,
      },
    ],
    write: requestWriter(signal),
  };
}

function requestWriter({
  example,
  resources,
  scopes,
  libraries,
  members,
  writeMember,
  misplaced,
}: Signal): WriteRequest {
  const writeScopeMembers: WriteSteps = function* (walk, json) {
    const library = json.instrumentationLibrary ?? json.instrumentation_library;
    walk.message(1, 'scope', json.scope ?? library, writeScope);
    yield* walk.messagesInTurns(2, members[0], firstOf(json, members), writeMember);
    walk.string(3, 'schemaUrl', json.schemaUrl ?? json.schema_url);
  };
  const writeResourceMembers: WriteSteps = function* (walk, json) {
    walk.message(1, 'resource', json.resource, writeResource);
    const list = firstOf(json, scopes);
    if (isMissing(list))
      yield* walk.messagesInSteps(2, libraries[0], firstOf(json, libraries), writeScopeMembers);
    else yield* walk.messagesInSteps(2, scopes[0], list, writeScopeMembers);
    walk.string(3, 'schemaUrl', json.schemaUrl ?? json.schema_url);
  };
  return function* (walk, request) {
    if (!isObject(request)) throw walk.expected('body', `an object such as ${example}`, request);
    const list = firstOf(request, resources);
    if (list == null) rejectMisplaced(request, resources[0], misplaced);
    yield* walk.messagesInSteps(1, resources[0], list, writeResourceMembers);
  };
}

function isMissing(list: unknown): boolean {
  return list == null || (Array.isArray(list) && list.length === 0);
}

function rejectMisplaced(
  request: ParsedObject,
  expected: string,
  misplaced: ReadonlyMap<string, string>,
): void {
  for (const key of Object.keys(request)) {
    const hint = misplaced.get(key);
    if (hint !== undefined) throw new OtlpDecodeError(`body: expected "${expected}", got "${key}": ${hint}`);
  }
}

function writeResource(walk: JsonWalk, json: ParsedObject): void {
  writeAttributes(walk, 1, json.attributes);
  walk.uint32(2, 'droppedAttributesCount', json.droppedAttributesCount ?? json.dropped_attributes_count);
  walk.messages(3, 'entityRefs', json.entityRefs ?? json.entity_refs, writeEntityRef);
}

function writeEntityRef(walk: JsonWalk, json: ParsedObject): void {
  walk.string(1, 'schemaUrl', json.schemaUrl ?? json.schema_url);
  walk.string(2, 'type', json.type);
  walk.strings(3, 'idKeys', json.idKeys ?? json.id_keys);
  walk.strings(4, 'descriptionKeys', json.descriptionKeys ?? json.description_keys);
}

function writeScope(walk: JsonWalk, json: ParsedObject): void {
  walk.string(1, 'name', json.name);
  walk.string(2, 'version', json.version);
  writeAttributes(walk, 3, json.attributes);
  walk.uint32(4, 'droppedAttributesCount', json.droppedAttributesCount ?? json.dropped_attributes_count);
}

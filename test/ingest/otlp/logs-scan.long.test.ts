import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeLogsJson } from '../../../src/ingest/otlp/json-to-protobuf.ts';
import { MAX_ATTRIBUTES, MAX_VALUE_DEPTH } from '../../../src/ingest/otlp/check-message.ts';
import {
  MAX_RECORD_BYTES,
  MAX_RECORDS_PER_REQUEST,
  type ScannedLogs,
  scanLogs as scanLogsSteps,
} from '../../../src/ingest/otlp/scan-logs.ts';
import { decodeLogRecord } from '../../../src/traces/log-record.ts';
import { WireError } from '../../../src/traces/wire/reader.ts';
import { logBytes, type LogSpec, logsJson, logsProtobuf } from '../../support/otlp-logs.ts';
import { decodeProto } from '../../support/otlp-proto.ts';
import {
  bytesField,
  fixed64Field,
  textField,
  varintField,
  wireLogsRequest,
} from '../../support/otlp-wire.ts';
import { BASE_NS, spanHex, traceBytes } from '../../support/spans.ts';
import { effort } from '../../support/effort.ts';
import { inOneTurn } from '../../../src/runtime/steps.ts';

const scanLogs = (body: Buffer): ScannedLogs => inOneTurn(scanLogsSteps(body));

const ENCODINGS: [name: string, scan: (specs: readonly LogSpec[]) => ReturnType<typeof scanLogs>][] = [
  ['protobuf', (specs) => scanLogs(logsProtobuf(specs))],
  ['JSON', (specs) => scanLogs(encodeLogsJson(logsJson(specs)))],
];
/** A request of one record written by hand. */
const requestOf = (record: Buffer): Buffer => bytesField(1, bytesField(2, bytesField(2, record)));
const ids = Buffer.concat([bytesField(9, traceBytes(1)), bytesField(10, Buffer.from(spanHex(2), 'hex'))]);
const attribute = (key: string, value: Buffer): Buffer =>
  bytesField(6, Buffer.concat([textField(1, key), bytesField(2, value)]));
const named = Buffer.concat([ids, textField(12, 'gen_ai.choice')]);

describe.each(ENCODINGS)('log records in %s', (_, scan) => {
  it('are kept with their ids and all they say', () => {
    const spec: LogSpec = {
      trace: 7,
      span: 8,
      body: { content: ['a', 1] },
      attributes: { 'gen_ai.system': 'openai' },
      time: 5,
    };
    const { records, dropped, rejected } = scan([spec]);
    expect([dropped, rejected.size, records.length]).toEqual([0, 0, 1]);
    const [record] = records;
    expect(record?.traceId).toEqual(traceBytes(7));
    expect(record?.spanId.toString('hex')).toBe(spanHex(8));
    expect(decodeLogRecord(record?.bytes as Buffer)).toEqual({
      traceId: traceBytes(7),
      spanId: Buffer.from(spanHex(8), 'hex'),
      time: BASE_NS + 5n,
      eventName: 'gen_ai.choice',
      severity: 'INFO',
      body: { content: ['a', 1] },
      attributes: { 'gen_ai.system': 'openai' },
    });
  });

  it.each<[what: string, spec: LogSpec, kept: boolean]>([
    ['the name of an event', { event: 'app.started' }, true],
    ['no name', { event: '' }, true],
    ['no trace id', { trace: null }, false],
    ['no span id', { span: null }, false],
    ['a trace id all zero', { trace: 0 }, false],
    ['a span id all zero', { span: 0 }, false],
    ['a trace id too short', { trace: 'ab'.repeat(15) }, false],
    ['a span id too long', { span: 'ab'.repeat(9) }, false],
  ])('with %s: kept or dropped', (_what, spec, kept) => {
    const { records, dropped, rejected } = scan([spec]);
    expect([records.length, dropped, rejected.size]).toEqual(kept ? [1, 0, 0] : [0, 1, 0]);
  });

  it.each<[reason: string, spec: LogSpec]>([
    ['log_record_too_large', { body: 'x'.repeat(MAX_RECORD_BYTES) }],
    [
      'too_many_attributes',
      { attributes: Object.fromEntries(Array.from({ length: MAX_ATTRIBUTES + 1 }, (_v, i) => [`a${i}`, 1])) },
    ],
  ])('are rejected alone: %s', (reason, spec) => {
    const { records, dropped, rejected, rejectedSamples } = scan([{ span: 2 }, spec, { span: 3 }]);
    expect(records.map(({ spanId }) => spanId.toString('hex'))).toEqual([spanHex(2), spanHex(3)]);
    expect(dropped).toBe(0);
    expect([...rejected]).toEqual([[reason, 1]]);
    expect(rejectedSamples).toEqual([{ reason, traceId: traceBytes(1).toString('hex'), spanId: spanHex(1) }]);
    // Records without a reader are no loss.
    expect(scan([{ ...spec, trace: null }])).toMatchObject({ records: [], dropped: 1, rejectedSamples: [] });
  });
});

/** An AnyValue in this many arrays. */
function nested(levels: number): Buffer {
  let value = textField(1, 'inmost');
  for (let i = 0; i < levels; i++) value = bytesField(5, bytesField(1, value));
  return value;
}

describe('scanLogs', () => {
  it.each<[what: string, body: Buffer]>([
    ['a truncated body', Buffer.from([0x0a, 0x05])],
    ['a request that is no list of messages', varintField(1, 1n)],
    ['a resource of the wrong wire type', bytesField(1, varintField(1, 1n))],
    ['a broken resource', bytesField(1, bytesField(1, Buffer.from([0x0a])))],
    ['a broken scope', bytesField(1, bytesField(2, bytesField(1, Buffer.from([0x0a]))))],
    ['a record of the wrong wire type', bytesField(1, bytesField(2, varintField(2, 1n)))],
    ['a time of the wrong wire type', requestOf(textField(1, 'now'))],
    ['a body that is no AnyValue', requestOf(bytesField(5, varintField(1, 1n)))],
    ['a broken attribute', requestOf(bytesField(6, Buffer.from([0x12, 0x05])))],
    ['a trace id of the wrong wire type', requestOf(varintField(9, 1n))],
    ['a span id of the wrong wire type', requestOf(fixed64Field(10, 1n))],
    ['an event name of the wrong wire type', requestOf(varintField(12, 1n))],
  ])('rejects %s', (_, body) => {
    expect(() => scanLogs(body)).toThrow(WireError);
  });

  it.each<[where: string, record: (value: Buffer) => Buffer]>([
    ['its body', (value) => Buffer.concat([named, bytesField(5, value)])],
    ['an attribute', (value) => Buffer.concat([named, attribute('a', value)])],
    ['its name', (value) => Buffer.concat([named, attribute('event.name', value)])],
  ])('rejects a record alone when %s nests too deep', (_, record) => {
    const body = (levels: number) => Buffer.concat([requestOf(record(nested(levels))), requestOf(named)]);
    const deepest = scanLogs(body(MAX_VALUE_DEPTH - 1)).records;
    expect(deepest).toHaveLength(2);
    expect(decodeLogRecord(deepest[0]?.bytes as Buffer).eventName).toBe('gen_ai.choice');
    for (const levels of [MAX_VALUE_DEPTH, 5_000]) {
      const { records, dropped, rejected } = scanLogs(body(levels));
      expect([records.length, dropped, [...rejected]]).toEqual([1, 0, [['too_deep', 1]]]);
    }
  });

  it('passes over unknown fields, and the one that is reserved', () => {
    const record = Buffer.concat([named, textField(4, 'old name'), varintField(99, 1n)]);
    expect(scanLogs(requestOf(record)).records).toHaveLength(1);
  });

  it('takes the last of an id or name that comes twice', () => {
    const last = Buffer.from('11'.repeat(8), 'hex');
    const [record] = scanLogs(requestOf(Buffer.concat([named, bytesField(10, last)]))).records;
    expect(record?.spanId).toEqual(last);
    expect(decodeLogRecord(record?.bytes as Buffer).spanId).toEqual(last);
    const [renamed] = scanLogs(requestOf(Buffer.concat([named, textField(12, 'x')]))).records;
    expect(decodeLogRecord(renamed?.bytes as Buffer).eventName).toBe('x');
  });

  it.each<[severity: string, fields: Buffer[]]>([
    ['', []],
    ['', [varintField(2, 0n)]],
    ['TRACE', [varintField(2, 1n)]],
    ['WARN', [varintField(2, 16n)]],
    ['FATAL', [varintField(2, 24n)]],
    ['', [varintField(2, 25n)]],
    ['warning', [varintField(2, 13n), textField(3, 'warning')]],
  ])('reads the severity %j, as it is named or by its number', (severity, fields) => {
    const [record] = scanLogs(requestOf(Buffer.concat([named, ...fields]))).records;
    expect(decodeLogRecord(record?.bytes as Buffer).severity).toBe(severity);
  });

  it('reads the time of the event, else of its observation', () => {
    const at = (fields: Buffer) =>
      decodeLogRecord(scanLogs(requestOf(Buffer.concat([named, fields]))).records[0]?.bytes as Buffer).time;
    expect(at(Buffer.alloc(0))).toBe(0n);
    expect(at(fixed64Field(11, 9n))).toBe(9n);
    expect(at(Buffer.concat([fixed64Field(11, 9n), fixed64Field(1, 5n)]))).toBe(5n);
    expect(at(Buffer.concat([fixed64Field(1, 0n), fixed64Field(11, 9n)]))).toBe(9n);
  });

  it(`returns too_large above ${MAX_RECORDS_PER_REQUEST} records, whether it would keep them or not`, () => {
    const records = (count: number, record: Buffer): Buffer =>
      bytesField(1, bytesField(2, Buffer.concat(new Array<Buffer>(count).fill(bytesField(2, record)))));
    const without = Buffer.alloc(0);
    expect(scanLogs(records(MAX_RECORDS_PER_REQUEST, without)).dropped).toBe(MAX_RECORDS_PER_REQUEST);
    expect(scanLogs(records(MAX_RECORDS_PER_REQUEST, ids)).records).toHaveLength(MAX_RECORDS_PER_REQUEST);
    for (const record of [without, ids])
      expect(() => scanLogs(records(MAX_RECORDS_PER_REQUEST + 1, record))).toThrow(
        expect.objectContaining({ code: 'too_large' }),
      );
  });

  it('keeps just what protobufjs says has ids', () => {
    fc.assert(
      fc.property(wireLogsRequest, (body) => {
        const { records, dropped, rejected } = scanLogs(body);
        const sent = recordsIn(body);
        const kept = sent.filter(isWanted);
        expect([records.length, dropped, rejected.size]).toEqual([kept.length, sent.length - kept.length, 0]);
        expect(
          records.map(({ traceId, spanId, bytes }) => {
            const record = decodeLogRecord(bytes);
            expect([record.traceId, record.spanId]).toEqual([traceId, spanId]);
            const { time } = record;
            return { traceId: traceId.toString('base64'), spanId: spanId.toString('base64'), time };
          }),
        ).toEqual(
          kept.map(({ traceId, spanId, timeUnixNano, observedTimeUnixNano }) => ({
            traceId,
            spanId,
            time: BigInt(timeUnixNano === '0' ? observedTimeUnixNano : timeUnixNano),
          })),
        );
      }),
      { numRuns: effort(60) },
    );
  });

  it('gives records that decode, or WireError, for whatever bytes', () => {
    const seed = logBytes({ body: { a: ['b'] }, attributes: { 'event.name': 'gen_ai.x', n: 1.5 } });
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      mutated(wireLogsRequest),
      mutated(fc.constant(requestOf(seed))),
    );
    fc.assert(
      fc.property(bodies, (body) => {
        try {
          for (const { bytes } of scanLogs(body).records) decodeLogRecord(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
        }
      }),
      { numRuns: effort(120) },
    );
  });
});

/** A few bytes of it are others, and it may end early. */
function mutated(body: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 4 });
  return fc.tuple(body, changes, fc.nat({ max: 20 })).map(([bytes, edits, cut]) => {
    const copy = Buffer.from(bytes.subarray(0, cut === 0 ? Math.floor(bytes.length / 2) : bytes.length));
    for (const [at, value] of edits) if (copy.length > 0) copy[at % copy.length] = value;
    return copy;
  });
}

interface SentRecord {
  traceId: string;
  spanId: string;
  timeUnixNano: string;
  observedTimeUnixNano: string;
}

function recordsIn(body: Buffer): SentRecord[] {
  const { resourceLogs } = decodeProto('ExportLogsServiceRequest', body) as {
    resourceLogs: { scopeLogs: { logRecords: SentRecord[] }[] }[];
  };
  return resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords));
}

function isWanted({ traceId, spanId }: SentRecord): boolean {
  const isId = (text: string, size: number): boolean => {
    const bytes = Buffer.from(text, 'base64');
    return bytes.length === size && !bytes.equals(Buffer.alloc(size));
  };
  return isId(traceId, 16) && isId(spanId, 8);
}

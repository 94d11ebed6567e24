/** Bodies that are small as sent and large in what they stand for: counts, nesting, and compression of each kind. */
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { ContentEncoding } from '../../src/ingest/inflate.ts';
import { compressLz4, compressSnappyFramed } from '../support/compressors.ts';
import { type AppliedRules, NO_RULES } from '../../src/masking/rules.ts';
import type { IngestBody, Target } from './bodies.ts';

/** A body of about so many bytes before compression. */
export interface Amplifier {
  name: string;
  target: Target;
  format: 'protobuf' | 'json';
  make: (size: number) => Buffer;
  /** Set if `make` returns bytes as sent; default: they are compressed in each way. */
  encoding?: ContentEncoding;
}

const SPAN_IDS = '"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174"';
const SPAN = `{${SPAN_IDS},"name":"x","startTimeUnixNano":"1767225600000000000"}`;
const LOG = `{${SPAN_IDS},"eventName":"gen_ai.choice","body":{"stringValue":"x"}}`;
/** The lists of each signal: resources, scopes and members. */
const LISTS: Readonly<Record<Exclude<Target, 'events'>, readonly [string, string, string]>> = {
  traces: ['resourceSpans', 'scopeSpans', 'spans'],
  logs: ['resourceLogs', 'scopeLogs', 'logRecords'],
  metrics: ['resourceMetrics', 'scopeMetrics', 'metrics'],
};

const repeated = (item: string, size: number): Buffer => {
  const bytes = Buffer.from(`${item},`);
  const filled = Buffer.alloc(Math.max(1, Math.floor(size / bytes.length)) * bytes.length, bytes);
  return filled.subarray(0, filled.length - 1);
};
const numbered = (make: (number: number) => string, size: number): Buffer => {
  const items: string[] = [];
  for (let length = 0; length < size; length += (items.at(-1)?.length ?? 0) + 1)
    items.push(make(items.length));
  return Buffer.from(items.join(','));
};
const around = (before: string, middle: Buffer, after: string): Buffer =>
  Buffer.concat([Buffer.from(before), middle, Buffer.from(after)]);

const json = (
  target: Target,
  name: string,
  before: string,
  middle: (size: number) => Buffer,
  after: string,
): Amplifier => ({
  name: `${target}: ${name}, JSON`,
  target,
  format: 'json',
  make: (size) => around(before, middle(size), after),
});

const ofSignal = (target: Exclude<Target, 'events'>): Amplifier[] => {
  const [resources, scopes, members] = LISTS[target];
  const inMember = `{"${resources}":[{"${scopes}":[{"${members}":[`;
  const inSpan = `${inMember}{${SPAN_IDS},`;
  const list = (item: string) => (size: number) => repeated(item, size);
  return [
    json(target, 'resources', `{"${resources}":[`, list('{}'), ']}'),
    json(target, 'scopes', `{"${resources}":[{"${scopes}":[`, list('{}'), ']}]}'),
    json(target, 'members', inMember, list('{}'), ']}]}]}'),
    json(target, 'nulls', inMember, list('null'), ']}]}]}'),
    json(target, 'attributes', `${inSpan}"attributes":[`, list('{}'), ']}]}]}]}'),
    json(
      target,
      'attributes of a resource',
      `{"${resources}":[{"resource":{"attributes":[`,
      list('{}'),
      ']}}]}',
    ),
    json(
      target,
      'distinct keys of attributes',
      `${inSpan}"attributes":[`,
      (size) => numbered((i) => `{"key":"k${i}","value":{"intValue":${i}}}`, size),
      ']}]}]}]}',
    ),
    json(target, 'distinct fields', inSpan, (size) => numbered((i) => `"k${i}":${i}`, size), '}]}]}]}'),
    json(target, 'distinct fields of the request', '{', (size) => numbered((i) => `"k${i}":0`, size), '}'),
    json(
      target,
      'distinct fields of objects',
      `${inSpan}"x":[`,
      (size) => numbered((i) => `{"k${i}":0}`, size),
      ']}]}]}]}',
    ),
    json(
      target,
      'elements',
      `${inSpan}"attributes":[{"key":"a","value":{"arrayValue":{"values":[`,
      list('{"intValue":1}'),
      ']}}}]}]}]}]}',
    ),
    json(target, 'events', `${inSpan}"events":[`, list('{}'), ']}]}]}]}'),
    json(target, 'links', `${inSpan}"links":[`, list('{}'), ']}]}]}]}'),
    json(target, 'open brackets', inMember, (size) => Buffer.alloc(size, '['), ''),
    json(
      target,
      'nested arrays',
      `${inSpan}"x":`,
      (size) => Buffer.concat([Buffer.alloc(size / 2, '['), Buffer.alloc(size / 2, ']')]),
      '}]}]}]}',
    ),
    json(target, 'spaces', inMember, (size) => Buffer.alloc(size, ' '), ']}]}]}'),
    json(target, 'text', `${inSpan}"name":"`, (size) => Buffer.alloc(size, 'x'), '"}]}]}]}'),
    json(target, 'escapes', `${inSpan}"name":"`, (size) => Buffer.alloc(size & ~1, '\\"'), '"}]}]}]}'),
  ];
};

const event = (
  name: string,
  before: string,
  item: string | ((i: number) => string),
  after: string,
): Amplifier =>
  json(
    'events',
    name,
    before,
    (size) => (typeof item === 'string' ? repeated(item, size) : numbered(item, size)),
    after,
  );

const EVENT = '{"type":"log","timestamp":0,"content":"x","traceId":"3f0d7b0e-5c43-4a0b-9a53-6c1c8f3f5a11"';

const length = (size: number): Buffer => {
  const bytes: number[] = [];
  for (let left = size; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left]);
    bytes.push((left % 128) | 128);
  }
};
/** A field of bytes. */
const field = (number: number, content: Buffer): Buffer =>
  Buffer.concat([length((number << 3) | 2), length(content.length), content]);
const nest = (numbers: readonly number[], content: Buffer): Buffer =>
  numbers.reduceRight((inner, number) => field(number, inner), content);
const fill = (item: Buffer) => (size: number) =>
  Buffer.alloc(Math.floor(size / item.length) * item.length, item);
const IDS = Buffer.concat([field(1, Buffer.alloc(16, 1)), field(2, Buffer.alloc(8, 2))]);
const WIRE_SPAN = field(2, Buffer.concat([IDS, field(5, Buffer.from('x'))]));

const wire = (
  target: Target,
  name: string,
  path: readonly number[],
  item: Buffer,
  head = Buffer.alloc(0),
): Amplifier => ({
  name: `${target}: ${name}, protobuf`,
  target,
  format: 'protobuf',
  make: (size) => nest(path, Buffer.concat([head, fill(item)(size)])),
});
const EMPTY = Buffer.alloc(0);
const GROUP = [Buffer.from([0x9b, 0x06]), Buffer.from([0x9c, 0x06])] as const;
/** An unknown field that is a group of many fields. */
const inGroup = (target: Target, path: readonly number[], head: Buffer): Amplifier => ({
  name: `${target}: fields in a group${path.length > 0 ? ' of a member' : ''}, protobuf`,
  target,
  format: 'protobuf',
  make: (size) => nest(path, Buffer.concat([head, GROUP[0], fill(Buffer.from([0x08, 0]))(size), GROUP[1]])),
});

const wireOf = (target: Exclude<Target, 'events'>): Amplifier[] => {
  // A log record has other fields under these numbers.
  const ids = target === 'logs' ? EMPTY : IDS;
  return [
    wire(target, 'resources', [], field(1, EMPTY)),
    wire(target, 'scopes', [1], field(2, EMPTY)),
    wire(target, 'members', [1, 2], field(2, EMPTY)),
    wire(target, 'attributes', [1, 2, 2], field(target === 'logs' ? 6 : 9, EMPTY), ids),
    wire(target, 'attributes of a resource', [1, 1], field(1, EMPTY)),
    wire(target, 'resources in pieces', [1], Buffer.concat([field(1, EMPTY), field(2, EMPTY)])),
    wire(target, 'schema URLs', [1], field(3, EMPTY)),
    wire(target, 'elements', [1, 2, 2, target === 'logs' ? 6 : 9, 2, 5], field(1, EMPTY), EMPTY),
    wire(target, 'unknown fields', [1, 2, 2], Buffer.from([0x98, 0x06, 0])),
    wire(target, 'events', [1, 2, 2], field(11, EMPTY), ids),
    wire(target, 'links', [1, 2, 2], field(13, EMPTY), ids),
    inGroup(target, [], EMPTY),
    inGroup(target, [1, 2, 2], ids),
  ];
};

export const amplifiers: readonly Amplifier[] = [
  ...ofSignal('traces'),
  ...ofSignal('logs'),
  ...ofSignal('metrics'),
  json(
    'traces',
    'equal spans',
    '{"resourceSpans":[{"scopeSpans":[{"spans":[',
    (size) => repeated(SPAN, size),
    ']}]}]}',
  ),
  json(
    'logs',
    'equal records',
    '{"resourceLogs":[{"scopeLogs":[{"logRecords":[',
    (size) => repeated(LOG, size),
    ']}]}]}',
  ),
  ...wireOf('traces'),
  ...wireOf('logs'),
  ...wireOf('metrics'),
  wire('traces', 'equal spans', [1, 2], WIRE_SPAN),
  event('empty events', '{"events":[', '{}', ']}'),
  event('equal events', '{"events":[', `${EVENT}}`, ']}'),
  event('numbers', '{"events":[', '1', ']}'),
  event('objects', `{"events":[${EVENT},"x":[`, '{}', ']}]}'),
  event('nested arrays', `{"events":[${EVENT},"x":[`, '[[[[[[[[]]]]]]]]', ']}]}'),
  event('distinct fields', `{"events":[${EVENT},`, (i) => `"k${i}":${i}`, '}]}'),
  event('distinct fields of objects', `{"events":[${EVENT},"x":[`, (i) => `{"k${i}":0}`, ']}]}'),
  event('text', `{"events":[${EVENT},"x":"`, 'x', '"}]}'),
];

const EMPTY_STORED = Buffer.from('000000ffff', 'hex');
const EMPTY_FIXED = Buffer.from('0208208000', 'hex');
const SKIPPABLE = Buffer.from('502a4d1800000000', 'hex');
const GZIP_HEAD = gzipSync('').subarray(0, 10);
const LZ4_HEAD = Buffer.from('04224d184070df', 'hex');
const SNAPPY_HEAD = Buffer.from('ff060000734e61507059', 'hex');
/** Compressed streams of many parts without content. */
export const emptyStreams: readonly Amplifier[] = (
  [
    ['gzip', 'stored blocks', EMPTY_STORED, GZIP_HEAD],
    ['gzip', 'blocks of four', EMPTY_FIXED, GZIP_HEAD],
    ['gzip', 'members', gzipSync(''), EMPTY],
    ['deflate', 'stored blocks', EMPTY_STORED, EMPTY],
    ['zstd', 'frames', zstdCompressSync(''), EMPTY],
    ['zstd', 'skippable frames', SKIPPABLE, EMPTY],
    ['zstd', 'blocks', Buffer.alloc(3), Buffer.from('28b52ffd0058', 'hex')],
    ['lz4', 'frames', compressLz4(EMPTY), EMPTY],
    ['lz4', 'skippable frames', SKIPPABLE, EMPTY],
    ['lz4', 'plain blocks', Buffer.from('00000080', 'hex'), LZ4_HEAD],
    ['lz4', 'compressed blocks', Buffer.from('0100000000', 'hex'), LZ4_HEAD],
    ['x-snappy-framed', 'chunks', Buffer.from('fe000000', 'hex'), SNAPPY_HEAD],
    ['x-snappy-framed', 'plain chunks', Buffer.from('01040000d8ea82a2', 'hex'), SNAPPY_HEAD],
    ['x-snappy-framed', 'stream identifiers', SNAPPY_HEAD, EMPTY],
  ] as const
).map(([encoding, name, part, head]) => ({
  name: `empty ${name}`,
  target: 'traces',
  format: 'json',
  encoding,
  make: (size) => Buffer.concat([head, fill(part)(size)]),
}));

const applied = (rules: Partial<AppliedRules['rules']>): AppliedRules => ({
  version: '1',
  rules: { ...NO_RULES, ...rules },
  key: Buffer.alloc(32, 7),
  suspended: [],
});
/** Rules of masking: none, such that search no text, and such that search each. */
export const maskings = {
  'not masked': null,
  'one kept attribute': applied({ keepAttributes: ['x'] }),
  detectors: applied({ detectors: ['email', 'secret'] }),
} as const;

/** Compression with the highest ratio, and none. */
export const compressions: Readonly<Partial<Record<ContentEncoding, (bytes: Buffer) => Buffer>>> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => gzipSync(bytes, { level: 9 }),
  deflate: (bytes) => deflateSync(bytes, { level: 9 }),
  zstd: (bytes) => zstdCompressSync(bytes),
  'x-snappy-framed': compressSnappyFramed,
  lz4: compressLz4,
};

export function amplified(amplifier: Amplifier, encoding: ContentEncoding, size: number): IngestBody {
  const compress = compressions[encoding] ?? ((bytes: Buffer): Buffer => bytes);
  const { target, format, encoding: own } = amplifier;
  if (own) return { target, format, encoding: own, bytes: amplifier.make(size) };
  return { target, format, encoding, bytes: compress(amplifier.make(size)) };
}

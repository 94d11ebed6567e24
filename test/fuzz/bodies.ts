/** Bodies of ingest: what each kind of sender would send, mutated and compressed. */
import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { ContentEncoding } from '../../src/ingest/inflate.ts';
import { compressLz4, compressSnappy, compressSnappyFramed } from '../support/compressors.ts';
import type { Dice } from './dice.ts';
import { mutateBytes } from './mutate-bytes.ts';
import { mutateJson } from './mutate-json.ts';
import {
  eventDocuments,
  fieldNames,
  logDocuments,
  logMessages,
  metricDocuments,
  traceDocuments,
  traceMessages,
} from './samples.ts';

export type Target = 'traces' | 'logs' | 'metrics' | 'events';

export interface IngestBody {
  target: Target;
  format: 'protobuf' | 'json';
  encoding: ContentEncoding;
  bytes: Buffer;
}

const DOCUMENTS: Readonly<Record<Target, readonly string[]>> = {
  traces: traceDocuments,
  logs: logDocuments,
  metrics: metricDocuments,
  events: eventDocuments,
};

export function protobufBody(dice: Dice): IngestBody {
  const target = dice.pick<Target>(['traces', 'traces', 'traces', 'logs', 'metrics']);
  const pool = target === 'logs' ? logMessages : traceMessages;
  return compressed(dice, { target, format: 'protobuf', bytes: mutateBytes(dice, pool) });
}

export function jsonBody(dice: Dice): IngestBody {
  const target = dice.pick<Target>(['traces', 'traces', 'logs', 'metrics']);
  return compressed(dice, { target, format: 'json', bytes: mutateJson(dice, DOCUMENTS[target], fieldNames) });
}

export function eventsBody(dice: Dice): IngestBody {
  return compressed(dice, {
    target: 'events',
    format: 'json',
    bytes: mutateJson(dice, eventDocuments, fieldNames),
  });
}

const COMPRESS: Readonly<Record<ContentEncoding, (bytes: Buffer, dice: Dice) => Buffer>> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => gzipSync(bytes, { level: 1 }),
  'x-gzip': (bytes) => gzipSync(bytes, { level: 1 }),
  deflate: (bytes, dice) =>
    dice.oneIn(2) ? deflateSync(bytes, { level: 1 }) : deflateRawSync(bytes, { level: 1 }),
  zlib: (bytes) => deflateSync(bytes, { level: 1 }),
  zstd: (bytes) => zstdCompressSync(bytes),
  snappy: (bytes, dice) => (dice.oneIn(2) ? compressSnappy(bytes) : compressSnappyFramed(bytes)),
  'x-snappy-framed': compressSnappyFramed,
  lz4: compressLz4,
};

/** In one of the encodings, now and then damaged after it or said to be another one. */
function compressed(dice: Dice, body: Omit<IngestBody, 'encoding'>): IngestBody {
  const encoding = dice.oneIn(3)
    ? dice.pick<ContentEncoding>(['gzip', 'x-gzip', 'deflate', 'zstd', 'snappy', 'x-snappy-framed', 'lz4'])
    : 'identity';
  let bytes = COMPRESS[encoding](body.bytes, dice);
  if (encoding !== 'identity' && dice.oneIn(4)) bytes = mutateBytes(dice, [bytes]);
  return {
    ...body,
    encoding: dice.oneIn(30) ? dice.pick(['gzip', 'deflate', 'zstd', 'snappy', 'lz4']) : encoding,
    bytes,
  };
}

import { formatUuid, parseId } from './ids.ts';
import { truncate } from './truncate.ts';
import {
  type IncomingResource,
  type IncomingSpan,
  NO_HASHES,
  NO_SUMS,
  type SkeletonSpan,
  SpanFlag,
} from './span.ts';
import { SPAN_KINDS } from './span-kinds.ts';

/** Version of the format of skeletons, the data of a block that trees, roll-ups and lists of spans need: docs/format.md. */
const SKELETON_VERSION = 3;
/** Most spans of a block: 16 bits are sufficient for all counts. */
export const MAX_BLOCK_SPANS = 1024;

const HEADER = 8;
const SPAN_SIZE = 41;
const HAS_TEST = 1;
const HAS_MODEL = 2;
const HAS_SUMS = 4;
const HAS_DETAILS = 8;
/** Flags that do not fit into 16 bits. */
const IS_DELIVERY = 16;
const IS_COST_KNOWN = 32;
const HAS_HASHES = 64;
const MAX_TEXT = 1024;

/** The layout of a span, for readers that make no object of it. */
export const BLOCK_LAYOUT = {
  spanSize: SPAN_SIZE,
  hasTest: HAS_TEST,
  hasModel: HAS_MODEL,
  hasSums: HAS_SUMS,
  hasDetails: HAS_DETAILS,
  hasHashes: HAS_HASHES,
  /** Returns the bits of SpanFlag, which are stored in two places. */
  flags: (stored: number, parts: number): number =>
    stored | (parts & IS_DELIVERY ? SpanFlag.delivery : 0) | (parts & IS_COST_KNOWN ? SpanFlag.costKnown : 0),
} as const;

export interface BlockSkeleton {
  ruleSet: number;
  /** Hashes of the resources the payload names. */
  resources: Buffer[];
  spans: SkeletonSpan[];
}

/** Resources and texts of a block by the number that spans refer to, and the size of the skeleton in bytes. */
interface Contents {
  resources: ReadonlyMap<IncomingResource, number>;
  strings: ReadonlyMap<string, number>;
  size: number;
}

export function encodeSkeleton(spans: readonly IncomingSpan[], ruleSet: number): Buffer {
  const contents = contentsOf(spans);
  const { resources, strings } = contents;
  const out = Buffer.allocUnsafe(contents.size);
  out[0] = SKELETON_VERSION;
  out[1] = ruleSet;
  out.writeUInt16LE(spans.length, 2);
  out.writeUInt16LE(resources.size, 4);
  out.writeUInt16LE(strings.size, 6);
  let at = HEADER;
  for (const resource of resources.keys()) {
    at += resource.hash.copy(out, at);
    out[at++] = resource.testId === null ? 0 : 1;
    if (resource.testId !== null) at += parseId(resource.testId).copy(out, at);
    at = writeText(out, at, resource.service);
  }
  for (const text of strings.keys()) at = writeText(out, at, text);
  for (const span of spans) at = writeSpan(out, at, span, contents);
  return out;
}

function contentsOf(spans: readonly IncomingSpan[]): Contents {
  const resources = new Map<IncomingResource, number>();
  const strings = new Map<string, number>();
  let size = HEADER;
  for (const span of spans) {
    if (!resources.has(span.resource)) {
      resources.set(span.resource, resources.size);
      size += 19 + (span.resource.testId === null ? 0 : 16) + textSize(span.resource.service);
    }
    size += addString(strings, span.name) + spanSize(partsOf(span));
    if (span.model !== null) size += addString(strings, span.model);
  }
  return { resources, strings, size };
}

/** Returns where the next span is written. */
function writeSpan(out: Buffer, start: number, span: IncomingSpan, { resources, strings }: Contents): number {
  const parts = partsOf(span);
  let at = start;
  out.write(span.spanId, at, 'latin1');
  if (span.parentId === '') out.fill(0, at + 8, at + 16);
  else out.write(span.parentId, at + 8, 'latin1');
  out.writeBigUInt64LE(span.start, at + 16);
  out.writeBigUInt64LE(span.end, at + 24);
  out.writeUInt16LE(strings.get(span.name) as number, at + 32);
  out.writeUInt16LE(resources.get(span.resource) as number, at + 34);
  out[at + 36] = span.kind;
  out[at + 37] = span.status;
  out.writeUInt16LE(span.flags & 0xffff, at + 38);
  out[at + 40] = parts;
  at += SPAN_SIZE;
  if (span.testId !== null) at += parseId(span.testId).copy(out, at);
  if (span.model !== null) at = out.writeUInt16LE(strings.get(span.model) as number, at);
  if (parts & HAS_SUMS) {
    at = out.writeDoubleLE(span.inputTokens, at);
    at = out.writeDoubleLE(span.outputTokens, at);
    at = out.writeDoubleLE(span.cost, at);
  }
  if (parts & HAS_DETAILS) {
    at = out.writeDoubleLE(span.totalTokens, at);
    at = out.writeDoubleLE(span.cacheReadTokens, at);
    at = out.writeDoubleLE(span.cacheWriteTokens, at);
    at = out.writeDoubleLE(span.reasoningTokens, at);
  }
  if (parts & HAS_HASHES) {
    at = out.writeUInt32LE(span.scopeHash, at);
    at = out.writeUInt32LE(span.responseHash, at);
  }
  return at;
}

/** Returns the byte that says what follows the fixed part of a span. */
function partsOf(span: IncomingSpan): number {
  return (
    (span.testId === null ? 0 : HAS_TEST) |
    (span.model === null ? 0 : HAS_MODEL) |
    (hasSums(span) ? HAS_SUMS : 0) |
    (hasDetails(span) ? HAS_DETAILS : 0) |
    (hasHashes(span) ? HAS_HASHES : 0) |
    (span.flags & SpanFlag.delivery ? IS_DELIVERY : 0) |
    (span.flags & SpanFlag.costKnown ? IS_COST_KNOWN : 0)
  );
}

/**
 * Some spans of a skeleton, found without decoding the others by the first half of their ids, so that the result may
 * contain further spans.
 */
export class WantedSpans {
  private readonly halves = new Set<number>();

  add(id: Uint8Array): void {
    this.halves.add(firstHalf(id, 0));
  }

  mayHold(bytes: Uint8Array, at: number): boolean {
    return this.halves.has(firstHalf(bytes, at));
  }
}

function firstHalf(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  );
}

/** Decodes all spans, or only those `wanted`. `block` is the number of the block, which the spans carry. */
export function decodeSkeleton(bytes: Buffer, block: number, wanted?: WantedSpans): BlockSkeleton {
  if ((bytes[0] as number) > SKELETON_VERSION)
    throw new Error(`block ${block} has skeleton version ${bytes[0]}`);
  const spanCount = bytes.readUInt16LE(2);
  const { resources, at: afterResources } = readResources(bytes);
  let at = afterResources;
  const strings = new Texts(bytes);
  for (let count = bytes.readUInt16LE(6); count > 0; count--) at = strings.skip(at);

  const spans: SkeletonSpan[] = [];
  for (let index = 0; index < spanCount; index++) {
    if (!wanted || wanted.mayHold(bytes, at)) {
      const resource = resources[bytes.readUInt16LE(at + 34)] as SkeletonResource;
      const span = readFixedPart(bytes, at, { resource, strings, block, index });
      readParts(bytes, at + SPAN_SIZE, span, strings, bytes[at + 40] as number);
      spans.push(span);
    }
    at += spanSize(bytes[at + 40] as number);
  }
  return { ruleSet: bytes[1] as number, resources: resources.map(({ hash }) => hash), spans };
}

interface SpanPlace {
  resource: SkeletonResource;
  strings: Texts;
  block: number;
  index: number;
}

function readFixedPart(
  bytes: Buffer,
  at: number,
  { resource, strings, block, index }: SpanPlace,
): SkeletonSpan {
  return {
    id: bytes.toString('hex', at, at + 8),
    parentId: isZero(bytes, at + 8) ? null : bytes.toString('hex', at + 8, at + 16),
    name: strings.at(bytes.readUInt16LE(at + 32)),
    kind: SPAN_KINDS[bytes[at + 36] as number] ?? 'SPAN',
    status: bytes[at + 37] as number,
    flags: BLOCK_LAYOUT.flags(bytes.readUInt16LE(at + 38), bytes[at + 40] as number),
    start: bytes.readBigUInt64LE(at + 16),
    end: bytes.readBigUInt64LE(at + 24),
    model: null,
    service: resource.service,
    testId: null,
    resourceTestId: resource.testId,
    ...NO_SUMS,
    ...NO_HASHES,
    block,
    index,
  };
}

/** Reads what follows the fixed part of a span: `parts` says what. */
function readParts(bytes: Buffer, start: number, span: SkeletonSpan, strings: Texts, parts: number): void {
  let at = start;
  if (parts & HAS_TEST) {
    span.testId = formatUuid(bytes.subarray(at, at + 16));
    at += 16;
  }
  if (parts & HAS_MODEL) {
    span.model = strings.at(bytes.readUInt16LE(at));
    at += 2;
  }
  if (parts & HAS_SUMS) {
    span.inputTokens = bytes.readDoubleLE(at);
    span.outputTokens = bytes.readDoubleLE(at + 8);
    span.cost = bytes.readDoubleLE(at + 16);
    span.totalTokens = span.inputTokens + span.outputTokens;
    at += 24;
  }
  if (parts & HAS_DETAILS) {
    span.totalTokens = bytes.readDoubleLE(at);
    span.cacheReadTokens = bytes.readDoubleLE(at + 8);
    span.cacheWriteTokens = bytes.readDoubleLE(at + 16);
    span.reasoningTokens = bytes.readDoubleLE(at + 24);
    at += 32;
  }
  if (parts & HAS_HASHES) {
    span.scopeHash = bytes.readUInt32LE(at);
    span.responseHash = bytes.readUInt32LE(at + 4);
  }
}

/** Returns the size of a span whose byte `parts` is known. */
export function spanSize(parts: number): number {
  return (
    SPAN_SIZE +
    (parts & HAS_TEST ? 16 : 0) +
    (parts & HAS_MODEL ? 2 : 0) +
    (parts & HAS_SUMS ? 24 : 0) +
    (parts & HAS_DETAILS ? 32 : 0) +
    (parts & HAS_HASHES ? 8 : 0)
  );
}

/** Texts of a skeleton, each decoded when a span refers to it. */
export class Texts {
  private readonly bytes: Buffer;
  private readonly places: number[] = [];
  private readonly texts: string[] = [];

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Notes the text at a place; returns where the next one is. */
  skip(place: number): number {
    this.places.push(place);
    return place + 2 + this.bytes.readUInt16LE(place);
  }

  at(index: number): string {
    const known = this.texts[index];
    if (known !== undefined) return known;
    const place = this.places[index] as number;
    const start = place + 2;
    return (this.texts[index] = this.bytes.toString('utf8', start, start + this.bytes.readUInt16LE(place)));
  }
}

/** Returns the hashes of the resources that a block names, without decoding its spans. */
export function skeletonResources(bytes: Buffer): Buffer[] {
  return readResources(bytes).resources.map(({ hash }) => hash);
}

/** Returns where the resources of a block end. */
export function skipResources(bytes: Buffer): number {
  let at = HEADER;
  for (let count = bytes.readUInt16LE(4); count > 0; count--) {
    at += bytes[at + 16] === 1 ? 33 : 17;
    at += 2 + bytes.readUInt16LE(at);
  }
  return at;
}

interface SkeletonResource {
  hash: Buffer;
  testId: string | null;
  service: string;
}

function readResources(bytes: Buffer): { resources: SkeletonResource[]; at: number } {
  const resources: SkeletonResource[] = [];
  let at = HEADER;
  for (let count = bytes.readUInt16LE(4); count > 0; count--) {
    const hash = bytes.subarray(at, at + 16);
    at += 16;
    let testId: string | null = null;
    if (bytes[at++] === 1) {
      testId = formatUuid(bytes.subarray(at, at + 16));
      at += 16;
    }
    const end = at + 2 + bytes.readUInt16LE(at);
    resources.push({ hash, testId, service: bytes.toString('utf8', at + 2, end) });
    at = end;
  }
  return { resources, at };
}

function hasSums(span: IncomingSpan): boolean {
  return span.inputTokens !== 0 || span.outputTokens !== 0 || span.cost !== 0;
}

function hasDetails(span: IncomingSpan): boolean {
  return (
    span.totalTokens !== span.inputTokens + span.outputTokens ||
    span.cacheReadTokens !== 0 ||
    span.cacheWriteTokens !== 0 ||
    span.reasoningTokens !== 0
  );
}

function hasHashes({ scopeHash, responseHash }: IncomingSpan): boolean {
  return scopeHash !== 0 || responseHash !== 0;
}

/** Adds a text to the table; the bytes that takes. */
function addString(strings: Map<string, number>, text: string): number {
  if (strings.has(text)) return 0;
  strings.set(text, strings.size);
  return 2 + textSize(text);
}

function textSize(text: string): number {
  return Buffer.byteLength(truncate(text, MAX_TEXT));
}

function writeText(out: Buffer, at: number, text: string): number {
  const size = out.write(truncate(text, MAX_TEXT), at + 2);
  out.writeUInt16LE(size, at);
  return at + 2 + size;
}

function isZero(bytes: Buffer, at: number): boolean {
  return bytes.readUInt32LE(at) === 0 && bytes.readUInt32LE(at + 4) === 0;
}

import { randomBytes } from 'node:crypto';
import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { xxh32, xxh32Steps } from '../../src/ingest/checksums.ts';
import {
  CONTENT_ENCODINGS,
  type ContentEncoding,
  inflate as inflateOf,
  type Inflated,
} from '../../src/ingest/inflate.ts';
import { FairShare } from '../../src/runtime/fair-share.ts';
import { inOneTurn, Turn } from '../../src/runtime/steps.ts';
import { MemoryBudget } from '../../src/runtime/memory-budget.ts';
import { amplified, emptyStreams } from '../fuzz/amplify-bodies.ts';
import { compressLz4, compressSnappy, compressSnappyFramed } from '../support/compressors.ts';
import { effort } from '../support/effort.ts';

const MIB = 1024 * 1024;
const COMPRESS: Record<ContentEncoding, (bytes: Buffer) => Buffer> = {
  identity: (bytes) => bytes,
  gzip: gzipSync,
  'x-gzip': gzipSync,
  deflate: deflateSync,
  zlib: deflateSync,
  zstd: zstdCompressSync,
  snappy: compressSnappy,
  'x-snappy-framed': compressSnappyFramed,
  lz4: compressLz4,
};
const COMPRESSED = CONTENT_ENCODINGS.filter((encoding) => encoding !== 'identity');
const inflate = (body: Buffer, encoding: ContentEncoding, limit: number, budget: MemoryBudget): Inflated =>
  inOneTurn(inflateOf(body, encoding, limit, new FairShare(budget, 3).open(1)));
const newBudget = (limit = 192 * MIB): MemoryBudget => new MemoryBudget(limit);

function failureOf(run: () => unknown): AppError {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe.each(CONTENT_ENCODINGS)('inflate of %s', (encoding) => {
  const compress = COMPRESS[encoding];

  it('gives back what was compressed, and charges its size', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5_000 }), fc.nat({ max: 3 }), (bytes, repeat) => {
        const body = Buffer.concat(Array<Uint8Array>(repeat + 1).fill(bytes));
        const budget = newBudget();
        const { bytes: inflated, charged } = inflate(compress(body), encoding, MIB, budget);
        expect(inflated.equals(body)).toBe(true);
        expect(charged).toBe(encoding === 'identity' ? 0 : body.length);
        expect(budget.used).toBe(charged);
      }),
    );
  });
});

describe.each(COMPRESSED)('inflate of %s', (encoding) => {
  const compress = COMPRESS[encoding];

  it('takes a body as large as the limit, and answers too_large for one byte more', () => {
    const limit = 3 * MIB;
    for (const body of [Buffer.alloc(limit), randomBytes(limit)]) {
      expect(inflate(compress(body), encoding, limit, newBudget()).bytes.length).toBe(limit);
      const budget = newBudget();
      const over = compress(Buffer.concat([body, Buffer.alloc(1)]));
      expect(failureOf(() => inflate(over, encoding, limit, budget)).code).toBe('too_large');
      expect(budget.used).toBe(0);
    }
  });

  it('stops at the limit, however much more a small body would grow to', () => {
    const bomb = compress(Buffer.alloc(64 * MIB));
    const budget = newBudget(8 * MIB);
    expect(failureOf(() => inflate(bomb, encoding, 4 * MIB, budget)).code).toBe('too_large');
    expect(budget.used).toBe(0);
  });

  it.each<[rule: string, body: (whole: Buffer) => Buffer]>([
    ['empty', () => Buffer.alloc(0)],
    ['cut off', (whole) => whole.subarray(0, whole.length - 5)],
    ['cut off in its header', (whole) => whole.subarray(0, 3)],
    ['not compressed at all', () => Buffer.from('{"resourceSpans":[]}')],
  ])('returns bad_request for a body that is %s, and charges nothing', (_definition, damage) => {
    const budget = newBudget();
    const body = damage(compress(randomBytes(2_000)));
    const failure = failureOf(() => inflate(body, encoding, MIB, budget));
    expect(failure.code).toBe('bad_request');
    expect(failure.message).toContain(encoding);
    expect(budget.used).toBe(0);
  });

  it('returns bad_request or some bytes, and nothing else, for bytes that were changed', () => {
    const whole = compress(Buffer.from('some text, '.repeat(200)));
    const budget = newBudget();
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 }), (at, byte) => {
        const body = Buffer.from(whole);
        body[at] = byte;
        try {
          budget.release(inflate(body, encoding, MIB, budget).charged);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect(['bad_request', 'too_large']).toContain((error as AppError).code);
        }
        expect(budget.used).toBe(0);
      }),
      { numRuns: effort(100) },
    );
  });

  it('returns unavailable when there is no space, and takes none', () => {
    const budget = newBudget(MIB);
    budget.force(MIB - 10);
    const failure = failureOf(() => inflate(compress(Buffer.alloc(1_000)), encoding, MIB, budget));
    expect([failure.code, failure.retryAfter]).toEqual(['unavailable', 1]);
    expect(budget.used).toBe(MIB - 10);
  });
});

/** A frame of LZ4 without checksums, around its blocks. */
const lz4Frame = (...blocks: Buffer[]): Buffer => {
  const descriptor = Buffer.from([0x40, 0x70]);
  const end = Buffer.alloc(4);
  return Buffer.concat([
    Buffer.from('04224d18', 'hex'),
    descriptor,
    Buffer.from([(xxh32(descriptor) >>> 8) & 0xff]),
    ...blocks.flatMap((block) => [uint32(block.length), block]),
    end,
  ]);
};
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

describe('inflate of lz4', () => {
  it.each([
    ['literals', Buffer.from([0xf0]), 'bad_request'],
    ['a copy', Buffer.from([0x1f, 0x41, 1, 0]), 'too_large'],
  ])('reads no more of the length of %s than it takes to reject it', (_, head, code) => {
    const block = Buffer.concat([head, Buffer.alloc(2 * MIB, 255)]);
    const read = vi.spyOn(Buffer.prototype, 'readUIntLE');
    onTestFinished(() => read.mockRestore());
    expect(failureOf(() => inflate(lz4Frame(block), 'lz4', MIB, newBudget())).code).toBe(code);
    expect(read.mock.calls.length).toBeLessThan(20_000);
  });

  it('gives others their turns while it computes the checksum of a large block', () => {
    const steps = xxh32Steps(Buffer.alloc(64 * MIB), new Turn());
    let turns = 0;
    while (!steps.next().done) turns += 1;
    expect(turns).toBeGreaterThan(2);
  });
});

describe('inflate of many parts without content', () => {
  it.each(emptyStreams.map((stream) => [stream.encoding as ContentEncoding, stream.name, stream] as const))(
    'ends early: %s, %s',
    (encoding, _, stream) => {
      const { bytes } = amplified(stream, encoding, 2 * MIB);
      const budget = newBudget();
      const failure = failureOf(() => inflate(bytes, encoding, MIB, budget));
      expect([failure.code, failure.message]).toEqual(['bad_request', expect.stringContaining('empty')]);
      expect(budget.used).toBe(0);
    },
  );
});

describe('inflate of deflate', () => {
  it('takes the format without header too, which some senders use', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2_000 }), (text) => {
        const { bytes } = inflate(deflateRawSync(Buffer.from(text)), 'deflate', MIB, newBudget());
        expect(bytes.toString()).toBe(text);
      }),
    );
  });
});

/** Two hundred characters as the libraries of the Collector compress them: golang/snappy 1.0.0, pierrec/lz4 4.1.33. */
const FROM_COLLECTOR: readonly (readonly [encoding: ContentEncoding, format: string, base64: string])[] = [
  [
    'snappy',
    'a block',
    'yAEwc3BhbiAwIG9mIDA7IAUNCDkxOQEPADENDwg4MzgBDwAyDQ8INzU3AQ8AMw0PCDY3NgEPADQNDwg1OTUBDwA1EQ8EMTQBDwA2DQ8INDMzAQ8ANw0PCDM1MgEPADgNDwgyNzEBDwA5DQ8EMTkFlgAxEZcEMTAJlxGYODI4IG9mIDEyOyBzcGFuIA==',
  ],
  [
    'snappy',
    'frames',
    '/wYAAHNOYVBwWQCPAABq/T2EyAEwc3BhbiAwIG9mIDA7IAUNCDkxOQEPADENDwg4MzgBDwAyDQ8INzU3AQ8AMw0PCDY3NgEPADQNDwg1OTUBDwA1EQ8EMTQBDwA2DQ8INDMzAQ8ANw0PCDM1MgEPADgNDwgyNzEBDwA5DQ8EMTkFlgAxEZcEMTAJlxGYODI4IG9mIDEyOyBzcGFuIA==',
  ],
  [
    'x-snappy-framed',
    'frames',
    '/wYAAHNOYVBwWQCPAABq/T2EyAEwc3BhbiAwIG9mIDA7IAUNCDkxOQEPADENDwg4MzgBDwAyDQ8INzU3AQ8AMw0PCDY3NgEPADQNDwg1OTUBDwA1EQ8EMTQBDwA2DQ8INDMzAQ8ANw0PCDM1MgEPADgNDwgyNzEBDwA5DQ8EMTkFlgAxEZcEMTAJlxGYODI4IG9mIDEyOyBzcGFuIA==',
  ],
  [
    'lz4',
    'a frame',
    'BCJNGGRwuZoAAADRc3BhbiAwIG9mIDA7IA0AgzkxOSBvZiAxDwCDODM4IG9mIDIPAIM3NTcgb2YgMw8AgzY3NiBvZiA0DwCENTk1IG9mIDUPAHMxNCBvZiA2DwCDNDMzIG9mIDceAIMzNTIgb2YgOA8AgzI3MSBvZiA5DwCEMTkwIG9mIDGXACIxMJcAEDEQAPADYW4gMjggb2YgMTI7IHNwYW4gAAAAAB8Qe7w=',
  ],
];

describe('inflate of what a Collector sends', () => {
  it.each(FROM_COLLECTOR)('reads %s: %s', (encoding, _format, base64) => {
    const text = Array.from({ length: 100 }, (_, i) => `span ${(i * 7_919) % 1_000} of ${i}; `).join('');
    const { bytes } = inflate(Buffer.from(base64, 'base64'), encoding, MIB, newBudget());
    expect(bytes.toString()).toBe(text.slice(0, 200));
  });

  it.each(FROM_COLLECTOR.filter(([, format]) => format !== 'a block'))(
    'finds by its checksum that %s was changed: %s',
    (encoding, _format, base64) => {
      const body = Buffer.from(base64, 'base64');
      body[22] = (body[22] ?? 0) ^ 1;
      expect(failureOf(() => inflate(body, encoding, MIB, newBudget())).message).toMatch(/checksum/);
    },
  );
});

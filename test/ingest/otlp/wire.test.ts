import fc from 'fast-check';
import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { WIRE_BYTES, WIRE_GROUP_END, WireError, WireReader } from '../../../src/traces/wire/reader.ts';
import { varintSize, WireWriter } from '../../../src/traces/wire/writer.ts';
import { decodeProto, encodeProto } from '../../support/otlp-proto.ts';
import { effort } from '../../support/effort.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const uint32 = fc.nat({ max: 0xffff_ffff });
const field = fc.integer({ min: 1, max: 2 ** 28 - 1 });
const text = fc.string({ unit: 'binary', maxLength: 200 });

function written(write: (out: WireWriter) => void): Buffer {
  const out = new WireWriter(1);
  write(out);
  return out.toBuffer();
}

function byProtobufjs(write: (out: protobuf.Writer) => void): Buffer {
  const out = protobuf.Writer.create();
  write(out);
  return Buffer.from(out.finish());
}

describe('WireWriter writes what protobufjs writes', () => {
  it('varints', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const bytes = written((out) => out.varint(value));
        expect(bytes).toEqual(byProtobufjs((out) => out.uint64(value)));
        expect(bytes.length).toBe(varintSize(value));
      }),
    );
  });

  it('64-bit integers, negative ones in ten bytes', () => {
    fc.assert(
      fc.property(int64, (value) => {
        const bytes = written((out) => out.int64(value));
        expect(bytes).toEqual(byProtobufjs((out) => out.int64(String(value))));
        if (value < 0n) expect(bytes.length).toBe(10);
      }),
    );
  });

  it('fixed-width numbers', () => {
    fc.assert(
      fc.property(uint64, uint32, fc.double(), (wide, narrow, double) => {
        const ours = written((out) => {
          out.fixed64(wide);
          out.fixed32(narrow);
          out.double(double);
        });
        expect(ours).toEqual(byProtobufjs((out) => out.fixed64(String(wide)).fixed32(narrow).double(double)));
      }),
    );
  });

  it('texts and bytes of any length', () => {
    fc.assert(
      fc.property(field, text, fc.uint8Array({ maxLength: 300 }), (number, value, bytes) => {
        const ours = written((out) => {
          out.stringField(number, value);
          out.bytesField(number, bytes);
        });
        const tag = ((number << 3) | WIRE_BYTES) >>> 0;
        expect(ours).toEqual(byProtobufjs((out) => out.uint32(tag).string(value).uint32(tag).bytes(bytes)));
      }),
    );
  });

  it('nested messages, however long their length turns out', () => {
    const sizesInward = fc.array(fc.nat({ max: 20_000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(sizesInward, (sizes) => {
        const ours = written((out) => {
          const starts = sizes.map((size) => {
            const start = out.begin(1);
            out.bytesField(2, new Uint8Array(size));
            return start;
          });
          for (const start of starts.toReversed()) out.end(start);
        });
        const theirs = byProtobufjs((out) => {
          for (const size of sizes) out.uint32(10).fork().uint32(18).bytes(new Uint8Array(size));
          for (const _ of sizes) out.ldelim();
        });
        expect(ours.equals(theirs)).toBe(true);
      }),
      { numRuns: effort(17) },
    );
  });

  it('a lone surrogate as U+FFFD', () => {
    for (const padding of ['', 'x'.repeat(50)]) {
      const bytes = written((out) => out.stringField(1, `${padding}\ud800`));
      expect(new WireReader(bytes, 1).string()).toBe(`${padding}\ufffd`);
    }
  });

  it('nothing left over after a reset', () => {
    const out = new WireWriter();
    out.stringField(1, 'before');
    out.reset();
    out.varint(7);
    expect(out.toBuffer()).toEqual(Buffer.from([7]));
  });
});

describe('WireReader reads what protobufjs writes', () => {
  it('every kind of value, in order', () => {
    fc.assert(
      fc.property(uint32, int64, fc.double(), text, (narrow, wide, double, string) => {
        const reader = new WireReader(
          byProtobufjs((out) => out.uint32(narrow).int64(String(wide)).double(double).string(string)),
        );
        expect(reader.uint32()).toBe(narrow);
        expect(reader.int64()).toBe(wide);
        expect(reader.double()).toBe(double);
        expect(reader.string()).toBe(string);
        expect(reader.tag()).toBe(0);
      }),
    );
  });

  it('an enum or count that was written as a negative 64-bit integer, reduced to 32 bits', () => {
    expect(new WireReader(written((out) => out.int64(-1n))).uint32()).toBe(0xffff_ffff);
  });

  it('bytes without copying them', () => {
    const bytes = written((out) => out.bytesField(1, Buffer.from('abc')));
    const view = new WireReader(bytes, 1).bytes();
    expect(view.toString()).toBe('abc');
    expect(view.buffer).toBe(bytes.buffer);
  });
});

describe('WireReader rejects', () => {
  const reading = (hex: string, read: (reader: WireReader) => unknown) => () =>
    read(new WireReader(Buffer.from(hex, 'hex')));

  it.each<[what: string, hex: string, read: (reader: WireReader) => unknown, message: string]>([
    ['field number 0', '00', (reader) => reader.tag(), 'field number 0'],
    ['a varint of eleven bytes', 'ffffffffffffffffffff01', (reader) => reader.uint32(), 'longer than 10'],
    [
      'a 64-bit varint of eleven bytes',
      'ffffffffffffffffffff01',
      (reader) => reader.int64(),
      'longer than 10',
    ],
    ['a varint without an end', 'ff', (reader) => reader.int64(), 'truncated'],
    ['a length beyond the end', '0561', (reader) => reader.string(), 'truncated'],
    ['a negative length', 'ffffffffffffffffff01', (reader) => reader.length(), 'over 32 bits'],
    ['a length that cut to 32 bits would fit', '8180808010', (reader) => reader.length(), 'over 32 bits'],
    ['a tag that cut to 32 bits would be field 1', '8a80808010', (reader) => reader.tag(), 'over 32 bits'],
    ['wire type 6', '0e', (reader) => reader.skip(reader.tag()), 'unexpected wire type 6'],
    ['the end of a group that was not begun', '0c', (reader) => reader.skip(reader.tag()), 'wire type 4'],
    ['a group that ends as another', '0b14', (reader) => reader.skip(reader.tag()), 'another field number'],
    ['a group without an end', '0b0801', (reader) => reader.skip(reader.tag()), 'truncated'],
    ['groups in groups without bound', '0b'.repeat(100), (reader) => reader.skip(reader.tag()), 'too deeply'],
  ])('%s', (_, hex, read, message) => {
    expect(reading(hex, read)).toThrow(WireError);
    expect(reading(hex, read)).toThrow(message);
  });

  it('any message truncated, never reading past its window', () => {
    const message = encodeProto('AnyValue', {
      kvlistValue: {
        values: [
          { key: 'a', value: { intValue: '-3' } },
          { key: 'b', value: { doubleValue: 0.5 } },
          { key: 'c', value: { arrayValue: { values: [{ stringValue: 'x' }, { bytesValue: 'AAEC' }] } } },
        ],
      },
    });
    for (let end = 1; end < message.length; end++) {
      const reader = new WireReader(message, 0, end);
      expect(() => reader.skip(reader.tag())).toThrow(WireError);
      expect(reader.pos).toBeLessThanOrEqual(end);
    }
  });
});

describe('WireReader on arbitrary bytes', () => {
  const readers = [
    'tag',
    'uint32',
    'int64',
    'fixed64',
    'fixed32',
    'length',
    'double',
    'string',
    'bytes',
  ] as const;

  it('gives a value or throws WireError, and stays in its window', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.array(fc.constantFrom(...readers)), fc.nat(), (bytes, calls, cut) => {
        const end = cut % (bytes.length + 1);
        const reader = new WireReader(Buffer.from(bytes), 0, end);
        for (const call of calls) {
          try {
            reader[call]();
          } catch (error) {
            expect(error).toBeInstanceOf(WireError);
          }
          expect(reader.pos).toBeLessThanOrEqual(end);
        }
      }),
    );
  });

  it('skips exactly what protobufjs skips', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
        const reader = new WireReader(Buffer.from(bytes));
        try {
          const tag = reader.tag();
          reader.skip(tag);
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
          return;
        }
        const theirs = protobuf.Reader.create(bytes);
        const tag = theirs.uint32();
        theirs.skipType(tag & 7, 0, tag >>> 3);
        expect(reader.pos).toBe(theirs.pos);
      }),
      { numRuns: effort(667) },
    );
  });

  it('passes over groups as over any other unknown field', () => {
    const group = Buffer.concat([
      Buffer.from('f301', 'hex'),
      encodeProto('AnyValue', { stringValue: 'in the group' }),
      written((out) => out.tag(30, WIRE_GROUP_END)),
    ]);
    const known = encodeProto('AnyValue', { intValue: '5' });
    const reader = new WireReader(Buffer.concat([group, known]));
    reader.skip(reader.tag());
    expect(decodeProto('AnyValue', reader.buffer.subarray(reader.pos))).toEqual({ intValue: '5' });
  });
});

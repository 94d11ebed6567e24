import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pack } from '../../src/traces/pack.ts';
import { parseId } from '../../src/traces/ids.ts';
import { encodeSkeleton } from '../../src/traces/skeleton.ts';
import type { IncomingSpan } from '../../src/traces/span.ts';
import { ROOT } from '../support/sources.ts';
import { someSpans } from './support/some-spans.ts';

const page = readFileSync(join(ROOT, 'docs/format.md'), 'utf8');

/** Returns the rows of the table under a heading of the page. */
function tableOf(heading: string): string[][] {
  const section = page.split(`### ${heading}\n`)[1]?.split('\n### ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(1).map((line) => line.slice(2, -2).split(' | '));
}

const HEADER = tableOf('Header of a skeleton');
const FIXED = tableOf('Fixed part of a span');
const PARTS = tableOf('Parts of a span').map(([bit, size, fields]) => ({
  bit: Number(bit),
  size: Number(size),
  fields: fields as string,
}));

const readers: Record<string, (bytes: Buffer, at: number) => number | bigint | string> = {
  u8: (bytes, at) => bytes.readUInt8(at),
  u16: (bytes, at) => bytes.readUInt16LE(at),
  u64: (bytes, at) => bytes.readBigUInt64LE(at),
  '8 bytes': (bytes, at) => bytes.toString('latin1', at, at + 8),
};
const sizes: Record<string, number> = { u8: 1, u16: 2, u64: 8, '8 bytes': 8 };

/** Reads the fields of a table of the page, by the first word of each. */
const fieldsAt = (bytes: Buffer, start: number, table: string[][]): Record<string, unknown> =>
  Object.fromEntries(
    table.map(([offset, type = '', field = '']) => [
      field.startsWith('id of') ? 'parent' : field.replace(/[ ,].*/, ''),
      readers[type]?.(bytes, start + Number(offset)),
    ]),
  );

const sizeOf = (table: string[][]): number => {
  const [offset, type] = table.at(-1) as string[];
  return Number(offset) + (sizes[type as string] as number);
};

/** Decodes a skeleton by nothing but the page. */
function decode(
  bytes: Buffer,
): { name: unknown; resource: unknown; fixed: Record<string, unknown>; parts: Buffer[] }[] {
  const header = fieldsAt(bytes, 0, HEADER);
  let at = sizeOf(HEADER);
  const textAt = (): string => {
    const end = at + 2 + bytes.readUInt16LE(at);
    const text = bytes.toString('utf8', at + 2, end);
    at = end;
    return text;
  };
  const resources = Array.from({ length: header.resources as number }, () => {
    const hash = bytes.toString('hex', at, at + 16);
    at += bytes[at + 16] === 1 ? 33 : 17;
    return `${hash} ${textAt()}`;
  });
  const strings = Array.from({ length: header.strings as number }, textAt);
  const spans = Array.from({ length: header.spans as number }, () => {
    const fixed = fieldsAt(bytes, at, FIXED);
    at += sizeOf(FIXED);
    const parts = PARTS.filter(({ bit }) => ((fixed.parts as number) & bit) !== 0).map(({ size }) => {
      at += size;
      return bytes.subarray(at - size, at);
    });
    return {
      name: strings[fixed.name as number],
      resource: resources[fixed.resource as number],
      fixed,
      parts,
    };
  });
  expect(at).toBe(bytes.length);
  return spans;
}

/** Returns the parts that a span must have by the page, in their order. */
function partsOf(span: IncomingSpan): Buffer[] {
  const floats = (...values: number[]): Buffer => Buffer.from(new Float64Array(values).buffer);
  const { inputTokens, outputTokens, cost, totalTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } =
    span;
  return [
    span.testId === null ? [] : [parseId(span.testId)],
    inputTokens || outputTokens || cost ? [floats(inputTokens, outputTokens, cost)] : [],
    totalTokens !== inputTokens + outputTokens || cacheReadTokens || cacheWriteTokens || reasoningTokens
      ? [floats(totalTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens)]
      : [],
    span.scopeHash || span.responseHash
      ? [Buffer.from(new Uint32Array([span.scopeHash, span.responseHash]).buffer)]
      : [],
  ].flat();
}

describe('docs/format.md', () => {
  it('says all that is needed to read a skeleton', () => {
    fc.assert(
      fc.property(someSpans, (spans) => {
        const read = decode(encodeSkeleton(spans, 7));
        expect(
          read.map(({ name, resource, fixed, parts }) => ({
            name,
            resource,
            id: fixed.id,
            start: fixed.start,
            end: fixed.end,
            kind: fixed.kind,
            status: fixed.status,
            flags: fixed.flags,
            parts: parts.filter(({ length }) => length > 2),
          })),
        ).toEqual(
          spans.map((span) => ({
            name: span.name,
            resource: `${span.resource.hash.toString('hex')} ${span.resource.service}`,
            id: span.spanId,
            start: span.start,
            end: span.end,
            kind: span.kind,
            status: span.status,
            flags: span.flags,
            parts: partsOf(span),
          })),
        );
      }),
    );
  });

  it.each([
    ['0', 'the content follows as it is', 100],
    ['1', 'it follows compressed by zstd', 10_000],
  ])('names the first byte of packed content: %s if %s', (byte, words, size) => {
    expect(page.replaceAll('\n', ' ')).toContain(`${byte} if ${words}`);
    expect(pack(Buffer.alloc(size))[0]).toBe(Number(byte));
  });
});

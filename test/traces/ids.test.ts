import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { formatUuid, isUuid, otelTraceUuid, parseId, traceIdCandidates } from '../../src/traces/ids.ts';
import { effort } from '../support/effort.ts';

const traceId = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes));
const zodTakes = (text: string): boolean => z.uuid().safeParse(text).success;

describe('isUuid', () => {
  it('takes what the interface takes as a uuid, in lower case', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(isUuid(id)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(traceId, (bytes) => {
        const id = formatUuid(bytes);
        expect(isUuid(id)).toBe(zodTakes(id));
      }),
      { numRuns: effort(333) },
    );
    for (const id of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']) {
      expect([isUuid(id), zodTakes(id)]).toEqual([true, true]);
    }
  });

  it.each([
    ['upper case', '9B2FD5A2-11AA-4B8E-8F0C-6A2E3A8F9D01'],
    ['no dashes', '9b2fd5a211aa4b8e8f0c6a2e3a8f9d01'],
    ['a line break at the end', '9b2fd5a2-11aa-4b8e-8f0c-6a2e3a8f9d0\n'],
    ['one digit more', '9b2fd5a2-11aa-4b8e-8f0c-6a2e3a8f9d011'],
    ['nothing', ''],
  ])('rejects %s', (_definition, id) => {
    expect(isUuid(id)).toBe(false);
  });
});

describe('ids of traces', () => {
  it('are the same bytes written as a uuid or as hex digits', () => {
    fc.assert(
      fc.property(traceId, (bytes) => {
        expect(parseId(formatUuid(bytes))).toEqual(bytes);
        expect(parseId(bytes.toString('hex'))).toEqual(bytes);
      }),
    );
  });

  it('of OpenTelemetry are shown as version-8 uuids', () => {
    fc.assert(
      fc.property(traceId, (bytes) => {
        const id = otelTraceUuid(bytes);
        expect(isUuid(id)).toBe(true);
        expect([id[14], '89ab'.includes(id[19] ?? '')]).toEqual(['8', true]);
        const same = Buffer.from(bytes);
        same[6] = ((same[6] ?? 0) & 0x0f) | 0x80;
        same[8] = ((same[8] ?? 0) & 0x3f) | 0x80;
        expect(parseId(id)).toEqual(same);
      }),
    );
    const bytes = Buffer.from('0102030405060708090a0b0c0d0e0f10', 'hex');
    expect(otelTraceUuid(bytes)).toBe('01020304-0506-8708-890a-0b0c0d0e0f10');
    expect(bytes.toString('hex')).toBe('0102030405060708090a0b0c0d0e0f10');
  });

  it('are found by what is shown of them, and by their hex digits', () => {
    fc.assert(
      fc.property(traceId, (bytes) => {
        expect(traceIdCandidates(otelTraceUuid(bytes)).some((candidate) => candidate.equals(bytes))).toBe(
          true,
        );
        expect(traceIdCandidates(bytes.toString('hex'))).toEqual([bytes]);
        const candidates = traceIdCandidates(otelTraceUuid(bytes));
        expect(candidates).toHaveLength(64);
        expect(new Set(candidates.map((candidate) => candidate.toString('hex'))).size).toBe(64);
        expect(new Set(candidates.map(otelTraceUuid))).toEqual(new Set([otelTraceUuid(bytes)]));
      }),
    );
  });

  it('that are uuids of other versions stand only for themselves', () => {
    fc.assert(
      fc.property(fc.uuid({ version: [1, 4, 7] }), (id) => {
        expect(traceIdCandidates(id)).toEqual([parseId(id)]);
      }),
    );
  });
});

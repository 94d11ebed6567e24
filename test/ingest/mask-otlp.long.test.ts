import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { Charges } from '../../src/ingest/charges.ts';
import { DecodeWork } from '../../src/ingest/decode-work.ts';
import { maskEvents } from '../../src/ingest/mask-events.ts';
import { LOGS_REQUEST, maskOtlp, TRACES_REQUEST } from '../../src/ingest/mask-otlp.ts';
import { compileRules, Masker } from '../../src/masking/masker.ts';
import { type MaskingRules, NO_RULES } from '../../src/masking/rules.ts';
import { FairShare } from '../../src/runtime/fair-share.ts';
import { MemoryBudget } from '../../src/runtime/memory-budget.ts';
import { inOneTurn, type Steps } from '../../src/runtime/steps.ts';
import { WireWriter } from '../../src/traces/wire/writer.ts';

const MIB = 1024 * 1024;
/** Size of a small body as received, which may stand for 24 MiB. */
const RECEIVED = 24 * 1024;
const DETECTORS = { detectors: ['email'] } as const;
const KEEP_ONE = { keepAttributes: ['x'] };

const open = (rules: Partial<MaskingRules>): Masker =>
  new Masker(compileRules({ rules: { ...NO_RULES, ...rules }, key: Buffer.alloc(32, 7) }));

/** A field of bytes within fields of bytes, outermost first. */
function nest(fields: readonly number[], content: Buffer): Buffer {
  return fields.reduceRight<Buffer>((inner, field) => {
    const writer = new WireWriter(inner.length + 16);
    writer.bytesField(field, inner);
    return writer.toBuffer();
  }, content);
}

const field = (number: number, content: Buffer = Buffer.alloc(0)): Buffer => nest([number], content);
const many = (item: Buffer, bytes = 3 * MIB): Buffer =>
  Buffer.alloc(Math.floor(bytes / item.length) * item.length, item);
const SPAN = [1, 2, 2];
const VALUE = [...SPAN, 9, 2];
const GROUP = Buffer.concat([Buffer.from([0x2b]), many(Buffer.from([0x30, 0])), Buffer.from([0x2c])]);

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'taken';
  } catch (error) {
    return error instanceof AppError ? error.code : (error as Error).name;
  }
}

describe('masking a small body that stands for many fields is rejected', () => {
  it.each<[what: string, body: Buffer, rules: Partial<MaskingRules>]>([
    ['attributes', nest(SPAN, many(field(9))), DETECTORS],
    ['removed attributes', nest(SPAN, many(field(9))), KEEP_ONE],
    [
      'exempt attributes',
      nest(SPAN, many(field(9, field(1, Buffer.from('a'))))),
      { exemptAttributes: ['a'] },
    ],
    ['names of spans', nest(SPAN, many(field(5))), DETECTORS],
    ['spans', nest([1, 2], many(field(2))), DETECTORS],
    ['keys of an attribute', nest([...SPAN, 9], many(field(1))), DETECTORS],
    ['items of a value', nest([...VALUE, 5], many(field(1))), DETECTORS],
    ['pairs of a value', nest([...VALUE, 6], many(field(1))), DETECTORS],
    ['unknown fields', nest(SPAN, many(Buffer.from([0x98, 0x06, 0]))), DETECTORS],
    ['fields of a group', nest(SPAN, GROUP), DETECTORS],
  ])('%s', (_what, body, rules) => {
    const work = new DecodeWork(RECEIVED);
    const code = codeOf(() => inOneTurn(maskOtlp(body, TRACES_REQUEST, open(rules), work)));
    expect(['too_large', 'FieldLimitError']).toContain(code);
  });

  it('attributes of log records', () => {
    const body = nest(SPAN, many(field(6)));
    const work = new DecodeWork(RECEIVED);
    expect(codeOf(() => inOneTurn(maskOtlp(body, LOGS_REQUEST, open(DETECTORS), work)))).toBe('too_large');
  });
});

function pausesOf(steps: Steps<unknown>): number {
  let pauses = 0;
  while (!steps.next().done) pauses += 1;
  return pauses;
}

describe('masking pauses where nothing is searched', () => {
  it.each<[what: string, steps: () => Steps<unknown>]>([
    ['attributes', () => maskOtlp(nest(SPAN, many(field(9), MIB)), TRACES_REQUEST, open(DETECTORS))],
    ['removed attributes', () => maskOtlp(nest(SPAN, many(field(9), MIB)), TRACES_REQUEST, open(KEEP_ONE))],
    ['items of events', () => maskEvents([{ x: Array.from({ length: 500_000 }, () => 1) }], open(DETECTORS))],
    [
      'fields of events',
      () =>
        maskEvents(
          Array.from({ length: 200_000 }, () => ({ x: 1 })),
          open(DETECTORS),
        ),
    ],
  ])('%s', (_what, steps) => {
    expect(pausesOf(steps())).toBeGreaterThan(1);
  });
});

const attribute = (key: string): Buffer => field(9, field(1, Buffer.from(key)));

describe('the memory of masking is charged', () => {
  const memoryFor = (body: Buffer, limit: number): { code: string; used: number } => {
    const budget = new MemoryBudget(limit);
    const work = new DecodeWork(undefined, new Charges(new FairShare(budget, 3).open(1)));
    const code = codeOf(() => inOneTurn(maskOtlp(body, TRACES_REQUEST, open(KEEP_ONE), work)));
    return { code, used: budget.used };
  };

  it('attributes that are removed one after the other take none', () => {
    const body = nest(SPAN, Buffer.concat([attribute('x'), many(field(9), MIB)]));
    expect(memoryFor(body, 16 * 1024)).toEqual({ code: 'taken', used: nest(SPAN, attribute('x')).length });
  });

  it('each piece between removed attributes takes some', () => {
    const body = nest(SPAN, many(Buffer.concat([attribute('x'), field(9)]), MIB));
    expect(memoryFor(body, 8 * MIB)).toEqual({ code: 'too_large', used: 0 });
  });
});

it('a text in nested values is masked where it is, whatever surrounds it', () => {
  const value = (text: string): Buffer => {
    const nested = Array.from({ length: 50 }, () => [5, 1]).flat();
    const items = nest(nested, field(1, Buffer.from(text)));
    return nest(SPAN, Buffer.concat([attribute('a'), field(9, Buffer.concat([field(1), field(2, items)]))]));
  };
  const masked = inOneTurn(maskOtlp(value('to a@b.io now'), TRACES_REQUEST, open(DETECTORS))).toString(
    'latin1',
  );
  const token = /<email:[\da-f]{12}>/.exec(masked)?.[0] ?? '';
  expect(masked).toBe(value(`to ${token} now`).toString('latin1'));
});

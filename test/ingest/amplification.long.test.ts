import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { COST, DecodeWork, MAX_MEMBERS } from '../../src/ingest/decode-work.ts';
import { compressions, amplified, amplifiers, emptyStreams, maskings } from '../fuzz/amplify-bodies.ts';
import type { ContentEncoding } from '../../src/ingest/inflate.ts';
import type { AppliedRules } from '../../src/masking/rules.ts';
import type { IngestBody } from '../fuzz/bodies.ts';
import { newPreparer } from '../fuzz/decode.ts';

const MIB = 1024 * 1024;
const BUDGET = 192 * MIB;

async function outcomeOf(body: IngestBody, masking: AppliedRules | null = null): Promise<string> {
  const { preparer, budget } = newPreparer({ budgetBytes: BUDGET, maxBodyBytes: 64 * MIB });
  const bytes = new Uint8Array(body.bytes);
  const request = { application: 1, keyId: 'key', at: 1_767_225_600_000, masking, body: bytes };
  try {
    const { encoding, format } = body;
    const events = body.target === 'events' ? { idempotencyKey: null } : {};
    await preparer.run(body.target, { ...request, encoding, format, ...events }, bytes);
    return 'taken';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code;
  } finally {
    expect(budget.used).toBe(0);
  }
}

/** Attacks that a limit on counts or memory ends before the one on work. */
const REJECTED = ['too_large', 'bad_request', 'invalid'];

describe('a body that stands for a thousand times as much', () => {
  it.each(amplifiers.map((amplifier) => [amplifier.name, amplifier] as const))(
    'is rejected, and its memory is released: %s',
    async (_, amplifier) => {
      // Most are rejected for their parts, and a few for their size alone.
      const small = await outcomeOf(amplified(amplifier, 'zstd', 8 * MIB));
      const outcome = small === 'taken' ? await outcomeOf(amplified(amplifier, 'zstd', 32 * MIB)) : small;
      expect(REJECTED).toContain(outcome);
    },
  );
});

describe('a compressed stream of parts without content', () => {
  it.each(emptyStreams.map((stream) => [stream.encoding ?? '', stream.name, stream] as const))(
    'is rejected, and its memory is released: %s, %s',
    async (encoding, _, stream) => {
      expect(await outcomeOf(amplified(stream, encoding as ContentEncoding, 4 * MIB))).toBe('bad_request');
    },
  );
});

/** Bodies of protobuf, which masking reads before they are decoded, and which no limit on the inflated size rejects. */
const maskedAmplifiers = amplifiers.filter(
  ({ format, target }) => format === 'protobuf' && target !== 'metrics',
);

describe('a body of many fields that detectors search', () => {
  it.each(maskedAmplifiers.map((amplifier) => [amplifier.name, amplifier] as const))(
    'is rejected, and its memory is released: %s',
    async (_, amplifier) => {
      const body = amplified(amplifier, 'zstd', 4 * MIB);
      expect(REJECTED).toContain(await outcomeOf(body, maskings.detectors));
    },
  );
});

/** Bodies of fields that are read in one piece, without turns of others in between. */
const inOnePiece = (size: number) =>
  [...amplifiers]
    .filter(({ name }) => /fields|elements|schema URLs/.test(name) && name.endsWith('protobuf'))
    .map((amplifier) => [amplifier.name, amplified(amplifier, 'identity', size)] as const);

describe('a body that is not compressed', () => {
  it.each(inOnePiece(4 * MIB))('is rejected for too many fields in one piece: %s', async (name, body) => {
    // Of metrics nothing is read but their number.
    const isCounted = name.startsWith('metrics') && !name.endsWith('group, protobuf');
    expect(await outcomeOf(body)).toBe(isCounted ? 'taken' : 'too_large');
  });
});

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');
const SYSTEM = 'You are a helpful assistant of a shop. Answer briefly. '.repeat(40);
/** A request as an agent's SDK sends it: the same names and system prompt in each span, other ids, times and texts. */
function realRequest(spans: number): Buffer {
  const traceId = hex(16);
  const list = Array.from({ length: spans }, (_, i) => ({
    traceId,
    spanId: hex(8),
    parentSpanId: hex(8),
    name: 'chat gpt-4o',
    kind: 3,
    startTimeUnixNano: String(1_767_225_600_000_000_000n + BigInt(i * 1_234_567)),
    endTimeUnixNano: String(1_767_225_600_000_000_000n + BigInt(i * 1_234_567 + 987_654)),
    attributes: [
      ...Array.from({ length: 20 }, (_v, j) => ({
        key: `gen_ai.attribute.${j}`,
        value: { stringValue: `v${j}` },
      })),
      { key: 'gen_ai.system_instructions', value: { stringValue: SYSTEM } },
      { key: 'gen_ai.usage.input_tokens', value: { intValue: String(i % 997) } },
    ],
    status: {},
  }));
  return Buffer.from(
    JSON.stringify({ resourceSpans: [{ resource: {}, scopeSpans: [{ scope: {}, spans: list }] }] }),
  );
}

describe('a real request', () => {
  const encodings = Object.keys(compressions) as (keyof typeof compressions)[];
  it.each([
    ...encodings.map((encoding) => [encoding, 'not masked'] as const),
    ['zstd', 'one kept attribute'] as const,
    ['zstd', 'detectors'] as const,
  ])('is taken however well it compresses: %s, %s', async (encoding, masking) => {
    const json = realRequest(2_048);
    const bytes = compressions[encoding]?.(json) ?? json;
    const body = { target: 'traces', format: 'json', encoding, bytes } as const;
    expect(await outcomeOf(body, maskings[masking])).toBe('taken');
  });

  it('of 64 MiB of JSON needs little more memory than its bytes', async () => {
    const one = realRequest(1).toString();
    const span = one.slice(one.indexOf('[{"traceId"') + 1, one.lastIndexOf(']}]}]}'));
    const count = Math.floor((63 * MIB) / (span.length + 1));
    const [head, tail] = one.split(span) as [string, string];
    const bytes = Buffer.from(head + Array.from({ length: count }, () => span).join(',') + tail);
    expect(await outcomeOf({ target: 'traces', format: 'json', encoding: 'identity', bytes })).toBe('taken');
  });
});

describe('DecodeWork', () => {
  const codeOf = (run: () => void): string => {
    try {
      run();
      return 'taken';
    } catch (error) {
      return (error as AppError).code;
    }
  };

  it('allows in proportion to the bytes received, and as for 64 KiB at least', () => {
    const spansOf = (bytes: number): number => {
      const work = new DecodeWork(bytes);
      for (let count = 0; ; count++) if (codeOf(() => work.span()) !== 'taken') return count;
    };
    expect(spansOf(0)).toBe(spansOf(64 * 1024));
    expect(spansOf(MIB) / spansOf(64 * 1024)).toBeCloseTo(16, 1);
  });

  it('never limits what the service itself wrote', () => {
    const work = new DecodeWork();
    work.spend(MAX_MEMBERS * COST.span * 1_000);
    expect(work.maxInflatedBytes).toBe(Number.POSITIVE_INFINITY);
  });
});

/** Processor time of bodies that are small as sent and large in what they stand for. */
import type { ContentEncoding } from '../../src/ingest/inflate.ts';
import { AppError } from '../../src/errors.ts';
import {
  type Amplifier,
  amplified,
  amplifiers,
  compressions,
  emptyStreams,
  maskings,
} from './amplify-bodies.ts';
import { newPreparer } from './decode.ts';
import type { Kind, Outcome } from './kind.ts';

/** Most processor time for each byte as received, in microseconds. */
const MAX_US_PER_BYTE = { 'not masked': 2, 'one kept attribute': 12, detectors: 12 };
/** Limit of the search of texts, in microseconds, whatever the size. */
const MAX_SEARCH_US = 12_000_000;
/** A smaller body counts as one of this size; see docs/operations.md. */
const LEAST_BYTES = 64 * 1024;
const MIB = 1024 * 1024;
/** Sizes before compression: below, at and beyond what a small body may inflate to. */
const SIZES = [1, 2, 8, 32, 60].map((mib) => mib * MIB);

interface Case {
  amplifier: Amplifier;
  encoding: ContentEncoding;
  size: number;
  masking: keyof typeof maskings;
}

const names = Object.keys(maskings) as (keyof typeof maskings)[];
const encodings = Object.keys(compressions) as ContentEncoding[];
const cases: readonly Case[] = [...amplifiers, ...emptyStreams].flatMap((amplifier) =>
  (amplifier.encoding ? [amplifier.encoding] : encodings).flatMap((encoding) =>
    SIZES.flatMap((size) => names.map((masking) => ({ amplifier, encoding, size, masking }))),
  ),
);

async function measured({ amplifier, encoding, size, masking }: Case): Promise<Omit<Outcome, 'show'>> {
  const body = amplified(amplifier, encoding, size);
  const { preparer, budget } = newPreparer({ budgetBytes: 192 * MIB, maxBodyBytes: 64 * MIB });
  const bytes = new Uint8Array(body.bytes);
  const events = body.target === 'events' ? { idempotencyKey: null } : {};
  const request = {
    application: 1,
    keyId: 'key',
    at: 1_767_225_600_000,
    masking: maskings[masking],
    body: bytes,
  };
  const faults: string[] = [];
  let answer = 'taken';
  const before = process.threadCpuUsage();
  try {
    await preparer.run(body.target, { ...request, ...events, encoding, format: body.format }, bytes);
  } catch (error) {
    answer = error instanceof AppError ? error.code : 'crash';
    if (!(error instanceof AppError)) faults.push(String(error));
  }
  const { user, system } = process.threadCpuUsage(before);
  const most =
    MAX_US_PER_BYTE[masking] * Math.max(LEAST_BYTES, bytes.length) +
    (masking === 'detectors' ? MAX_SEARCH_US : 0);
  if (user + system > most)
    faults.push(`took ${user + system} µs for ${bytes.length} bytes as received; the limit is ${most} µs`);
  if (budget.used !== 0) faults.push(`${budget.used} bytes of the memory budget were not released`);
  return { answer, faults };
}

/** Has no factor with the number of cases, so that consecutive inputs are of different kinds. */
const STRIDE = 7_919;

/**
 * Depends on the speed of the machine, so it runs by command only. `--kind amplification --inputs 8000` runs all cases.
 */
export const amplifyKind: Kind = {
  name: 'amplification',
  share: 0.4,
  concurrency: 1,
  run: async (_seed, index) => {
    const chosen = cases[(index * STRIDE) % cases.length] as Case;
    const outcome = await measured(chosen);
    const { amplifier, encoding, size, masking } = chosen;
    const show = (): string =>
      `${amplifier.name}, ${encoding}, ${size / MIB} MiB before compression, ${masking}`;
    return { ...outcome, show };
  },
};

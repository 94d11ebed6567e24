/** What an app takes whose spans no server takes in time. The kernel enforces the limit of memory. */
import { expect, it } from 'vitest';
import { CONTAINER_MIB, LANGUAGES, measure, SITUATIONS } from './measure.ts';

/** Half of what a batch by count took. Idle machines take a tenth; on a busy one, the thread that sends works on while the loop waits for a core. */
const MAX_PAUSE_MS = 450;

const CASES = SITUATIONS.flatMap((situation) =>
  LANGUAGES.map((language) => [language, situation.title, situation] as const),
);

it.concurrent.each(CASES)(
  'an app in %s stays within a small container: %s',
  async (language, _title, situation) => {
    const { peakMib, pauseMs, stats } = await measure(language, situation);
    const { exported = 0, failed = 0, dropped = 0 } = stats;
    expect(stats).toMatchObject({ ended: situation.spans, rejected: 0, waiting: 0 });
    expect(exported + failed + dropped).toBe(situation.spans);
    expect(peakMib).toBeLessThan(CONTAINER_MIB);
    expect(pauseMs).toBeLessThan(MAX_PAUSE_MS);
  },
);

it.concurrent.each([
  ['JavaScript', 'NODE_OPTIONS'],
  ['Python', ''],
] as const)(
  'the kernel ends an app in %s whose queue is larger than the container',
  async (language, heap) => {
    const silent = SITUATIONS.find(({ server }) => server === 'never responds');
    if (silent === undefined) throw new Error('no situation has a server that never responds');
    // Without the limit that Node has of its own.
    const variables = { TOUCHSTONE_MAX_QUEUE_BYTES: String(2 ** 30), ...(heap === '' ? {} : { [heap]: '' }) };
    await expect(measure(language, silent, variables)).rejects.toThrow('The app ended with');
  },
);

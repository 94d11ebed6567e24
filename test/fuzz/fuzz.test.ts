import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeKinds } from './decode.ts';
import { httpKinds } from './http.ts';
import { rawKinds } from './raw-http.ts';
import { runKinds } from './run.ts';
import { openSite, type Site } from './site.ts';
import { effort } from '../support/effort.ts';

/** Another one each day, the same for every run of a day. `npm run fuzz` takes any, and many more inputs. */
const SEED = Number(process.env['FUZZ_SEED'] ?? Math.floor(Date.now() / 86_400_000));
/** Inputs of each kind. */
const DECODED = effort(300);
const SENT = effort(50);
const PATIENCE = 600_000;

let site: Site;
let close: (() => Promise<void>) | undefined;
beforeAll(async () => {
  site = await openSite();
}, PATIENCE);
afterAll(async () => {
  await close?.();
  await site[Symbol.asyncDispose]();
});

describe(`with seed ${SEED}`, () => {
  it.each(decodeKinds.map((kind) => [kind.name, kind] as const))(
    '%s takes or rejects any bytes',
    async (name, kind) => {
      const { faults, tallies } = await runKinds([kind], { seed: SEED, inputs: { [name]: DECODED } });
      expect(faults, JSON.stringify(faults, null, 1)).toEqual([]);
      expect(tallies[name]?.inputs).toBe(DECODED);
    },
    PATIENCE,
  );

  it(
    'a server responds to any request as documented, and keeps working',
    async () => {
      const overHttp = httpKinds(site);
      close = overHttp.close;
      const kinds = [...overHttp.kinds, ...rawKinds(site)];
      const inputs = Object.fromEntries(kinds.map(({ name }) => [name, SENT]));
      const { faults, tallies } = await runKinds(kinds, { seed: SEED, inputs });
      expect(faults, JSON.stringify(faults, null, 1)).toEqual([]);
      expect(Object.values(tallies).map((tally) => tally.inputs)).toEqual(kinds.map(() => SENT));
    },
    PATIENCE,
  );
});

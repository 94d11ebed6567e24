import { expect, it } from 'vitest';
import { CANARIES } from '../../src/resources/definitions/canary-store.ts';
import { canaryKind } from '../../src/resources/definitions/canary-kind.ts';
import type { ClaimedJob } from '../../src/jobs/claim.ts';

type Deps = Parameters<typeof canaryKind>[0];

const JOB = { id: 1, application: 1, kind: CANARIES, key: 'run set', attempt: 1 } as unknown as ClaimedJob;
const PROGRESS = { waits: async () => {}, begins: async () => {}, ends: () => {} };
const waiting = Array.from({ length: 10 }, (_, at) => ({ definitionId: 'definition', evalId: `eval ${at}` }));

it('a run that fails ends after its last request, and sends no further ones', async () => {
  let [begun, ended] = [0, 0];
  const work = { state: 'waiting', definition: { type: 'CUSTOM' }, subject: {} };
  const deps = {
    read: async (query: string) => (query === 'pendingCanaries' ? waiting : work),
    write: async () => undefined,
    now: () => 0,
    judges: {
      evaluate: async () => {
        begun += 1;
        const isFirst = begun === 1;
        await new Promise((resolve) => setTimeout(resolve, isFirst ? 0 : 50));
        ended += 1;
        if (isFirst) throw new Error('the judge cannot be reached');
        return { verdict: { status: 'FAILED', reason: '' }, record: null };
      },
    },
  } as unknown as Deps;
  const run = canaryKind(deps)[CANARIES]?.run(JOB, new AbortController().signal, PROGRESS);
  await expect(run).rejects.toThrow('cannot be reached');
  expect(begun).toBeLessThan(waiting.length);
  expect(ended).toBe(begun);
});

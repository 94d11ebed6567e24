import { expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import type { EvalWork } from '../../src/evaluate/engine/work.ts';
import { workReads } from '../../src/evaluate/engine/work-reads.ts';
import type { Target } from '../../src/evaluate/target.ts';

/** Fails a read of these tests by throwing. */
type Fails = (application: number, testIds: readonly string[]) => void;

const workFor = (testId: string): EvalWork => ({ notApplicable: [testId] }) as unknown as EvalWork;

/** Records what is read: the application and the ids of tests. */
function startReads({ most = 100, fails }: { most?: number; fails?: Fails } = {}) {
  const reads: [application: number, testIds: string[]][] = [];
  const read = async (
    _name: 'findEvalWork',
    { application, targets }: { application: number; targets: readonly Target[] },
  ): Promise<(EvalWork | null)[]> => {
    const testIds = targets.map((target) => ('testId' in target ? target.testId : ''));
    reads.push([application, testIds]);
    await new Promise(setImmediate);
    fails?.(application, testIds);
    return testIds.slice(0, most).map((testId) => (testId === 'none' ? null : workFor(testId)));
  };
  return { reads, readWork: workReads(read as never) };
}

const idsTo = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index}`);

it('targets of one application that are requested together are read together', async () => {
  const { reads, readWork } = startReads();
  const found = await Promise.all([
    ...['a', 'none', 'b'].map((testId) => readWork(1, { testId })),
    readWork(2, { testId: 'c' }),
  ]);
  expect(found).toEqual([workFor('a'), null, workFor('b'), workFor('c')]);
  expect(reads).toEqual([
    [1, ['a', 'none', 'b']],
    [2, ['c']],
  ]);
});

it('a read has at most sixteen targets, and an application at most two reads at once', async () => {
  const { reads, readWork } = startReads();
  const ids = idsTo(40);
  expect(await Promise.all(ids.map((testId) => readWork(1, { testId })))).toEqual(ids.map(workFor));
  expect(reads.map(([, { length }]) => length)).toEqual([16, 16, 8]);
});

it('targets for which the time of a read was too short are read by the next one', async () => {
  const { reads, readWork } = startReads({ most: 2 });
  const ids = idsTo(5);
  expect(await Promise.all(ids.map((testId) => readWork(1, { testId })))).toEqual(ids.map(workFor));
  expect(reads.map(([, testIds]) => testIds.join())).toEqual(['0,1,2,3,4', '2,3,4', '4']);
});

it('a target that cannot be read fails alone', async () => {
  const fault = new Error('torn');
  const { readWork } = startReads({
    fails: (_application, testIds) => {
      if (testIds.includes('1')) throw fault;
    },
  });
  const outcomes = await Promise.allSettled(idsTo(3).map((testId) => readWork(1, { testId })));
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: workFor('0') },
    { status: 'rejected', reason: fault },
    { status: 'fulfilled', value: workFor('2') },
  ]);
  expect(await readWork(1, { testId: 'later' })).toEqual(workFor('later'));
});

it('a store that is busy rejects all targets of a read, and is not queried for each', async () => {
  const busy = new AppError('unavailable', 'the server is busy; retry later');
  const { reads, readWork } = startReads({
    fails: () => {
      throw busy;
    },
  });
  const outcomes = await Promise.allSettled(idsTo(3).map((testId) => readWork(1, { testId })));
  const rejected = { status: 'rejected', reason: busy };
  expect(outcomes).toEqual([rejected, rejected, rejected]);
  expect(reads).toHaveLength(1);
});

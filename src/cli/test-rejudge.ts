import type { Decision } from '../api/generated/schema.ts';
import { countText } from '../runtime/count-text.ts';
import type { Io } from './io.ts';
import { once, patiently } from './test-calls.ts';
import { chunks, MAX_TASKS, type ServerAccess } from './test-runs.ts';
import { waitForTests } from './test-wait.ts';

const PAGE = 100;
/** Most evals whose costs are added. */
const MAX_EVALS = 10_000;
/** Most calls that judge a run again, each of a page of tests. */
const MAX_CALLS = 1_000;

/**
 * Judges the stored traces of the baseline again by today's definitions if some pairs were judged otherwise, and waits until that
 * is done. Prints first how much it will cost. What is still judged otherwise was judged by another judge, such as another model
 * behind the same name, and is judged again although nothing of its input has changed. `look` makes the decision again. Throws StartupError.
 */
export async function rejudgeBaseline(
  server: ServerAccess,
  look: () => Promise<Decision>,
  io: Io,
): Promise<void> {
  const { baselineRunIds, comparison } = await look();
  const pairs = judgedOtherwise(comparison);
  if (pairs === 0) {
    io.out('The baseline was judged by the same; --rejudge-baseline has nothing to do.\n');
    return;
  }
  const cost = await costText(server, baselineRunIds);
  io.out(
    `Judges the baseline again, because ${countText(pairs, 'pair')} had other expected values, definition versions or judge versions: ${cost}\n`,
  );
  await rejudgeRuns(server, baselineRunIds, { force: false, io });
  const again = await look();
  const left = judgedOtherwise(again.comparison);
  if (left === 0) return;
  if (again.onlyInBaseline.length > 0) {
    io.out(
      `${countText(left, 'pair')} remain: the baseline was also judged by ${again.onlyInBaseline.map(({ name }) => name).join(', ')}, which judged nothing here, and judging it once more would not change that.\n`,
    );
    return;
  }
  io.out(`Judges it once more, because ${countText(left, 'pair')} had another judge: ${cost}\n`);
  await rejudgeRuns(server, baselineRunIds, { force: true, io });
}

const judgedOtherwise = (comparison: Decision['comparison']): number =>
  comparison?.candidates[0]?.judgedOtherwise ?? 0;

/** Judges all tests of runs again, a part by each call, and waits until that is done; without `force`, only what has changed. */
async function rejudgeRuns(
  server: ServerAccess,
  ids: readonly string[],
  { force, io }: { force: boolean; io: Io },
): Promise<void> {
  const { api, url, signal } = server;
  for (const id of ids) {
    let after: string | null = null;
    for (let calls = 0; calls < MAX_CALLS && (calls === 0 || after !== null); calls += 1) {
      const body: { force: boolean; limit: number; after?: string } = {
        force,
        limit: PAGE,
        ...(after !== null && { after }),
      };
      const answer: { data: { next: string | null } } = await once(url, signal, (init) =>
        api.POST('/v0/runs/{id}/evaluate', { params: { path: { id } }, body, ...init }),
      );
      after = answer.data.next;
    }
  }
  await waitForTests(server, () => progressOf(server, ids), io);
}

async function costText(server: ServerAccess, runIds: readonly string[]): Promise<string> {
  const { evals, cost, isPartial } = await costOf(server, runIds);
  return `${isPartial ? 'at least ' : ''}${countText(evals, 'verdict')}, which cost ${cost === 0 ? 'nothing' : `about $${cost.toFixed(4)}`} before.`;
}

async function costOf(
  { api, url, ...call }: ServerAccess,
  runIds: readonly string[],
): Promise<{ evals: number; cost: number; isPartial: boolean }> {
  let [evals, cost] = [0, 0];
  for (const runId of chunks(runIds, MAX_TASKS)) {
    for (let skip = 0; evals < MAX_EVALS; skip += PAGE) {
      const query = { runId, superseded: false, skip, limit: PAGE, orderBy: 'id' as const };
      const { data } = await patiently(url, call, (init) =>
        api.GET('/v0/evals', { params: { query }, ...init }),
      );
      evals += data.length;
      for (const one of data) cost += one.cost ?? 0;
      if (data.length < PAGE) break;
    }
  }
  return { evals, cost, isPartial: evals >= MAX_EVALS };
}

async function progressOf({ api, url, ...call }: ServerAccess, runIds: readonly string[]) {
  let [total, open] = [0, 0];
  for (const runId of chunks(runIds, MAX_TASKS)) {
    const count = async (more: { status?: ('PENDING' | 'IN_PROGRESS')[] }): Promise<number> => {
      const query = { runId, limit: 1, ...more };
      const { pagination } = await patiently(url, call, (init) =>
        api.GET('/v0/tests', { params: { query }, ...init }),
      );
      return pagination.total;
    };
    total += await count({});
    open += await count({ status: ['PENDING', 'IN_PROGRESS'] });
  }
  return { total, open, runs: runIds.map((runId) => ({ runId })) };
}

/** Times of `GET /v0/results` for runs of many tests: pages, orders, filters and lines of filters. */
import { cpuBetween, cpuTime } from './process-cpu.ts';
import type { ServerProcess } from './server-process.ts';
import { storeResults } from './stored-results.ts';

const SIZE = { tests: 100_000, evaluators: 10 };
/** Sides of the widest comparison; the other nine are smaller, because a reader keeps 500 000 results. */
const SIDES = { count: 10, tests: 10_000, evaluators: 2 };
/** Milliseconds of CPU of the server. A page has its facets. */
const BUDGETS = { page: 150, facets: 300 };
const REPEATS = 5;
const DEFINITION = 'd0000000-0000-4000-8000-000000000001';
const CAUSE = `verdict:${DEFINITION}`;

/** Calls whose filter is new each time: nothing of them is kept. `N` is replaced by a number. */
const CALLS: readonly (readonly [name: string, query: string, budget: number])[] = [
  ['page of 100', '&skip=N', BUDGETS.page],
  ['page of 200', '&limit=200&skip=N', BUDGETS.page],
  ['deep page', '&limit=200&skip=9N800', BUDGETS.page],
  ...['result', 'outcome', 'example', 'durationMs', 'cost', 'tokens'].map(
    (order) => [`order by ${order}`, `&orderBy=${order}&skip=N00`, BUDGETS.page] as const,
  ),
  ['group by evaluator', '&groupBy=evaluator&skip=N', BUDGETS.facets],
  ['group by topic', '&groupBy=topic&skip=N', BUDGETS.facets],
  ['group by tag', '&groupBy=tag&skip=N', BUDGETS.facets],
  ['group by subset', '&groupBy=subset&skip=N', BUDGETS.facets],
  ['outcome', '&outcome=FAILED&text=N', BUDGETS.page],
  ['change', '&change=ONE_SIDE&text=N', BUDGETS.page],
  ['cause', `&causeKey=${CAUSE}&text=N`, BUDGETS.page],
  ['verdicts of an evaluator', `&definitionId=${DEFINITION}&passed=false&text=N`, BUDGETS.facets],
  ['issue', '&issueId=00000000-0000-4000-8000-00000000000N', BUDGETS.facets],
  ['q=outcome:failed', '&q=outcome:failed+duration:>Nms', BUDGETS.facets],
  ['q=duration', '&q=duration:>N00ms', BUDGETS.facets],
  ['q=cost', '&q=cost:>0.00N', BUDGETS.facets],
  ['q=cause', `&q=-outcome:passed+duration:>Nms`, BUDGETS.facets],
  ['q=verdict and evaluator', '&q=verdict:fail+evaluator:"Evaluator+N"', BUDGETS.facets],
  ['q=-verdict', '&q=-verdict:fail+duration:>Nms', BUDGETS.facets],
  ['q=input', '&q=input:"Question+77N"', BUDGETS.facets],
  ['q=a word', '&q=Question+99N', BUDGETS.facets],
];

/** Stores the runs and returns milliseconds of each call: of CPU of the server, the median, and of the wall, the best. */
export async function measureResultCalls(
  server: ServerProcess,
  folder: string,
): Promise<Record<string, string>> {
  const applicationId = server.headers['x-application-id'] ?? '';
  const runId = storeResults(folder, { applicationId, ...SIZE });
  const beforeId = storeResults(folder, { applicationId, ...SIZE });
  const sides = Array.from({ length: SIDES.count }, () =>
    storeResults(folder, { applicationId, tests: SIDES.tests, evaluators: SIDES.evaluators }),
  );
  const read = async (runs: readonly string[], query: string, path = ''): Promise<number> => {
    const of = runs.map((id) => `side=run:${id}`).join('&');
    const started = performance.now();
    const response = await fetch(`http://127.0.0.1:${server.port}/v0/results${path}?${of}${query}`, {
      headers: server.headers,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${query}: ${text}`);
    return performance.now() - started;
  };
  const found: Record<string, string> = {};
  const measure = async (
    name: string,
    call: (repeat: number) => Promise<number>,
    { budget, repeats = REPEATS }: { budget: number; repeats?: number },
  ): Promise<void> => {
    const walls: number[] = [];
    const cpus: number[] = [];
    for (let repeat = 1; repeat <= repeats; repeat++) {
      const before = cpuTime(server.pid);
      walls.push(await call(repeat));
      cpus.push(cpuBetween(before, cpuTime(server.pid)).total * 1_000);
    }
    const cpu = cpus.toSorted((a, b) => a - b)[Math.floor(cpus.length / 2)] ?? Number.NaN;
    const mark = cpu > budget ? ' EXCEEDED' : '';
    found[`results, ${name}`] =
      `${Math.round(cpu)} ms CPU, ${Math.round(Math.min(...walls))} ms (budget ${budget})${mark}`;
  };
  await measure('first call, 100 000 tests', () => read([runId], ''), { budget: 2_000, repeats: 1 });
  for (const [name, query, budget] of CALLS)
    await measure(name, (repeat) => read([runId], query.replaceAll('N', String(repeat))), { budget });
  const pair = [beforeId, runId];
  await measure('first call of two sides', () => read(pair, ''), { budget: 2_000, repeats: 1 });
  await measure('two sides', (repeat) => read(pair, `&change=REGRESSED&text=${repeat}`), {
    budget: BUDGETS.page,
  });
  await measure('first call of ten sides', () => read(sides, ''), { budget: 2_000, repeats: 1 });
  await measure('ten sides', (repeat) => read(sides, `&limit=200&skip=${repeat}00`), {
    budget: BUDGETS.facets,
  });
  await measure('export of 100 000 rows', () => read([runId], '&format=jsonl', '/export'), {
    budget: 30_000,
    repeats: 1,
  });
  return found;
}

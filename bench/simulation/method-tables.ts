import { compareMethods, type MethodResult } from './compare-methods.ts';
import type { ComparedDesign } from './compared-tasks.ts';
import type { Method } from './comparison-methods.ts';

/** Methods that the product's power is measured by. */
const RIVALS = ['clusterT', 'mixed', 'signFlip'] as const;

const TASKS = [5, 10, 20, 50];
const SIZES: readonly (readonly [examples: number, repeats: number])[] = [
  [5, 1],
  [5, 5],
  [30, 1],
  [30, 3],
  [100, 1],
];
const LOSSES = [0.02, 0.05, 0.1, 0.2, 0.3, 0.6];
/** Standard deviations of the loss between tasks. */
const SPREADS = [0, 0.08];
/** Most pairs of a comparison that is simulated; larger losses are not, where all methods find a smaller one. */
const MOST_PAIRS = 1_000;

const percent = (share: number): string => (100 * share).toFixed(0);
const designOf = (more: Partial<ComparedDesign>): ComparedDesign => ({
  tasks: 5,
  examples: 30,
  repeats: 1,
  rate: 0.9,
  correlation: 0.3,
  loss: 0,
  spread: 0,
  isUneven: false,
  ...more,
});

type Results = Record<Method, MethodResult>;

/** Few tasks, many examples and many tests of each. */
const EXTREMES: readonly (readonly [tasks: number, examples: number, repeats: number])[] = [
  [2, 30, 1],
  [2, 30, 3],
  [3, 30, 3],
  [4, 30, 1],
  [4, 30, 3],
  [2, 30, 10],
  [4, 30, 10],
  [2, 100, 1],
  [4, 100, 1],
  [2, 500, 1],
  [4, 500, 1],
  [2, 500, 10],
  [4, 500, 10],
  [5, 500, 1],
  [5, 500, 10],
  [10, 500, 10],
];

/** Prints the same for few tasks, of which the comparison speaks alone, and for many examples and tests, in tasks that lose alike. */
export function printExtremes(samples: number): void {
  console.log(`Few tasks and large ones (${samples} samples per cell), as above\n`);
  console.log(`| tasks | examples × tests | none | ${LOSSES.map(percent).join(' | ')} | coverage |`);
  console.log(`|---|---|---|${'---|'.repeat(LOSSES.length + 1)}`);
  for (const [tasks, examples, repeats] of EXTREMES) {
    const design = designOf({ tasks, examples, repeats });
    const none = compareMethods(design, { samples });
    const held = [none.product.held];
    const found: string[] = [];
    let isFound = false;
    for (const loss of LOSSES) {
      if (isFound) {
        found.push('100 (100)');
        continue;
      }
      const results = compareMethods({ ...design, loss }, { samples });
      held.push(results.product.held);
      const best = Math.max(...RIVALS.map((rival) => results[rival].worse));
      found.push(`${percent(results.product.worse)} (${percent(best)})`);
      isFound = Math.min(results.product.worse, best) > 0.999;
    }
    const coverage = held.reduce((sum, one) => sum + one, 0) / held.length;
    const columns = [
      tasks,
      `${examples} × ${repeats}`,
      percent(none.product.worse),
      ...found,
      percent(coverage),
    ];
    console.log(`| ${columns.join(' | ')} |`);
  }
  console.log();
}

/** Prints how often comparisons of several tasks find a loss, and how often their interval contains it. */
export function printMethodTables(samples: number): void {
  console.log(
    `Several tasks (rate 90 %, correlation 0.3, ${samples} samples per cell): share of comparisons that are worse, without a loss and by losses: the chosen method, in brackets the best of cluster-t, mixed model and exact sign flips\n`,
  );
  console.log(`| tasks | examples × tests | sizes | none | ${LOSSES.map(percent).join(' | ')} | coverage |`);
  console.log(`|---|---|---|---|${'---|'.repeat(LOSSES.length + 1)}`);
  for (const tasks of TASKS)
    for (const [examples, repeats] of SIZES.filter(([size]) => tasks * size <= MOST_PAIRS))
      for (const isUneven of [false, true])
        console.log(rowOf(designOf({ tasks, examples, repeats, isUneven }), samples));
  console.log();
  printGaffke(samples);
}

function rowOf(design: ComparedDesign, samples: number): string {
  const { tasks, examples, repeats, isUneven } = design;
  const noLoss = SPREADS.map((spread) => compareMethods({ ...design, spread }, { samples }));
  const found: string[] = [];
  const held = noLoss.map(({ product }) => [product.held]);
  let isFound = false;
  for (const loss of LOSSES) {
    if (isFound) {
      found.push('100 (100)');
      continue;
    }
    const results = SPREADS.map((spread) => compareMethods({ ...design, loss, spread }, { samples }));
    for (const [place, { product }] of results.entries()) held[place]?.push(product.held);
    const [first] = results as [Results, ...Results[]];
    const best = Math.max(...RIVALS.map((rival) => first[rival].worse));
    found.push(`${percent(first.product.worse)} (${percent(best)})`);
    isFound = Math.min(first.product.worse, best) > 0.999;
  }
  const coverage = Math.min(...held.map((all) => all.reduce((sum, one) => sum + one, 0) / all.length));
  const worst = Math.max(...noLoss.map(({ product }) => product.worse));
  const columns = [tasks, `${examples} × ${repeats}`, isUneven ? '1 : 2 : 3' : 'equal', percent(worst)];
  return `| ${[...columns, ...found, percent(coverage)].join(' | ')} |`;
}

/** Prints what the method before could find. */
function printGaffke(samples: number): void {
  console.log('Gaffke over tasks (30 examples of each, tested once): share of comparisons that are worse\n');
  console.log(`| tasks | ${LOSSES.map(percent).join(' | ')} |\n|---|${'---|'.repeat(LOSSES.length)}`);
  for (const tasks of TASKS) {
    const found = LOSSES.map((loss) => compareMethods(designOf({ tasks, loss }), { samples }).gaffke.worse);
    console.log(`| ${tasks} | ${found.map(percent).join(' | ')} |`);
  }
  console.log();
}

/** Prints the same for the examples of one task, which are the observations. */
export function printOneTask(samples: number): void {
  console.log(
    'One task (rate 90 %, correlation 0.3, 3 tests of each example): share of comparisons that are worse, and coverage; columns: share of examples that regressed\n',
  );
  const broken = [0, 0.05, 0.1, 0.2, 0.3];
  console.log(`| examples | ${broken.join(' | ')} | coverage |\n|---|${'---|'.repeat(broken.length + 1)}`);
  for (const examples of [10, 20, 50, 100, 200, 500]) {
    const results = broken.map(
      (share) =>
        compareMethods(designOf({ tasks: 1, examples, repeats: 3, loss: share * 0.9 }), { samples }).product,
    );
    const lowest = Math.min(...results.map(({ held }) => held));
    console.log(
      `| ${examples} | ${results.map(({ worse }) => percent(worse)).join(' | ')} | ${percent(lowest)} |`,
    );
  }
  console.log();
}

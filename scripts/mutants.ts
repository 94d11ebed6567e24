/**
 * Measures what tests notice: changes one place of a resource at a time, runs its tests and the rows of the conformance
 * suite about it, and reports which of the two noticed. Where neither did, it runs the tests of all routes (`test/api`) and
 * of the other resources that call it. Works on a copy; a mutation takes about half a minute.
 *
 *   npm run mutants -- tags                          20 mutations of src/resources/tags, chosen at random
 *   npm run mutants -- tags tasks --count 50 --seed 7
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { mulberry32 } from '../test/support/random.ts';
import { type Mutation, mutationsOf } from './mutants/mutations.ts';

/** Texts of the API document, and records in it. */
const LEFT_OUT = /\/example\.ts$/;
/** Tests of all routes: the document, its limits, lists, and ids of other applications. */
const MATRICES = ['generated', 'every-limit.long', 'every-list.long', 'isolation.long'].map(
  (name) => `test/api/${name}.test.ts`,
);
const RUN_MS = 10 * 60_000;
/** Characters that are shown before a change. */
const AROUND = 20;

const { values, positionals: features } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
if (features.length === 0) throw new Error('Name folders of src/resources: npm run mutants -- tags');
console.log(`seed ${values.seed}`);

const copy = copyRepository();
try {
  for (const feature of features) measure(feature, Number(values.count), Number(values.seed));
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** Copies what Git knows, as it is at present; packages are shared. */
function copyRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-mutants-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of files.split('\0').filter((name) => name !== '')) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(file, join(folder, file));
  }
  for (const shared of ['node_modules', '.node'])
    symlinkSync(join(process.cwd(), shared), join(folder, shared));
  return folder;
}

function measure(feature: string, count: number, seed: number): void {
  const files = globSync(`src/resources/${feature}/*.ts`).filter((file) => !LEFT_OUT.test(file));
  const all = files.flatMap((file) =>
    mutationsOf(file, readFileSync(file, 'utf8')).map((mutation) => ({ file, ...mutation })),
  );
  const tests = globSync(`test/resources/${feature}*.test.ts`);
  if (all.length === 0 || tests.length === 0) throw new Error(`${feature} has no sources or no tests.`);
  const suites = {
    resources: tests,
    conformance: ['test/conformance/run.test.ts', '--testNamePattern', `^${feature}`],
  };
  const others = [...MATRICES, ...callersOf(feature).filter((file) => !tests.includes(file))];
  for (const [name, args] of Object.entries(suites))
    if (!passes(args)) throw new Error(`The tests of ${feature} (${name}) fail without a mutation.`);
  const random = mulberry32(seed);
  const chosen = all
    .map((mutation) => ({ mutation, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ mutation }) => mutation);
  const noticed = { resources: 0, conformance: 0, others: 0, any: 0 };
  for (const mutation of chosen) {
    const by = Object.entries(suites)
      .filter(([, args]) => notices(mutation, args))
      .map(([name]) => name as keyof typeof noticed);
    if (by.length === 0 && notices(mutation, others)) by.push('others');
    for (const name of by) noticed[name] += 1;
    if (by.length > 0) noticed.any += 1;
    console.log(
      `${by.length > 0 ? '✓' : '✗'} ${mutation.file}:${mutation.line} ${shown(mutation)} ${by.join(', ')}`,
    );
  }
  const share = (part: number): string =>
    `${part} of ${chosen.length} (${Math.round((100 * part) / chosen.length)} %)`;
  console.log(
    `${feature}: ${share(noticed.any)} noticed; resources ${share(noticed.resources)}, conformance ${share(noticed.conformance)}, only others ${share(noticed.others)}; ${all.length} mutations are possible`,
  );
}

/** Returns the tests of resources that call the routes of a feature. */
function callersOf(feature: string): string[] {
  return globSync('test/resources/*.test.ts').filter(
    (file) => !file.includes('.process.') && readFileSync(file, 'utf8').includes(`/v0/${feature}`),
  );
}

function notices({ file, source }: Mutation & { file: string }, args: readonly string[]): boolean {
  const original = readFileSync(join(copy, file), 'utf8');
  writeFileSync(join(copy, file), source);
  try {
    return !passes(args);
  } finally {
    writeFileSync(join(copy, file), original);
  }
}

function passes(args: readonly string[]): boolean {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--reporter=dot', ...args];
  return (
    spawnSync(process.execPath, vitest, { cwd: copy, timeout: RUN_MS, killSignal: 'SIGKILL' }).status === 0
  );
}

/** Returns the part that differs, with a few characters around it. */
function shown({ before, after }: Mutation): string {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  const from = Math.max(0, start - AROUND);
  const part = (text: string): string =>
    text
      .slice(from, start + 2 * AROUND)
      .trim()
      .replaceAll(/\s+/g, ' ');
  return `${part(before)} → ${part(after)}`;
}

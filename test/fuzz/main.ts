/**
 * Sends random and mutated inputs to a server of its own, until so many have been sent, and says what became of them.
 *
 *   npm run fuzz                                          100 000 inputs of all kinds, with a seed of its own
 *   npm run fuzz -- --inputs 1000000 --seed 7             the same inputs each time
 *   npm run fuzz -- --seed 7 --kind "raw bytes" --from 1234 --inputs 1    one input again
 */
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { apiKind } from './api.ts';
import { amplifyKind } from './amplify.ts';
import { decodeKinds } from './decode.ts';
import { httpKinds } from './http.ts';
import type { Kind } from './kind.ts';
import { rawKinds } from './raw-http.ts';
import { divided, type RunOptions, runKinds, type Summary } from './run.ts';
import { openSite } from './site.ts';

/** Kinds that need no server. */
const decodedKinds: readonly Kind[] = [...decodeKinds, amplifyKind];
const DEFAULT_INPUTS = '100000';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      inputs: { type: 'string', default: DEFAULT_INPUTS },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
      kind: { type: 'string' },
      from: { type: 'string', default: '0' },
    },
  });
  const seed = Number(values.seed);
  console.log(`seed ${seed}`);
  const started = performance.now();
  await using site = await openSite();
  const { kinds: overHttp, close } = httpKinds(site);
  const served = [apiKind(site), ...overHttp, ...rawKinds(site)];
  const all: Kind[] = [...decodedKinds, ...served];
  const chosen = values.kind === undefined ? all : all.filter(({ name }) => name === values.kind);
  if (chosen.length === 0)
    throw new Error(`no kind ${values.kind}; there are: ${all.map(({ name }) => name).join(', ')}`);
  const options = { seed, inputs: divided(chosen, Number(values.inputs)), from: Number(values.from) };
  // Decoding needs no server and takes the other core.
  const [decoded, answered] = await Promise.all([
    decodeApart(options),
    runKinds(served, { ...options, progress }),
  ]);
  await close();
  report(
    { tallies: { ...decoded.tallies, ...answered.tallies }, faults: [...decoded.faults, ...answered.faults] },
    seed,
  );
  console.log(`${Math.round((performance.now() - started) / 1_000)} s; seed ${seed}`);
}

const progress = (kind: string, done: number, of: number): void => {
  if (done % 5_000 === 0) console.log(`${kind}: ${done} of ${of}`);
};

async function decodeApart(options: RunOptions): Promise<Summary> {
  const { promise, resolve, reject } = Promise.withResolvers<Summary>();
  const worker = new Worker(new URL(import.meta.url), { workerData: options });
  worker.once('message', resolve).once('error', reject);
  worker.once('exit', (code) => reject(new Error(`the thread that decodes ended with ${code}`)));
  return promise;
}

function report({ tallies, faults }: Summary, seed: number): void {
  const rows = Object.entries(tallies).map(([kind, { inputs, seconds, answers, faulty }]) => ({
    kind,
    inputs,
    'a second': Math.round(inputs / seconds),
    faulty,
    answers: Object.entries(answers)
      .sort(([, a], [, b]) => b - a)
      .map(([answer, count]) => `${answer} ${count}`)
      .join(', '),
  }));
  for (const { kind, inputs, 'a second': rate, faulty, answers } of rows)
    console.log(
      `${kind.padEnd(22)} ${String(inputs).padStart(8)} inputs ${String(rate).padStart(6)}/s ${String(faulty).padStart(4)} faulty  ${answers}`,
    );
  for (const fault of faults) {
    console.log(
      `\n✗ ${fault.kind} ${fault.index}: ${fault.faults.join('\n  ').slice(0, 3_000)}\n  ${fault.input.slice(0, 4_000)}`,
    );
    console.log(
      `  again: npm run fuzz -- --seed ${seed} --kind "${fault.kind}" --from ${fault.index} --inputs 1`,
    );
  }
  const total = rows.reduce((sum, { inputs }) => sum + inputs, 0);
  const faulty = rows.reduce((sum, row) => sum + row.faulty, 0);
  console.log(`\n${total} inputs, ${faulty} faulty`);
  if (faulty > 0) process.exitCode = 1;
}

if (isMainThread) await main();
else parentPort?.postMessage(await runKinds(decodedKinds, workerData as RunOptions));

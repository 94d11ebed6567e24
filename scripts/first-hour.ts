/** Runs each way to a first success as a new user would, prints the times, and writes `docs/first-hour.md`: `npm run first-hour`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatTable } from '../src/cli/tables.ts';
import { setup as build } from '../test/support/global-setup.ts';
import { startServer } from '../test/support/server.ts';
import { startStandInModel } from '../test/support/stand-in-model.ts';
import { firstHourPage, timesOf } from './first-hour/page.ts';
import { runWay } from './first-hour/run-way.ts';
import { WAYS } from './first-hour/ways.ts';

const PAGE = join(import.meta.dirname, '../docs/first-hour.md');

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !WAYS.some((way) => way.name === name));
if (unknown.length > 0)
  throw new Error(
    `There is no way ${unknown.join(', ')}; there are ${WAYS.map(({ name }) => name).join(', ')}.`,
  );

build();
const server = await startServer({ config: { quietMs: 200 } });
const model = await startStandInModel();
// A way that was not run keeps its time.
const times = timesOf(PAGE);
const rows: string[][] = [];
try {
  for (const way of WAYS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    const { apiKey, applicationId } = await server.newTenant();
    try {
      const { seconds } = await runWay(way, { url: server.url, apiKey, applicationId, modelUrl: model.url });
      times.set(way.title, seconds);
      rows.push([way.name, `${seconds.toFixed(1)} s`, 'succeeded']);
    } catch (error) {
      process.exitCode = 1;
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      console.error(`${way.name} failed: ${String(error)}\n${stdout}${stderr}`);
      rows.push([way.name, '-', 'failed']);
    }
  }
} finally {
  await model[Symbol.asyncDispose]();
  await server.close();
}
process.stdout.write(formatTable(['WAY', 'TIME', 'RESULT'], rows));
writeFileSync(PAGE, firstHourPage(WAYS, times));

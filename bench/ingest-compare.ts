/**
 * Compares what a span costs servers of two checkouts, and one with own rules. They run side by side and take turns, each time
 * with the same spans, so that other work on the machine slows all of them. CPU time is that of each server process.
 * bench/README.md has the options.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { send } from './ingest-row.ts';
import { ingestRows, type Row } from './ingest-rows.ts';
import { SpanSource } from './payloads.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const { values: options } = parseArgs({
  options: {
    against: { type: 'string', default: '' },
    row: { type: 'string', default: '8 spans, rich, 512 a request, empty' },
    rules: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '24' },
  },
});

const SPANS_EACH = 10_240;
const WARM_UP_ROUNDS = 4;
const SECONDS = 60;

interface Measured {
  name: string;
  server: ServerProcess;
  /** CPU microseconds of a span, by round. */
  costs: number[];
}

/** Returns rules as an application has them: most for keys of its own, some for keys that all its spans have. */
function ownRules(count: number): object[] {
  const fields = ['input', 'output', 'model', 'sessionId', 'userId', 'inputTokens', 'outputTokens'];
  const read = [
    { key: 'session.id', field: 'sessionId' },
    { key: 'gen_ai.request.model', field: 'model' },
    { key: 'gen_ai.usage.input_tokens', field: 'inputTokens', type: 'number' },
    { key: 'gen_ai.tool.call.arguments', field: 'input', path: 'query' },
  ];
  const beginnings = ['acme.llm.', 'gen_ai.acme.', 'input.', 'llm.acme.', 'shop.'];
  const others = Array.from({ length: count }, (_, n) => ({
    key: `${beginnings[n % beginnings.length]}part${n}`,
    field: fields[n % fields.length],
  }));
  return [...read, ...others].slice(0, count);
}

async function setRules({ port, headers }: ServerProcess, rules: readonly object[]): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v0/mappings`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ rules }),
  });
  if (!response.ok) throw new Error(`the rules were rejected: ${await response.text()}`);
}

async function round(
  measured: readonly Measured[],
  source: SpanSource,
  row: Row,
  isKept: boolean,
): Promise<void> {
  for (const { server, costs } of measured) {
    const { cpu, spans } = await send(server, source, row, SPANS_EACH, SECONDS);
    if (isKept) costs.push((cpu.total / spans) * 1e6);
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** Returns a table: cost of a span, and the ratio to the first server, of all rounds and of the middle one. */
function table(measured: readonly Measured[]): Record<string, object> {
  const [first] = measured as [Measured];
  return Object.fromEntries(
    measured.map(({ name, costs }) => {
      const ratios = costs.map((cost, index) => cost / (first.costs[index] as number));
      const columns = {
        'CPU µs a span': (sum(costs) / costs.length).toFixed(1),
        'ratio of all': (sum(costs) / sum(first.costs)).toFixed(3),
        'ratio of the middle round': median(ratios).toFixed(3),
      };
      return [name, columns];
    }),
  );
}

const row = ingestRows(false).find(({ name }) => name === options.row);
if (!row) throw new Error(`no row is named ${options.row}; see npm run bench:ingest -- --list`);
const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
const measured: Measured[] = [];
const add = async (name: string, checkout?: string): Promise<ServerProcess> => {
  const server = await startServer(join(folder, name), 'src/main.ts', {}, checkout);
  measured.push({ name, server, costs: [] });
  return server;
};
try {
  if (options.against) await add('other', options.against);
  await add('this');
  const rules = ownRules(Number(options.rules));
  if (rules.length > 0) await setRules(await add('own rules'), rules);
  const source = new SpanSource(row, row.format, 1);
  for (let n = 0; n < WARM_UP_ROUNDS; n++) await round(measured, source, row, false);
  for (let n = 0; n < Number(options.rounds); n++) {
    await round(measured, source, row, true);
    // Whoever comes first in one round comes last in the next.
    measured.reverse();
  }
  console.table(table(measured.toSorted((a, b) => order(a) - order(b))));
} finally {
  for (const { server } of measured) await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

function order({ name }: Measured): number {
  return ['other', 'this', 'own rules'].indexOf(name);
}

/** The client that `openapi-python-client` generates, in a process of its own. */
import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { testPython } from '../support/python.ts';
import type { GeneratedClient } from './client-calls.ts';

const HERE = join(import.meta.dirname, 'python');
const MAX_GENERATE_MS = 280_000;

/** Generates the client from a document into a folder that is missing, and starts Python with it. */
export async function startPythonClient(openApi: string, folder: string): Promise<GeneratedClient> {
  const python = await testPython();
  const generator = join(python, '../openapi-python-client');
  const config = join(HERE, 'generator.yaml');
  const args = ['generate', '--path', openApi, '--config', config, '--meta', 'none', '--output-path', folder];
  const { stdout, stderr } = await promisify(execFile)(generator, args, { timeout: MAX_GENERATE_MS });
  if (/warning/i.test(stdout)) throw new Error(`openapi-python-client: ${stdout}${stderr}`);

  const child = spawn(python, [join(HERE, 'run.py'), folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: ((faults: readonly string[]) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    waiting.shift()?.(JSON.parse(line) as string[]);
  });
  let hasEnded = false;
  child.on('exit', () => {
    hasEnded = true;
    for (const resolve of waiting.splice(0)) resolve(['Python has ended']);
  });
  return {
    call: (call) =>
      new Promise((resolve) => {
        if (hasEnded) return resolve(['Python has ended']);
        waiting.push(resolve);
        child.stdin.write(`${JSON.stringify(call)}\n`);
      }),
    close: () => child.kill(),
  };
}

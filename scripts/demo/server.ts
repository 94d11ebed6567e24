import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Running, startServing } from '../../src/cli/serve.ts';
import type { Config } from '../../src/config.ts';
import { createLog } from '../../src/runtime/log.ts';

/** Starts a server from the build, which has the dashboard and loads faster than the sources; builds it if the sources have changed. */
export async function startDemoServer(config: Config): Promise<Running> {
  const root = join(import.meta.dirname, '../..');
  execFileSync(process.execPath, ['scripts/build.mjs', '--if-changed'], { cwd: root, stdio: 'inherit' });
  const file = pathToFileURL(join(root, 'dist/cli/serve.js')).href;
  const serve = (await import(file)) as { startServing: typeof startServing };
  const log = createLog({ level: 'error', write: (line) => process.stderr.write(line), forPeople: true });
  const onDeath = (error: Error): void => {
    throw error;
  };
  return serve.startServing(config, { log, onDeath });
}

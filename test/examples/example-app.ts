/** Apps of the examples, started by the commands of their READMEs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { EXPORT_TIMEOUT } from './example.ts';

const apps: ChildProcess[] = [];

/** Ends all apps that were started. */
export async function stopApps(): Promise<void> {
  for (const app of apps.splice(0)) {
    const isOver = app.exitCode !== null || app.signalCode !== null;
    // With its shell: the two are a group of their own.
    if (!isOver) process.kill(-(app.pid as number), 'SIGKILL');
    if (!isOver) await once(app, 'close');
  }
}

/** Runs an app by its README and waits until it says that it listens. */
export async function startApp(
  script: string,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const app = spawn('bash', ['-euc', script], {
    cwd: folder,
    env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, ...EXPORT_TIMEOUT, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  apps.push(app);
  let said = '';
  const { promise: listens, resolve, reject } = Promise.withResolvers<void>();
  const hear = (text: string): void => {
    said += text;
    // Ours, and uvicorn's.
    if (/(?:listens|running) on http:\/\/127\.0\.0\.1:\d+/.test(said)) resolve();
  };
  app.stdout.setEncoding('utf8').on('data', hear);
  app.stderr.setEncoding('utf8').on('data', hear);
  app.once('close', () => reject(new Error(`the app ended: ${said}`)));
  await listens;
}

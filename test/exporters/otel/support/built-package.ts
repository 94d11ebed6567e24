import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installWorkspace } from '../../../support/workspace.ts';

export const PACKAGE = join(import.meta.dirname, '../../../../exporters/otel');
const ROOT = join(PACKAGE, '../..');
const APPS = join(import.meta.dirname, '../apps');

export type Line = 'line-2' | 'line-2-oldest' | 'line-3';

/** Builds the package into a folder, as it is published. */
export async function buildPackage(outDir: string): Promise<void> {
  await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'node_modules/tsdown/dist/run.mjs'), '--out-dir', outDir, '--logLevel', 'error'],
    { cwd: PACKAGE },
  );
}

export interface AppResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface App {
  folder: string;
  /** Runs a program of the app to its end. */
  run: (node: string, file: string, env: Readonly<Record<string, string>>) => Promise<AppResult>;
  remove: () => void;
}

/** A customer's app: the programs of `apps/`, the built package, and OpenTelemetry in the versions of the line. */
export async function makeApp(line: Line, built: string): Promise<App> {
  const home = join(PACKAGE, 'test', line);
  await installWorkspace(home);
  const folder = mkdtempSync(join(home, 'node_modules', '.app-'));
  const installed = join(folder, 'node_modules/@touchstone/otel');
  mkdirSync(installed, { recursive: true });
  cpSync(join(PACKAGE, 'package.json'), join(installed, 'package.json'));
  cpSync(built, join(installed, 'dist'), { recursive: true });
  cpSync(APPS, folder, { recursive: true });
  return {
    folder,
    run: async (node, file, env) => {
      const child = spawn(node, [join(folder, file)], {
        env: { PATH: process.env['PATH'] ?? '', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let [stdout, stderr] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, stdout, stderr };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

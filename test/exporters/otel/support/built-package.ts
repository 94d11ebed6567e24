import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installWorkspace } from '../../../support/workspace.ts';

export const PACKAGE = join(import.meta.dirname, '../../../../exporters/otel');
/** The package as `npm run build` has built it, which Vitest sees to before all tests. */
export const BUILT = join(PACKAGE, 'dist');
const APPS = join(import.meta.dirname, '../apps');

export type Line = 'line-2' | 'line-2-oldest' | 'line-3';
/** Folders of exporters/otel/test, each with a set of packages that the tests install. */
export type Packages = Line | 'bundlers' | 'edge' | 'frameworks' | 'next' | 'vendors';

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

/** A customer's app: the programs of `apps/`, the built package, and OpenTelemetry in the versions of the line, or the packages of another folder. */
export async function makeApp(packages: Packages): Promise<App> {
  const home = join(PACKAGE, 'test', packages);
  await installWorkspace(home);
  // Next.js builds no app below node_modules.
  const folder = mkdtempSync(join(home, packages === 'next' ? '' : 'node_modules', '.app-'));
  const installed = join(folder, 'node_modules/touchstone-otel');
  mkdirSync(installed, { recursive: true });
  cpSync(join(PACKAGE, 'package.json'), join(installed, 'package.json'));
  cpSync(BUILT, join(installed, 'dist'), { recursive: true });
  cpSync(APPS, folder, { recursive: true });
  return {
    folder,
    run: async (node, file, env) => {
      const child = spawn(node, [join(folder, file)], {
        cwd: folder,
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

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PACKAGE } from './built-package.ts';

const SOURCE = join(PACKAGE, 'src');

/** Lines at the start of an app that loads the package's sources. */
export const IMPORTS = `
import { trace } from '@opentelemetry/api';
import { register } from '${SOURCE}/register.ts';
import { withTest } from '${SOURCE}/test-context.ts';
`;

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A program of a customer, with nothing in its environment but what is given. */
export class SourceApp {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  #stdout = '';
  #stderr = '';

  constructor(program: string, env: Readonly<Record<string, string>>, flags: readonly string[] = []) {
    this.child = spawn(process.execPath, [...flags, '--input-type=module', '-e', IMPORTS + program], {
      cwd: PACKAGE,
      // Programs that are killed would be reported by those of other tests.
      env: { PATH: process.env['PATH'], TOUCHSTONE_STATE_DIR: 'off', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
    this.ended = once(this.child, 'close').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      stdout: this.#stdout,
      stderr: this.#stderr,
    }));
  }

  get stdout(): string {
    return this.#stdout;
  }
}

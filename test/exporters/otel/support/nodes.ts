import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The program of a Node 20 that the package supports. Throws when the machine's PATH has none. */
export function findNode20(): string {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const programs = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .filter((program) => existsSync(program));
  const found = programs.find((program) => {
    const [major = 0, minor = 0] = execFileSync(program, ['--version'], { encoding: 'utf8' })
      .trim()
      .slice(1)
      .split('.')
      .map(Number);
    return major === 20 && minor >= 19;
  });
  if (found === undefined) {
    throw new Error('These tests need a Node 20 (20.19 or newer) on the PATH beside the one of the project');
  }
  return realpathSync(found);
}

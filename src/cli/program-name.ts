import { basename, relative } from 'node:path';

/** Returns the command that starts this program again from the current folder. `script` is the file that runs. */
export function programName(
  script: string,
  env: Readonly<Record<string, string | undefined>>,
  folder = process.cwd(),
): string {
  if (env['npm_lifecycle_event'] === 'start') return 'npm start --';
  if (basename(script) === 'touchstone') return 'touchstone';
  return `node ${relative(folder, script) || script}`;
}

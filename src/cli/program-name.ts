import { basename, relative } from 'node:path';

/** How a person would call this program again, from where it was called: `script` is the file that runs. */
export function programName(
  script: string,
  env: Readonly<Record<string, string | undefined>>,
  folder = process.cwd(),
): string {
  if (env['npm_lifecycle_event'] === 'start') return 'npm start --';
  if (basename(script) === 'touchstone') return 'touchstone';
  return `node ${relative(folder, script) || script}`;
}

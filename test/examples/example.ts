/** The examples as a reader finds them: a README with commands, and what they answer. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { BUILT } from '../exporters/otel/support/built-package.ts';
import { installWorkspace, takeTurn } from '../support/workspace.ts';

export const EXAMPLES = join(import.meta.dirname, '../../examples');

const MAX_RUN_MS = 200_000;
/** Time limit of exporters, for which a busy server may need more than the default of 5 s: ms for Node.js, s for Python. */
export const EXPORT_TIMEOUT = { OTEL_EXPORTER_OTLP_TIMEOUT: '100000' };

export interface Readme {
  /** What installs the packages of the example, or those that a reader's app needs. */
  installCommands: string[];
  /** What runs the example, line after line. */
  script: string;
  /** What the README shows of the answer. */
  excerpt: unknown;
}

export function readReadme(example: string): Readme {
  const text = readFileSync(join(EXAMPLES, example, 'README.md'), 'utf8');
  const blocks = (language: string): string[] =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) =>
      block.trimEnd(),
    );
  const commands = blocks('sh');
  const isInstall = (command: string): boolean => /^(?:npm|pip) /.test(command);
  return {
    installCommands: commands.filter(isInstall),
    script: commands.filter((command) => !isInstall(command)).join('\n'),
    excerpt: JSON.parse(blocks('json').join('')) as unknown,
  };
}

/**
 * Installs what the example's lock file says, and the exporter package as it is built now. A package that is current
 * stays: a test in another process may be running it.
 */
export async function installExample(example: string): Promise<void> {
  const folder = join(EXAMPLES, example);
  await installWorkspace(folder);
  const dist = join(folder, 'node_modules/touchstone-otel/dist');
  if (isCurrent(dist)) return;
  const release = await takeTurn(join(folder, '.installing'));
  try {
    // Another process may have had the turn before.
    if (isCurrent(dist)) return;
    rmSync(dist, { recursive: true, force: true });
    cpSync(BUILT, dist, { recursive: true });
  } finally {
    release();
  }
}

/** Reports whether a folder has every file of the built exporter package. */
function isCurrent(dist: string): boolean {
  const files = globSync('**/*', { cwd: BUILT }).filter((file) => statSync(join(BUILT, file)).isFile());
  return files.every((file) => {
    const installed = join(dist, file);
    return existsSync(installed) && readFileSync(installed).equals(readFileSync(join(BUILT, file)));
  });
}

/** Runs shell commands in a folder and gives back what they print. Rejects with all of it when one fails. */
export async function runInShell(
  script: string,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
    cwd: folder,
    env: { PATH: path, HOME: process.env['HOME'], ...EXPORT_TIMEOUT, ...env },
    timeout: MAX_RUN_MS,
  });
  return stdout;
}

/** Returns the commands of the example `evaluate`, which tests its app once that listens. */
export const evaluateScript = (): string =>
  readReadme('evaluate').script.replace(
    '\nnode evaluate.ts',
    (command) =>
      `\nuntil (: < /dev/tcp/127.0.0.1/$PORT) 2> /dev/null; do kill -0 $!; sleep 0.1; done${command}`,
  );

/** Returns the shell commands of a page, a text for each block. */
export const shellBlocks = (markdown: string): string[] =>
  [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block.trimEnd());

/** The commands of the chapter for all webhook examples: one block to configure, one to run a test. */
export function webhookCommands(): string[] {
  const readme = readFileSync(join(EXAMPLES, 'README.md'), 'utf8');
  const chapter = readme.slice(readme.indexOf('\n## Tests by webhook\n'));
  return shellBlocks(chapter);
}

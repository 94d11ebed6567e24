// Types of all sources, each by the options of its nearest tsconfig.json, with a fraction of the time and memory of the linter
// that knows types: each project has one checker.
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { run } from './run.mjs';

const ROOT = dirname(import.meta.dirname);
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
const OPTIONS = ['--noEmit', '--singleThreaded', '--pretty', 'false', '--project'];
const PROJECTS = ['.', 'src/dashboard', 'exporters/otel', 'exporters/client'];

/** Returns the folder of the project that a file belongs to. */
function projectOf(file) {
  const folder = dirname(resolve(ROOT, file));
  let found = folder;
  while (!existsSync(join(found, 'tsconfig.json')) && found !== dirname(found)) found = dirname(found);
  return relative(ROOT, found) || '.';
}

/** Splits the output of the compiler into diagnostics: a line that begins without a space, and the indented ones below it. */
const diagnosticsIn = (output) => output.split(/\n(?=\S)/).filter((text) => text.trim() !== '');

let failed = false;
for (const project of PROJECTS) {
  const args = [COMPILER, ...OPTIONS, project];
  const { code, output, received } = await run(process.execPath, args, { capture: true, cwd: ROOT });
  if (received) process.exit(code);
  const diagnostics = diagnosticsIn(output);
  // A file that another project imports is checked there too, with options that are not its own.
  const isForeign = (text) => {
    const [, file] = /^(.+?)\(\d+,\d+\): error /.exec(text) ?? [];
    return file !== undefined && projectOf(file) !== project;
  };
  const own = diagnostics.filter((text) => !isForeign(text));
  if (own.length > 0) console.log(own.join('\n').trimEnd());
  if (own.length > 0 || (code !== 0 && diagnostics.length === 0)) failed = true;
}
process.exitCode = failed ? 1 : 0;

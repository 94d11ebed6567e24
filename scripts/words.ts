// Checks the words of names, comments, messages and pages: `npm run words`.
// `npm run words -- --sample <seed>` prints the names and comments of ten files instead. Who reads them should be able to
// say what each file does; the code of the file shows whether that was right.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Excuses } from './words/excuses.ts';
import { findingsOf } from './words/findings.ts';
import { choose, outline } from './words/outline.ts';

const FOLDERS = ['src', 'exporters', 'bench', 'scripts', 'test', 'examples', 'docs'];
const PAGES = ['README.md', 'CONTRIBUTING.md'];
/** Generated from the OpenAPI document, checker's own lists, and lists of the words that others use. */
const LEFT_OUT = /^src\/api\/generated\/|^scripts\/words\/|^test\/scripts\/words/;
const EXCUSES = new URL('words/excuses.txt', import.meta.url);

const { values } = parseArgs({ options: { sample: { type: 'string' }, count: { type: 'boolean' } } });
const listed = execFileSync('git', ['ls-files', '-z', ...FOLDERS, ...PAGES], { encoding: 'utf8' }).split(
  '\0',
);
// Git lists deleted files until that is staged.
const paths = listed.filter(
  (path) => /\.(?:tsx?|mjs|md|py)$/.test(path) && !LEFT_OUT.test(path) && existsSync(path),
);

if (values.sample === undefined) check();
else sample(values.sample);

function check(): void {
  const files = new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]));
  const excuses = new Excuses(readFileSync(EXCUSES, 'utf8'));
  const findings = findingsOf(files, excuses);
  const unused = excuses.unused();
  if (values.count !== true) {
    for (const { category, text } of findings) console.log(`${category}: ${text}`);
    for (const excuse of unused) console.log(`unused excuse: ${excuse}`);
  }
  const counts = ['doc comment', 'glossary', 'message'].map(
    (name) => `${name} ${findings.filter(({ category }) => category === name).length}`,
  );
  console.log(`findings: ${counts.join(', ')}, unused excuses ${unused.length}`);
  if (findings.length + unused.length > 0) process.exitCode = 1;
}

function sample(seed: string): void {
  const sources = paths.filter((path) => path.startsWith('src/') && /\.tsx?$/.test(path));
  for (const path of choose(sources, 10, seed)) console.log(`${outline(path, readFileSync(path, 'utf8'))}\n`);
}

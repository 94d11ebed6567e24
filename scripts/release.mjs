// Makes all files of a release in release/: the program for this platform, the packages, the list of components, and
// their checksums. It checks first what can be checked without a second program; `.ci/run` has tested the commit before.
//
//   npm run release              the commit must be complete, and CHANGELOG.md must name the version
//   npm run release -- --draft   also with changes that are not committed
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findOtherVersions, versionOf } from './release/versions.ts';
import { run } from './run.mjs';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

const FOLDER = 'release';
const { values } = parseArgs({ options: { draft: { type: 'boolean', default: false } } });
const version = versionOf('.');

const obstacles = await findObstacles();
if (obstacles.length > 0) {
  console.error(obstacles.join('\n'));
  process.exit(1);
}
for (const script of ['scripts/check.mjs', 'scripts/test-binary.mjs', 'scripts/pack.mjs']) {
  const { code } = await run(process.execPath, [
    script,
    ...(script === 'scripts/check.mjs' ? ['--quick'] : []),
  ]);
  if (code !== 0) process.exit(code);
}
collect();
console.log(`\nThe files of version ${version} are in ${FOLDER}/:`);
console.log(readFileSync(join(FOLDER, 'SHA256SUMS'), 'utf8'));
console.log(`Tag the commit: git tag --sign v${version} --message "Touchstone ${version}"`);

async function findObstacles() {
  const found = findOtherVersions('.');
  if (values.draft) return found;
  const { output } = await run('git', ['status', '--porcelain'], { capture: true });
  if (output.trim() !== '') found.push(`There are changes that are not committed:\n${output.trimEnd()}`);
  if (!readFileSync('CHANGELOG.md', 'utf8').includes(`\n## [${version}] – `))
    found.push(`CHANGELOG.md has no heading "## [${version}] – <date>"`);
  return found;
}

function collect() {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  const program = `touchstone-${version}-${process.platform}-${process.arch}`;
  copyFileSync('dist/touchstone', join(FOLDER, program));
  copyFileSync('dist/touchstone.cdx.json', join(FOLDER, `touchstone-${version}.cdx.json`));
  for (const file of readdirSync('packages'))
    if (file !== 'index.json') copyFileSync(join('packages', file), join(FOLDER, file));
  const sums = readdirSync(FOLDER).map((file) => {
    const hash = createHash('sha256')
      .update(readFileSync(join(FOLDER, file)))
      .digest('hex');
    return `${hash}  ${file}\n`;
  });
  writeFileSync(join(FOLDER, 'SHA256SUMS'), sums.join(''));
}

/** Each file of tests is in one part of the suite, and the page for contributors says in which. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { COMMANDS, type Part, partOf, testFiles } from '../support/parts.ts';
import config from '../../vitest.config.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Starts only `cat`, which every system has. */
const EVERYWHERE = ['test/support/folder-bytes.ts'];
/** Sources that would not run on macOS, or need another program. */
const UNPORTABLE = /runIf|skipIf|\/proc\/|node:child_process|scripts\/suite\/needs/;

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

it('each file of tests is in one project of vitest', () => {
  const projects = (config.test?.projects ?? []) as { test: { include: string[] } }[];
  expect(projects.flatMap(({ test }) => test.include).toSorted()).toEqual(testFiles());
});

/** Folders whose files belong to a part by their folder. */
function foldersOf(part: Part): string[] {
  const isNamed = /\.(?:unit|long|process|linux|root|nightly)\.test\.ts$/;
  const files = testFiles().filter((file) => partOf(file) === part && !isNamed.test(file));
  return [...new Set(files.map((file) => file.split('/').slice(1, -1)[0] ?? 'the files in `test` itself'))];
}

it('CONTRIBUTING.md lists the folders of each command', () => {
  const rows = (['quick', 'all', 'nightly'] as const).map(
    (part) => `| \`${COMMANDS[part]}\` | ${foldersOf(part).toSorted().join(', ')} |`,
  );
  const [, table] =
    /\| Command \| Folders in `test` \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(read('CONTRIBUTING.md')) ?? [];
  expect(table).toBe(`${rows.join('\n')}\n`);
});

const texts = new Map<string, string>();
function textOf(file: string): string {
  const text = texts.get(file) ?? read(file);
  texts.set(file, text);
  return text;
}

/** Returns the files of `test` and `scripts` that a file loads, with itself. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !existsSync(join(ROOT, file))) return seen;
  seen.add(file);
  const imports = /^(?:import|export) (?!type )[^;]*?'(\.[^']+\.m?[jt]s)';/gm;
  for (const [, path = ''] of textOf(file).matchAll(imports)) {
    const loaded = resolve('/', dirname(file), path).slice(1);
    if (!loaded.startsWith('src/')) loadedBy(loaded, seen);
  }
  return seen;
}

it('a test of `npm test` starts no program, needs no Linux, and is not skipped anywhere', () => {
  const faults = testFiles()
    .filter((file) => partOf(file) === 'quick' && !import.meta.filename.endsWith(file))
    .flatMap((file) =>
      [...loadedBy(file)]
        .filter((loaded) => !EVERYWHERE.includes(loaded) && UNPORTABLE.test(textOf(loaded)))
        .map((loaded) => `${file}: ${loaded}`),
    );
  expect(faults, 'a file that needs more is named *.process.test.ts or *.linux.test.ts').toEqual([]);
});

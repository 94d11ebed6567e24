import type { Said } from '../cli/store-situations.expected.ts';

/** The text of `docs/store-states.md`. */
export const situationsPage = (expected: Readonly<Record<string, Readonly<Record<string, Said>>>>): string =>
  [
    '# States of a data folder',
    '',
    'What `doctor`, `verify` and `migrate status` say about a data folder, each with its exit code. None of the three changes',
    'anything in the folder: no file, no size and no time; nor does `verify --deep`, which is shown where it says something else',
    'than `verify`. `verify --repair` alone changes a store. A stopped store is read as it is; one whose log has commits that the',
    'database lacks, as after `kill -9`, is copied to the folder of `TMPDIR` first. While a server runs they read one snapshot',
    'as any other reader. `N` is the schema of this version; lines of `doctor` about the machine are left out. A test makes each',
    'of these folders and compares the text.',
    ...Object.entries(expected).flatMap(([what, said]) => [
      '',
      `## ${what}`,
      '',
      '```text',
      ...Object.entries(said).flatMap(([command, [code, text]]) => [
        `$ touchstone ${command} --data-dir data   # exit code ${code}`,
        text,
      ]),
      '```',
    ]),
    '',
  ].join('\n');

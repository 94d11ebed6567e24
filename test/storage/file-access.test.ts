import { expect, it } from 'vitest';
import { sourcesOf } from '../support/sources.ts';

/** Functions of node:fs that open a file, or replace or remove it. */
const OPENS =
  /^(open|readFile|writeFile|appendFile|copyFile|cp|truncate|link|symlink|rename|rm|unlink)(Sync)?$|^create(Read|Write)Stream$|^openAsBlob$/;

/** Why a source may open files: none of them opens a database to which its process has a connection. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/storage/sqlite/open-stores.ts':
    'opened before the first connection of the process, closed after the last one',
  'src/storage/sqlite/inspect.ts':
    'called before the first connection; does nothing in a process that has one',
  'src/storage/sqlite/log-frames.ts': 'the same, called by inspect.ts and by commands that only read',
  'src/storage/sqlite/store-hold.ts': 'files of /proc that describe descriptors',
  'src/storage/sqlite/snapshot.ts': 'a snapshot, before and after SQLite writes it',
  'src/storage/sqlite/copy-files.ts': 'a store that no program has open, which is copied as bytes',
  'src/storage/sqlite/copy-folder.ts': 'a store that no process has open: the folder is locked',
  'src/storage/sqlite/copy-store.ts': 'a backup, closed after the connections to it',
  'src/storage/sqlite/read-store.ts': 'a private copy of a store that no process has open',
  'src/storage/postgres/connect.ts': 'certificates',
  'src/storage/sqlite/backup-file.ts': 'a backup that is read as bytes',
  'src/server/read-upload.ts': 'an upload in a file of its own, without a name',
  'src/runtime/secrets.ts': 'secret.key',
  'src/runtime/open-files.ts': 'files of /proc',
  'src/runtime/assets.ts': 'files of the program',
  'src/evaluate/judge/recordings.ts': 'recordings of a judge',
  'src/cli/backup.ts': 'the file of the backup',
  'src/cli/database.ts': 'the file with the address of the database',
  'src/cli/data-folder.ts': 'a probe of the folder',
  'src/cli/first-key.ts': 'first-key',
  'src/cli/setup-link.ts': 'setup-link',
  'src/cli/users.ts': 'the address of the running server',
  'src/cli/evidence.ts': 'the file of the evidence',
  'src/cli/judges-check.ts': 'the file of the judges',
  'src/cli/export.ts': 'the file of the export',
  'src/cli/import.ts': 'the file that is imported',
  'src/cli/otlp-file.ts': 'the file that is imported',
  'src/cli/present-key.ts': 'secret.key',
  'src/cli/read-json-file.ts': 'the files of the judges and of the prices',
  'src/cli/replace-store.ts': 'the folder, and a store that no process has open: the folder is locked',
  'src/cli/restore.ts': 'a copy that is not the store yet',
  'src/cli/rollback.ts': 'exports, and a snapshot that is not the store yet',
  'src/cli/serve-command.ts': 'first-key',
  'src/cli/test-command.ts': 'a report',
  'src/cli/verify.ts': 'a backup that nothing needs, after its connections',
  'src/cli/write-secret.ts': 'setup-link and first-key',
};

/** Names that a source imports from node:fs. */
const importedFromFs = (source: string): string[] =>
  [
    ...source.matchAll(
      /import\s+(?:\w+\s*,\s*)?(\{[^}]*\}|\* as \w+|\w+)\s+from '(?:node:)?fs(?:\/promises)?'/g,
    ),
  ].flatMap(([, names = '']) =>
    names.startsWith('{')
      ? names
          .slice(1, -1)
          .split(',')
          .map((name) => name.trim().split(' ')[0] ?? '')
      : ['everything'],
  );

it('only the sources listed here open files, each for a reason: closing a database releases the locks of the process', () => {
  const openers = [...sourcesOf('src')]
    .filter(([, source]) => importedFromFs(source).some((name) => name === 'everything' || OPENS.test(name)))
    .map(([path]) => path);
  expect(openers.toSorted()).toEqual(Object.keys(ALLOWED).toSorted());
});

it('threads of a store open it by SQLite alone', () => {
  const sources = sourcesOf('src/workers');
  for (const [path, source] of sources)
    expect(
      importedFromFs(source).filter((name) => OPENS.test(name)),
      path,
    ).toEqual([]);
  const open = sourcesOf('src/storage/sqlite').get('src/storage/sqlite/open.ts') ?? '';
  const [, migrating = ''] = open.split('export function migrateStore');
  expect(
    open.match(/inspectStore\(/g),
    'one call, in what only the first opening of a process calls',
  ).toHaveLength(1);
  expect(migrating).toContain('inspectStore(file)');
});

import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commands, queries } from '../../src/operations.ts';
import { type Read, queriesOf, type Write } from '../../src/storage/calls.ts';
import type { Database } from '../../src/storage/database.ts';
import { rewriteCommands } from '../../src/traces/operations.ts';
import { ROOT } from '../support/sources.ts';

/** Commands that a rewrite names itself, because it also runs them without a writer. */
const CALLED_BY_REWRITES = Object.keys(rewriteCommands);

it('every operation has a name to call it by, and every such name has an operation', async () => {
  const files = globSync('src/**/calls.ts', { cwd: ROOT }).filter(
    (file) => file !== join('src/storage/calls.ts'),
  );
  const modules = await Promise.all(
    files.map((file) => import(join(ROOT, file)) as Promise<Record<string, string>>),
  );
  const names = modules.flatMap((exported) => Object.values(exported));
  const operations = [...Object.keys(commands), ...Object.keys(queries)];
  expect(names.toSorted()).toEqual(
    operations.filter((name) => !CALLED_BY_REWRITES.includes(name)).toSorted(),
  );
});

it('a name is that of its constant, also under another name', () => {
  const { countThings: renamed } = queriesOf<{ countThings: () => number }>();
  expect(renamed).toBe('countThings');
});

it('only the arguments and the kind of an operation are accepted', () => {
  const { find } = queriesOf<{ find: (database: Database, args: { id: string }) => number }>();
  const calls = (read: Read, write: Write): Promise<unknown>[] => [
    read(find, { id: 'a' }),
    // @ts-expect-error: the argument is a text.
    read(find, { id: 1 }),
    // @ts-expect-error: a query is no command.
    write(find, { id: 'a' }),
  ];
  expect(calls).toHaveLength(2);
});

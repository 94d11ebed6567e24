import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkArchitecture } from './support/architecture.ts';
import { repeatedNames, unusedExcuses } from './support/exported-names.ts';
import { ROOT, sourcesOf } from './support/sources.ts';
import { checkTableWrites, ownersOf } from './support/table-owners.ts';

describe('the layout', () => {
  it('is kept by every source', () => {
    const folders = readdirSync(ROOT).filter((name) => name === 'src' || name === 'exporters');
    const sources = new Map(folders.flatMap((folder) => [...sourcesOf(folder)]));
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };

    expect(sources.size).toBeGreaterThan(0);
    expect(checkArchitecture(sources, Object.keys(dependencies))).toEqual([]);
  });
});

describe('an exported name', () => {
  const check = (files: Record<string, string>): string[] => repeatedNames(new Map(Object.entries(files)));
  const one = 'export const one = 1;';

  it('means one thing', () => {
    const sources = new Map(['src', 'exporters'].flatMap((folder) => [...sourcesOf(folder)]));
    expect(repeatedNames(sources)).toEqual([]);
    expect(unusedExcuses(sources)).toEqual([]);
  });

  it.each<[what: string, files: Record<string, string>]>([
    ['a value and a type', { 'src/jobs/a.ts': one, 'src/traces/b.ts': 'export type one = 1;' }],
    ['a list of exports', { 'src/jobs/a.ts': one, 'src/traces/b.ts': 'const one = 2; export { one };' }],
    ['a call of another folder', { 'src/jobs/calls.ts': one, 'src/traces/b.ts': one }],
    ['two files of an exporter', { 'exporters/otel/src/a.ts': one, 'exporters/otel/src/b.ts': one }],
  ])('is found in two files: %s', (_what, files) =>
    expect(check(files)).toEqual([
      `one is exported by ${Object.keys(files).join(' and ')}: merge them, or say in the names which is which`,
    ]),
  );

  it.each<[what: string, files: Record<string, string>]>([
    ['a call and its function', { 'src/jobs/calls.ts': one, 'src/jobs/claim.ts': one }],
    ['an export of an import', { 'src/jobs/a.ts': one, 'src/jobs/b.ts': `export { one } from './a.ts';` }],
    ['two programs', { 'src/jobs/a.ts': one, 'exporters/otel/src/a.ts': one }],
  ])('may stand in two files: %s', (_what, files) => expect(check(files)).toEqual([]));
});

describe('the tables', () => {
  const schema = 'src/storage/sqlite/schema';
  const files = new Map(
    [...sourcesOf(schema, /\.sql$/)].map(([path, sql]) => [path.slice(schema.length + 1), sql]),
  );

  it('have a file for each module that owns some, and no other', () => {
    const source = readFileSync(join(ROOT, 'src/storage/sqlite/schema.ts'), 'utf8');
    const named = [...source.matchAll(/^ {2}'([\w/-]+)',$/gm)].map(([, owner]) => `${owner}.sql`);
    expect(named.toSorted()).toEqual([...files.keys()].toSorted());
  });

  it('name the application, but for accounts, organisations and what the process keeps for itself', () => {
    const tables = [...files.values()].flatMap((sql) => [...sql.matchAll(/^CREATE TABLE (\w+) \(([^;]*)/gm)]);
    const others = tables.filter(([, , columns = '']) => !/^ {2}application INTEGER\b/m.test(columns));
    expect(new Set(others.map(([, table]) => table))).toEqual(
      new Set([
        'user_account',
        'sign_in_failure',
        'user_login',
        'known_browser',
        'setup_link',
        'organisation',
        'job_lease',
        'monitoring',
        'session_monitoring',
        'ordinal',
      ]),
    );
  });

  it('are written by their owners', () => {
    expect(checkTableWrites(sourcesOf('src'), ownersOf(files))).toEqual([]);
  });

  it.each<[what: string, source: string, found: string[]]>([
    ['an INSERT', `run('INSERT OR IGNORE INTO tag (id) VALUES (?)');`, ['tag']],
    ['an UPDATE', 'run(`UPDATE tag SET name = ? WHERE ${where}`);', ['tag']],
    ['an upsert', `run('INSERT INTO tag (id) VALUES (?) ON CONFLICT DO UPDATE SET id = 1');`, ['tag']],
    ['a DELETE', 'run(`DELETE FROM\n  tag`);', ['tag']],
    ['a verb of a variable', 'run(`${verb} INTO tag (id) VALUES (?)`);', ['tag']],
    ['a table of a variable', 'run(`DELETE FROM ${table}`);', ['…']],
    ['a record', `export const tag = record('tag', 'Tag', {});`, ['tag']],
    ['a table', `const tag = table('tag', 'Tag', {});`, ['tag']],
    ['a read', 'all(`SELECT id FROM tag`);', []],
    ['a comment', '// UPDATE tag SET a = 1', []],
  ])('written by another module are found: %s', (_what, source, tables) => {
    const owners = new Map([
      ['tag', 'src/resources/tags/'],
      ['job', 'src/jobs/'],
    ]);
    const check = (path: string): string[] => checkTableWrites(new Map([[path, source]]), owners);
    expect(check('src/jobs/a.ts').map((line) => line.split(' ')[2])).toEqual(
      tables.map((table) => `${table},`),
    );
    expect(check('src/resources/tags/a.ts')).toHaveLength(tables.includes('…') ? 1 : 0);
  });

  it('are changed by no other module by way of their record', () => {
    const sources = new Map([
      ['src/resources/tags/record.ts', `export const tags = record('tag', 'Tag', {});`],
      [
        'src/jobs/a.ts',
        `import { tags } from '../resources/tags/record.ts'; tags.update(database, key, {});`,
      ],
      ['src/jobs/b.ts', `import { tags } from '../resources/tags/record.ts'; tags.get(database, key);`],
    ]);
    expect(checkTableWrites(sources, new Map([['tag', 'src/resources/tags/']]))).toEqual([
      'src/jobs/a.ts writes tag, which src/resources/tags/ owns',
    ]);
  });
});

describe('the checker', () => {
  const store = 'export const store = 1;';
  const check = (files: Record<string, string>): string[] =>
    checkArchitecture(new Map(Object.entries(files)), ['fastify', 'zod', '@fastify/cors', 'better-sqlite3']);

  it('allows what the layout allows', () => {
    const found = check({
      'src/main.ts': `import { serve } from './cli/serve.ts'; serve(process.env);`,
      'src/cli/serve.ts': `import { build } from '../server.ts'; export const serve = (env: unknown) => build;`,
      'src/server.ts': `import cors from '@fastify/cors'; import { tags } from './resources/tags/routes.ts';
        import { readFile } from 'node:fs/promises'; export const build = [cors, tags, readFile];`,
      'src/resources/tags/routes.ts': `import { Tag } from './contract.ts'; import { Doc } from '../docs/contract.ts';
        export const tags = [Tag, Doc];`,
      'src/resources/tags/contract.ts': `import { z } from 'zod'; export const Tag = z.string();`,
      'src/resources/docs/contract.ts': `import { AppError } from '../../errors.ts'; export const Doc = AppError;`,
      'src/errors.ts': `export class AppError extends Error {}`,
      'src/config.ts': `export const read = () => process.env.PORT;`,
      'src/workers/writer.ts': `import { store } from '../storage/store.ts'; store;`,
      'src/storage/store.ts': store,
      'src/cli/data-folder.ts': `import { open } from '../storage/sqlite/open.ts'; open;`,
      'src/storage/sqlite/open.ts': `import Sqlite from 'better-sqlite3'; export const open = Sqlite;`,
    });
    expect(found).toEqual([]);
  });

  it.each<[rule: string, files: Record<string, string>, violation: string]>([
    [
      'an import upwards',
      {
        'src/storage/a.ts': `import { b } from '../traces/b.ts'; b;`,
        'src/traces/b.ts': 'export const b = 1;',
      },
      'src/storage/a.ts imports src/traces/b.ts: storage may not import traces',
    ],
    [
      'an import of a type upwards',
      {
        'src/jobs/a.ts': `import type { B } from '../evaluate/b.ts'; export type A = B;`,
        'src/evaluate/b.ts': 'export type B = 1;',
      },
      'jobs may not import evaluate',
    ],
    [
      'an import() upwards',
      { 'src/storage/a.ts': `await import('../server.ts');`, 'src/server.ts': store },
      'storage may not import server',
    ],
    [
      'an import type upwards',
      {
        'src/storage/a.ts': `export type A = import('../server.ts').B;`,
        'src/server.ts': 'export type B = 1;',
      },
      'storage may not import server',
    ],
    [
      'an import from the room beside',
      { 'src/deliver/a.ts': `export * from '../ingest/b.ts'; let a;`, 'src/ingest/b.ts': store },
      'deliver may not import ingest',
    ],
    [
      'an import of another resource',
      {
        'src/resources/tags/store.ts': `import { store } from '../docs/store.ts'; store;`,
        'src/resources/docs/store.ts': store,
      },
      'of docs only its contract, record and examples: it is not below tags',
    ],
    [
      'a dashboard that imports the server',
      {
        'src/dashboard/a.tsx': `import { store } from '../contract/b.ts'; store;`,
        'src/contract/b.ts': store,
      },
      'the dashboard may not import contract',
    ],
    ['a dashboard that imports Node', { 'src/dashboard/a.tsx': `import 'node:fs';` }, 'runs in a browser'],
    [
      'a dashboard with another package',
      { 'src/dashboard/a.tsx': `import 'zod';` },
      'dashboard/ may import @base-ui',
    ],
    [
      'a worker that imports the command line',
      { 'src/workers/w.ts': `import { store } from '../cli/c.ts'; store;`, 'src/cli/c.ts': store },
      'workers may not import main',
    ],
    [
      'a cycle, of types too',
      {
        'src/traces/a.ts': `import { b } from './b.ts'; export const a = b;`,
        'src/traces/b.ts': `import type { C } from './c.ts'; export const b: C = 1;`,
        'src/traces/c.ts': `import type { a } from './a.ts'; export type C = typeof a;`,
      },
      'cycle: src/traces/a.ts → src/traces/b.ts → src/traces/c.ts → src/traces/a.ts',
    ],
    [
      'an import of the engine',
      {
        'src/jobs/a.ts': `import { open } from '../storage/sqlite/open.ts'; open;`,
        'src/storage/sqlite/open.ts': `export const open = 1;`,
      },
      'jobs may not choose the engine',
    ],
    [
      'an import of the engine beside it',
      {
        'src/storage/a.ts': `import { open } from './sqlite/open.ts'; open;`,
        'src/storage/sqlite/open.ts': `export const open = 1;`,
      },
      'storage may not choose the engine',
    ],
    [
      'an import of its driver',
      { 'src/ingest/a.ts': `import Sqlite from 'better-sqlite3'; Sqlite;` },
      'only src/storage/sqlite/ may import it',
    ],
    ['an index file', { 'src/traces/index.ts': store }, 'is a barrel'],
    [
      'a file that only exports again',
      { 'src/traces/all.ts': `import { store } from './a.ts'; export { store };`, 'src/traces/a.ts': store },
      'src/traces/all.ts is a barrel',
    ],
    ['a long file', { 'src/traces/a.ts': '// line\n'.repeat(401) }, 'has 401 lines'],
    ['a file outside every room', { 'src/helpers/a.ts': store }, 'src/helpers/a.ts is in no room'],
    ['a file in src/ that is no room', { 'src/utils.ts': store }, 'src/utils.ts is in no room'],
    ['process.env', { 'src/traces/a.ts': `export const a = process.env['A'];` }, 'reads process.env'],
    ['process.env in brackets', { 'src/traces/a.ts': `globalThis.process['env'];` }, 'reads process.env'],
    ['process.env taken apart', { 'src/traces/a.ts': `const { env } = process;` }, 'reads process.env'],
    [
      'process.env imported',
      { 'src/traces/a.ts': `import { env as e } from 'node:process';` },
      'reads process.env',
    ],
    [
      'a package not asked for',
      { 'src/traces/a.ts': `import 'undici/types';` },
      'imports undici/types: not in the dep',
    ],
    ['a module of Node without node:', { 'src/traces/a.ts': `import 'fs';` }, 'with node:'],
    ['a package in contract/', { 'src/contract/a.ts': `import 'fastify';` }, 'contract/ may import zod only'],
    [
      'a module of Node in a module for browsers',
      { 'src/span-index/a.ts': `import 'node:fs';` },
      'browsers have neither packages nor modules of Node',
    ],
    ['an import from outside src/', { 'src/traces/a.ts': `import '../../test/b.ts';` }, 'outside src/'],
    ['an import of nothing', { 'src/traces/a.ts': `import './b.js';` }, 'no such file'],
    [
      'an exporter that knows the server',
      { 'exporters/otel/src/a.ts': `import '../../../src/errors.ts';`, 'src/errors.ts': store },
      'exporters know nothing of src/',
    ],
    [
      'a client that knows more of the server than its API',
      { 'exporters/client/src/a.ts': `import '../../../src/errors.ts';`, 'src/errors.ts': store },
      'exporters know nothing of src/',
    ],
  ])('catches %s', (_definition, files, violation) => {
    expect(check(files).join('\n')).toContain(violation);
  });

  it('is not fooled by comments and strings', () => {
    const source = `// import '../server.ts'; process.env\nexport const a = "import '../server.ts'; process.env";`;
    expect(check({ 'src/traces/a.ts': source })).toEqual([]);
  });
});

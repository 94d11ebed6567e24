import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './support/sources.ts';

/** File in which the code of each thread begins. */
const ENTRIES = {
  main: 'src/main.ts',
  prepare: 'src/workers/prepare.ts',
  writer: 'src/workers/writer.ts',
  reader: 'src/workers/reader.ts',
  evaluate: 'src/workers/evaluate.ts',
  dashboard: 'src/dashboard/main.tsx',
} as const;
type Entry = keyof typeof ENTRIES;

interface Row {
  /** Files of the row, from the root of the repository. */
  files: string[];
  /** Cell of the column `Thread`; undefined for tables without one. */
  thread: string | undefined;
}

const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');

/** A name without a folder is beside the file before it. */
function filesOf(cell: string): string[] {
  let folder = '';
  return [...cell.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name = '']) => {
    const beside = posix.join(folder, name);
    const file = folder !== '' && existsSync(join(ROOT, 'src', beside)) ? beside : name;
    folder = dirname(file);
    return `src/${file}`;
  });
}

const rows: Row[] = page.split('\n\n').flatMap((part) => {
  const [head = '', , ...lines] = part.split('\n');
  if (!head.startsWith('| File |')) return [];
  const hasThread = head.includes('| Thread |');
  return lines
    .map((line) => line.slice(2, -2).split(' | '))
    .map(([files = '', thread]) => ({ files: filesOf(files), thread: hasThread ? thread : undefined }));
});

/** Returns the files that a file imports, also when it is called for; types alone do not count. */
function importsOf(file: string): string[] {
  const source = readFileSync(join(ROOT, file), 'utf8').replaceAll(/^import type [^;]*;/gm, '');
  return [...source.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)]
    .map(([, specifier = '']) => posix.join(dirname(file), specifier))
    .filter((path) => /\.tsx?$/.test(path) && existsSync(join(ROOT, path)));
}

function reachableFrom(entry: string): Set<string> {
  const found = new Set([entry]);
  for (const file of found) for (const next of importsOf(file)) found.add(next);
  return found;
}

const reachable = Object.fromEntries(
  Object.entries(ENTRIES).map(([thread, entry]) => [thread, reachableFrom(entry)]),
) as Record<Entry, Set<string>>;

describe('docs/architecture.md', () => {
  it('names files that exist', () => {
    const files = rows.flatMap((row) => row.files);
    expect(files.length).toBeGreaterThan(70);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('names for each file a thread that runs it', () => {
    const wrong = rows.flatMap(({ files, thread }) => {
      const threads = thread === undefined ? (Object.keys(ENTRIES) as Entry[]) : [thread as Entry];
      return files.filter((file) => !threads.some((one) => reachable[one].has(file)));
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    ['prepare', 'src/server.ts'],
    ['writer', 'src/ingest/prepare.ts'],
    ['reader', 'src/ingest/receiver.ts'],
  ] as const)('would notice a file that a thread does not run: %s, %s', (thread, file) => {
    expect(reachable[thread].has(file)).toBe(false);
  });
});

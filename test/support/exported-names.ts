import { parseSync } from 'oxc-parser';

/** Names that two programs, or two builds of one, export for the same thing, because neither may import from the other, each with its reason. */
const SAME_THING: Readonly<Record<string, string>> = {
  FailureCode: 'the dashboard takes the type from the API document',
  Interval: 'the dashboard takes the type from the API document',
  Level: 'the dashboard takes the type from the API document',
  Role: 'the dashboard takes the type from the API document',
  TouchstoneSpanExporter: 'edge runtimes have a build of their own',
  TouchstoneSpanProcessor: 'edge runtimes have a build of their own',
  register: 'edge runtimes have a build of their own',
  RunType: 'the dashboard takes the type from the API document',
};

const CALLS = /^(.*\/)calls\.ts$/;

/**
 * Returns a line for each name that several files of a program export. The name of an operation in `calls.ts` is that of
 * its function in the same folder (ADR 24). Each package in `exporters/` is a program of its own.
 */
export function repeatedNames(sources: ReadonlyMap<string, string>): string[] {
  const filesOf = new Map<string, string[]>();
  for (const [path, source] of sources) {
    if (path.startsWith('src/api/generated/')) continue;
    for (const name of new Set(exportedNames(path, source))) {
      const key = `${programOf(path)} ${name}`;
      filesOf.set(key, [...(filesOf.get(key) ?? []), path]);
    }
  }
  return [...filesOf].flatMap(([key, paths]) => {
    const name = key.split(' ')[1] ?? '';
    const files = paths.filter((path) => !namesFunctionOf(path, paths));
    if (files.length < 2 || SAME_THING[name] !== undefined) return [];
    return [`${name} is exported by ${files.join(' and ')}: merge them, or say in the names which is which`];
  });
}

/** Returns the excuses for names that only one file exports. */
export function unusedExcuses(sources: ReadonlyMap<string, string>): string[] {
  const names = [...sources].flatMap(([path, source]) => [...new Set(exportedNames(path, source))]);
  return Object.keys(SAME_THING).filter((excused) => names.filter((name) => name === excused).length < 2);
}

/** Reports whether a file is a `calls.ts` beside one of the files, or above it. */
function namesFunctionOf(path: string, paths: readonly string[]): boolean {
  const folder = CALLS.exec(path)?.[1];
  return folder !== undefined && paths.some((other) => other !== path && other.startsWith(folder));
}

const programOf = (path: string): string => /^exporters\/[^/]+/.exec(path)?.[0] ?? 'src';

/** Returns the names that a file declares and exports, one with overloads several times. */
function exportedNames(path: string, source: string): string[] {
  return parseSync(path, source)
    .module.staticExports.flatMap(({ entries }) => entries)
    .filter(({ moduleRequest }) => moduleRequest === null)
    .flatMap(({ exportName }) => exportName.name ?? []);
}

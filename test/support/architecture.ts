import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { isNode, type Node, visit } from './syntax.ts';

/** Modules from the top down. A file may import from its own module and from the modules of lower lines. */
const RANKS = [
  ['main', 'workers'],
  ['server'],
  // example-data: the customer's side of example data, which the process runs itself
  ['auth', 'api', 'dashboard', 'example-data'],
  // operations: the list of what the storage threads can be asked to do
  ['operations'],
  ['people'],
  ['resources'],
  ['evaluate', 'deliver', 'ingest'],
  ['tests'],
  ['traces'],
  ['jobs'],
  ['storage'],
  // filter: the language of filter lines
  ['filter'],
  ['masking'],
  ['contract', 'config', 'runtime'],
  // span-index: a format with its reader, which pages use as well
  ['errors', 'most-similar', 'span-index', 'detect'],
];
/** Resources that others may import, the lowest first; each may import those before it, and all others may import them. */
const LOWER_RESOURCES = [
  'applications',
  'api-keys',
  'exports',
  'traces',
  'definitions',
  'evals',
  'documents',
  'examples',
  'tests',
  'tags',
  'topics',
  'tasks',
  'runs',
  'run-sets',
  'style-guides',
  'views',
  'human-annotation-queue-items',
  'results',
  'trace-examples',
  'selections',
  'webhook',
  'try-outs',
  'issue-webhook',
  'issues',
];
/** Files of a resource that any other resource may import. */
const DECLARES = /(?:^|[/-])(?:contract|record|example)\.ts$/;
/** Files in src/ itself that are modules of their own. */
const MODULE_FILES: Record<string, string> = {
  'src/main.ts': 'main',
  'src/server.ts': 'server',
  'src/operations.ts': 'operations',
  'src/auth.ts': 'auth',
  'src/config.ts': 'config',
  'src/errors.ts': 'errors',
  'src/most-similar.ts': 'most-similar',
};
const PACKAGES_OF_MODULE: Record<string, readonly string[]> = {
  contract: ['zod'],
  dashboard: [
    '@base-ui/react',
    '@tanstack/react-query',
    '@tanstack/react-router',
    'cmdk',
    'diff',
    'lucide-react',
    'openapi-fetch',
    'react',
    'react-dom',
    'react-markdown',
  ],
};
/** All of the server's code that runs in the browser too. */
const SHARED_WITH_DASHBOARD = [
  'src/api/client.ts',
  'src/api/generated/schema.ts',
  'src/span-index/reader.ts',
  'src/filter/tokens.ts',
  'src/resources/quickstarts/import-columns.ts',
];
/** The engines of the store, which only those that put the process together may name, by their drivers, which are their own. */
const ENGINES: Readonly<Record<string, string>> = {
  'better-sqlite3': 'src/storage/sqlite/',
  pg: 'src/storage/postgres/',
};
const isOfEngine = (path: string): boolean =>
  Object.values(ENGINES).some((folder) => path.startsWith(folder));
const MAY_CHOOSE_ENGINE = ['main', 'workers'];
const MAY_READ_ENV = [
  'src/config.ts',
  'src/main.ts',
  'src/storage/engine.ts',
  'src/storage/sqlite/temporary-files.ts',
];
/** Modules that run in browsers too: they import nothing of Node. */
const BROWSER_MODULES = ['span-index'];
const MAX_LINES = 400;
/** Generated files, which are neither written nor read by people. */
const GENERATED = ['src/api/generated/schema.ts'];

interface Module {
  path: string;
  source: string;
  /** Specifiers of all imports, re-exports, import() calls and import types. */
  imports: string[];
  readsEnv: boolean;
  isBarrel: boolean;
}

/** The rules of the layout over `sources` (path from the repository's root → text): one line for each violation. */
export function checkArchitecture(
  sources: ReadonlyMap<string, string>,
  dependencies: readonly string[],
): string[] {
  const modules = [...sources].map(([path, source]) => readModule(path, source));
  const inSrc = modules.filter(({ path }) => path.startsWith('src/'));
  return [
    ...inSrc.flatMap((module) => checkFile(module)),
    ...inSrc.flatMap((module) => checkImports(module, sources, dependencies)),
    ...modules
      .filter(({ path }) => path.startsWith('exporters/'))
      .flatMap(({ path, imports }) =>
        imports
          .filter(
            (specifier) =>
              resolve(path, specifier)?.startsWith('src/') || specifier.startsWith('touchstone/'),
          )
          .filter((specifier) => !isApiOfClient(path, specifier))
          .map((specifier) => `${path} imports ${specifier}: exporters know nothing of src/`),
      ),
    ...findCycles(inSrc).map((cycle) => `cycle: ${cycle.join(' → ')}`),
  ];
}

/** The package of the typed client contains the calls and types that the dashboard uses too, and nothing else. */
const OF_CLIENT: ReadonlySet<string> = new Set(['src/api/client.ts', 'src/api/generated/schema.ts']);
const isApiOfClient = (path: string, specifier: string): boolean =>
  path.startsWith('exporters/client/') && OF_CLIENT.has(resolve(path, specifier) ?? '');

function checkFile({ path, source, readsEnv, isBarrel }: Module): string[] {
  const found: string[] = [];
  const lines = source.replace(/\n$/, '').split('\n').length;
  if (rankOf(path) === -1) found.push(`${path} is in no room of the layout`);
  if (lines > MAX_LINES && !GENERATED.includes(path))
    found.push(`${path} has ${lines} lines, more than ${MAX_LINES}`);
  if (/\/index\.tsx?$/.test(path) || isBarrel) found.push(`${path} is a barrel: import the files themselves`);
  if (readsEnv && !MAY_READ_ENV.includes(path))
    found.push(`${path} reads process.env: take it from the Config`);
  return found;
}

function checkImports(
  { path, imports }: Module,
  sources: ReadonlyMap<string, string>,
  dependencies: readonly string[],
): string[] {
  return imports.flatMap((specifier) => {
    const target = resolve(path, specifier);
    const problem =
      target === null ? packageProblem(path, specifier, dependencies) : fileProblem(path, target, sources);
    return problem === null ? [] : [`${path} imports ${target ?? specifier}: ${problem}`];
  });
}

function packageProblem(path: string, specifier: string, dependencies: readonly string[]): string | null {
  if (BROWSER_MODULES.includes(moduleOf(path))) return 'browsers have neither packages nor modules of Node';
  if (specifier.startsWith('node:'))
    return moduleOf(path) === 'dashboard' ? 'the dashboard runs in a browser' : null;
  if (builtinModules.includes(specifier)) return 'write the name of a module of Node with node:';
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const allowed = PACKAGES_OF_MODULE[moduleOf(path)];
  // The build bundles what the dashboard imports, so that its packages are no dependencies of the program.
  if (moduleOf(path) !== 'dashboard' && !dependencies.includes(name))
    return 'not in the dependencies of package.json';
  const engine = ENGINES[name];
  if (engine !== undefined && !path.startsWith(engine)) return `only ${engine} may import it`;
  if (allowed && !allowed.includes(name)) return `${moduleOf(path)}/ may import ${allowed.join(', ')} only`;
  return null;
}

function fileProblem(from: string, to: string, sources: ReadonlyMap<string, string>): string | null {
  if (!to.startsWith('src/')) return 'outside src/';
  if (!sources.has(to)) return 'no such file';
  const [module, otherModule] = [moduleOf(from), moduleOf(to)];
  if (isOfEngine(to) && !isOfEngine(from) && !MAY_CHOOSE_ENGINE.includes(module))
    return `${module} may not choose the engine: import src/storage/database.ts`;
  if (module === 'dashboard' && otherModule !== 'dashboard')
    return SHARED_WITH_DASHBOARD.includes(to) ? null : `the dashboard may not import ${otherModule}`;
  if (module === otherModule) {
    const [resource, otherResource] = [resourceOf(from), resourceOf(to)];
    if (otherResource === null || resource === otherResource || DECLARES.test(to)) return null;
    const [rank, otherRank] = [
      LOWER_RESOURCES.indexOf(resource ?? ''),
      LOWER_RESOURCES.indexOf(otherResource),
    ];
    const isBelow = otherRank >= 0 && (rank < 0 || otherRank < rank);
    return isBelow
      ? null
      : `of ${otherResource} only its contract, record and examples: it is not below ${resource}`;
  }
  if (rankOf(from) < rankOf(to)) return null;
  return `${module} may not import ${otherModule}, imports go downwards only`;
}

/** `cli/` is `main` written in several files. */
function moduleOf(path: string): string {
  const module = MODULE_FILES[path] ?? path.split('/').slice(1, -1)[0] ?? '';
  return module === 'cli' ? 'main' : module;
}

const rankOf = (path: string): number => RANKS.findIndex((modules) => modules.includes(moduleOf(path)));

const resourceOf = (path: string): string | null => /^src\/resources\/([^/]+)\//.exec(path)?.[1] ?? null;

const resolve = (from: string, specifier: string): string | null =>
  specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : null;

function readModule(path: string, source: string): Module {
  const { program, errors } = parseSync(path, source);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const imports = new Set<string>();
  let readsEnv = false;
  visit(program, (node) => {
    if (IMPORTING.has(node.type)) {
      const specifier = literal(node['source']);
      if (specifier !== undefined) imports.add(specifier);
    }
    readsEnv ||= readsProcessEnv(node);
  });
  const reExports = program.body.filter(
    (node) =>
      node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && !node.declaration),
  );
  const isBarrel =
    reExports.length > 0 &&
    program.body.every((node) => node.type === 'ImportDeclaration' || reExports.includes(node));
  return { path, source, imports: [...imports], readsEnv, isBarrel };
}

const IMPORTING = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

const literal = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : undefined;

const nameOf = (node: unknown): unknown => (isNode(node) ? (node['name'] ?? literal(node)) : undefined);

/** `process.env`, `globalThis.process.env`, `const { env } = process` and `import { env } from 'node:process'`. */
function readsProcessEnv(node: Node): boolean {
  const isProcess = (value: unknown): boolean =>
    isNode(value) &&
    (value.type === 'MemberExpression' ? nameOf(value['property']) : nameOf(value)) === 'process';
  const hasEnv = (list: unknown, field: string): boolean =>
    Array.isArray(list) && list.some((item) => isNode(item) && nameOf(item[field]) === 'env');
  switch (node.type) {
    case 'MemberExpression':
      return nameOf(node['property']) === 'env' && isProcess(node['object']);
    case 'VariableDeclarator':
      return isNode(node['id']) && isProcess(node['init']) && hasEnv(node['id']['properties'], 'key');
    case 'ImportDeclaration':
      return (
        /^(node:)?process$/.test(literal(node['source']) ?? '') && hasEnv(node['specifiers'], 'imported')
      );
    default:
      return false;
  }
}

/** One cycle for every group of files that import each other, types included. */
function findCycles(modules: readonly Module[]): string[][] {
  const targets = new Map(
    modules.map(({ path, imports }) => [path, imports.map((specifier) => resolve(path, specifier))]),
  );
  const cycles: string[][] = [];
  const finished = new Set<string>();
  const walk = (path: string, trail: string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) cycles.push([...trail.slice(start), path]);
    if (start !== -1 || finished.has(path)) return;
    for (const target of targets.get(path) ?? []) {
      if (target !== null && targets.has(target)) walk(target, [...trail, path]);
    }
    finished.add(path);
  };
  for (const { path } of modules) walk(path, []);
  return cycles;
}

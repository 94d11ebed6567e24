import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { createClient } from '../api/client.ts';
import { readFlags } from '../config/flags.ts';
import { uuid } from '../contract/values.ts';
import { AppError, StartupError } from '../errors.ts';
import { emptyImport, IMPORT_FIELDS, type ImportReport } from '../resources/examples/import-contract.ts';
import { exampleOf } from '../resources/examples/import-example.ts';
import { recognise } from '../resources/examples/import-formats.ts';
import { guessMapping } from '../resources/examples/import-mapping.ts';
import { RepeatedKeys, repeatedFault } from '../resources/examples/repeated-keys.ts';
import { EXAMPLE_EXTENSIONS, readRows } from '../resources/examples/import-rows.ts';
import { ACCOUNT_FLAGS, readAccount } from './account.ts';
import { importFile } from './import-file.ts';
import type { Io } from './io.ts';
import { grouped, ProgressLine } from './progress.ts';
import { patiently, reportRetry } from './test-calls.ts';

/** Most parts that the report names as not imported. */
const MAX_NOT_CARRIED = 100;

/** Most rows and characters of one request. */
const STEP_ROWS = 1_000;
const STEP_CHARACTERS = 4 * 1024 * 1024;
const MAX_REJECTED = 20;

interface Options {
  account: ReturnType<typeof readAccount>;
  path: string;
  taskId: string;
  mapping: Readonly<Record<string, string>>;
  dryRun: boolean;
  /** False to import examples only. */
  definitions: boolean;
  isJson: boolean;
}

/** Result of all requests, with the lines of the file. */
type Sum = ReturnType<typeof emptyImport>;

/**
 * Imports a file as examples of a task, in steps, so that files of any size need little memory. The exit code is 1 if
 * rows were rejected. Throws StartupError.
 */
export async function importExamplesCommand(args: readonly string[], io: Io): Promise<number> {
  const options = readOptions(args, io.env);
  const { size } = fileAt(options.path);
  const progress = new ProgressLine(options.isJson ? { ...io, out: io.err } : io, size);
  let bytes = 0;
  async function* stream(): AsyncGenerator<Uint8Array> {
    for await (const piece of createReadStream(options.path) as AsyncIterable<Uint8Array>) {
      bytes += piece.length;
      yield piece;
    }
  }
  const file = { name: options.path, mimeType: '', size, stream: stream() };
  const sum = emptyImport();
  const send = senderOf(options, io);
  const repeated = repeatsOf(options);
  let [lines, texts, characters]: [number[], string[], number] = [[], [], 0];
  const step = async (): Promise<void> => {
    addReport(sum, await send(texts.join('\n')), lines);
    progress.show(bytes);
    [lines, texts, characters] = [[], [], 0];
  };
  try {
    for await (const entry of readRows(file, {
      onLost: (parts) => void sum.notCarried.push(...parts.slice(0, MAX_NOT_CARRIED)),
    })) {
      if ('error' in entry) {
        sum.rows += 1;
        addRejected(sum, [entry]);
        continue;
      }
      const before = repeated(entry);
      if (before !== null) {
        sum.rows += 1;
        if (before === SAME) sum.unchanged += 1;
        else addRejected(sum, [{ line: entry.line, error: before }]);
        continue;
      }
      const text = JSON.stringify(entry.row);
      lines.push(entry.line);
      texts.push(text);
      characters += text.length;
      if (texts.length >= STEP_ROWS || characters >= STEP_CHARACTERS) await step();
    }
    if (texts.length > 0) await step();
  } catch (error) {
    if (error instanceof AppError)
      throw new StartupError(`${options.path} cannot be imported: ${error.message}`);
    throw error;
  } finally {
    progress.end();
  }
  const { dryRun, isJson, path } = options;
  io.out(isJson ? `${JSON.stringify({ file: path, dryRun, ...sum })}\n` : reportText(sum, dryRun));
  return sum.rejectedCount > 0 ? 1 : 0;
}

const SAME = Symbol('same values');

/**
 * Returns a function that compares a row with those of earlier requests, which the server does not know: it returns SAME for the same
 * values again, the fault of a row with the key of another one, and null for all other rows.
 */
function repeatsOf({
  mapping,
}: Options): (entry: {
  line: number;
  row: Readonly<Record<string, unknown>>;
}) => string | typeof SAME | null {
  const keys = new RepeatedKeys();
  return ({ line, row }) => {
    const columns = guessMapping(Object.keys(row), mapping, recognise(row));
    const example = exampleOf(line, row, columns, false);
    if ('error' in example) return null;
    const before = keys.find(example);
    if (before === null) return null;
    if (before.isSame) return SAME;
    return repeatedFault(example, before.line);
  };
}

/** Returns a function that imports rows as JSONL. */
function senderOf(
  { account, taskId, mapping, dryRun, definitions }: Options,
  io: Io,
): (rows: string) => Promise<ImportReport> {
  const api = createClient(account);
  const { signal } = new AbortController();
  // A repeated step changes nothing.
  const onTrouble = reportRetry(io);
  return async (rows) => {
    const form = new FormData();
    form.append('mapping', JSON.stringify(mapping));
    form.append('dryRun', String(dryRun));
    form.append('definitions', String(definitions));
    form.append('file', new File([rows], 'rows.jsonl'));
    const { data } = await patiently(account.baseUrl, { signal, onTrouble }, (init) =>
      api.POST('/v0/tasks/{id}/examples/import', {
        params: { path: { id: taskId } },
        body: form as never,
        ...init,
      }),
    );
    return data;
  };
}

/** Adds the report of some rows. `lines`: the line of each in the file; the report counts them from 1. */
function addReport(sum: Sum, report: ImportReport, lines: readonly number[]): void {
  for (const name of ['rows', 'created', 'updated', 'unchanged'] as const) sum[name] += report[name];
  const { rejected, rejectedCount, mapping, unusedColumns } = report;
  addRejected(
    sum,
    rejected.map(({ line, error }) => ({ line: lines[line - 1] ?? line, error })),
    rejectedCount,
  );
  for (const { line, ...one } of report.replaced)
    if (sum.replaced.length < MAX_REJECTED) sum.replaced.push({ line: lines[line - 1] ?? line, ...one });
  const notCarried = report.notCarried.map((part) =>
    part.replace(/^line (\d+):/, (_match, line: string) => `line ${lines[Number(line) - 1] ?? line}:`),
  );
  sum.notCarried = [...new Set([...sum.notCarried, ...notCarried])].slice(0, MAX_NOT_CARRIED);
  sum.format ??= report.format;
  sum.assertions += report.assertions;
  sum.rubrics += report.rubrics;
  for (const one of report.definitions)
    if (!sum.definitions.some(({ name }) => name === one.name)) sum.definitions.push(one);
  sum.mapping = { ...mapping, ...sum.mapping };
  sum.unusedColumns = [...new Set([...sum.unusedColumns, ...unusedColumns])];
}

function addRejected(sum: Sum, rejected: Sum['rejected'], count = rejected.length): void {
  sum.rejectedCount += count;
  sum.rejected.push(...rejected.slice(0, MAX_REJECTED - sum.rejected.length));
}

/** Words for what the import does with a definition. */
const ACTIONS = { CREATED: 'created and linked', LINKED: 'linked', KEPT: 'linked before' } as const;

function reportText(sum: Sum, dryRun: boolean): string {
  const { rows, created, updated, unchanged, rejected, rejectedCount, mapping, unusedColumns } = sum;
  const { replaced, notCarried, format, assertions } = sum;
  const changes = replaced.map(
    ({ line, key, fields: changed }) =>
      `  line ${line} replaces ${changed.join(', ')} of ${JSON.stringify(key)}`,
  );
  const counts = `${grouped(created)} created, ${grouped(updated)} updated, ${grouped(unchanged)} unchanged, ${grouped(rejectedCount)} rejected`;
  const fields = Object.entries(mapping).map(
    ([field, column]) => `  ${field} from ${JSON.stringify(column)}`,
  );
  const lines = rejected.map(({ line, error }) => `  line ${line}: ${error}`);
  return [
    `${grouped(rows)} rows: ${counts}${dryRun ? ' (nothing was stored: --dry-run)' : ''}.`,
    ...(format === null ? [] : [`Format: ${format}`]),
    ...fields,
    ...sum.definitions.map(
      ({ name, type, action }) => `Definition ${JSON.stringify(name)} (${type}): ${ACTIONS[action]}`,
    ),
    ...(assertions > 0 && sum.definitions.length === 0
      ? [
          `${grouped(assertions)} examples have checks of their own: link a definition of type ASSERT with {"exampleAssertions":true} to the task.`,
        ]
      : []),
    ...(unusedColumns.length > 0 ? [`Columns not used: ${unusedColumns.join(', ')}`] : []),
    ...(notCarried.length > 0 ? [`Not imported: ${notCarried.join('; ')}`] : []),
    ...changes,
    ...(updated > replaced.length && replaced.length > 0
      ? [`  and ${grouped(updated - replaced.length)} more replaced`]
      : []),
    ...lines,
    ...(rejectedCount > rejected.length ? [`  and ${rejectedCount - rejected.length} more`] : []),
    '',
  ].join('\n');
}

function readOptions(args: readonly string[], env: Io['env']): Options {
  const { flags, words } = readFlags(args, {
    values: ['--task', '--map', ...ACCOUNT_FLAGS],
    switches: ['--dry-run', '--examples-only', '--json'],
  });
  const [path, ...others] = words;
  if (path === undefined || others.length > 0) throw new StartupError('import needs one file.');
  const taskId = uuid.safeParse(flags.get('--task') ?? '');
  if (!taskId.success) throw new StartupError('import needs --task: the id of a task.');
  return {
    path,
    taskId: taskId.data,
    mapping: mappingOf(flags.get('--map')),
    dryRun: flags.has('--dry-run'),
    definitions: !flags.has('--examples-only'),
    isJson: flags.has('--json'),
    account: readAccount('import', flags, env),
  };
}

function mappingOf(text: string | undefined): Record<string, string> {
  const pairs = (text ?? '').split(',').filter(Boolean);
  return Object.fromEntries(
    pairs.map((pair) => {
      const [field = '', column = ''] = pair.split(/=(.*)/s);
      if (!IMPORT_FIELDS.some((known) => known === field) || column === '')
        throw new StartupError(
          `--map must be FIELD=COLUMN, separated by commas, with the fields ${IMPORT_FIELDS.join(', ')}; got ${JSON.stringify(pair)}.`,
        );
      return [field, column];
    }),
  );
}

function fileAt(path: string): { size: number } {
  if (!EXAMPLE_EXTENSIONS.some((extension) => path.toLowerCase().endsWith(extension)))
    throw new StartupError(`${basename(path)} must end in ${EXAMPLE_EXTENSIONS.join(', ')}.`);
  return importFile(path);
}

import { createWriteStream, renameSync, rmSync } from 'node:fs';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';
import { answerOf, createClient } from '../api/client.ts';
import { type Flags, readFlags } from '../config/flags.ts';
import { uuid } from '../contract/values.ts';
import { StartupError } from '../errors.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../resources/exports/export-format.ts';
import { OTLP_FORMATS, type OtlpFormat } from '../traces/otlp-file/read.ts';
import { ACCOUNT_FLAGS, readAccount } from './account.ts';
import type { Io } from './io.ts';
import { grouped, ProgressLine } from './progress.ts';
import { callFailure } from './test-calls.ts';

const SUBJECTS = ['traces', 'tests', 'examples'] as const;
type Subject = (typeof SUBJECTS)[number];
/** Most rows of one export of each subject; the server streams them. */
const MAX_ROWS: Readonly<Record<Subject, number>> = {
  traces: 1_000_000,
  tests: 1_000_000,
  examples: 100_000,
};

/** Formats by the ending of a file, without that of its compression. */
const ENDINGS: readonly (readonly [ending: string, Format])[] = [
  ['.otlp.jsonl', 'otlp-jsonl'],
  ['.otlp.binpb', 'otlp-proto'],
  ...EXPORT_FORMATS.map((format) => [`.${format}`, format] as const),
];
type Format = ExportFormat | OtlpFormat;
const FORMATS: readonly Format[] = [...EXPORT_FORMATS, ...OTLP_FORMATS];

/** Makes the streams that compress a file, by the flag and by the ending of the file. */
const COMPRESSIONS: readonly { flag: string; ending: string; create: () => Transform }[] = [
  { flag: '--gzip', ending: '.gz', create: () => createGzip({ level: 1 }) },
  { flag: '--zstd', ending: '.zst', create: createZstdCompress },
];

interface Options {
  account: ReturnType<typeof readAccount>;
  subject: Subject;
  format: Format;
  output: string;
  compress: (() => Transform) | null;
  bom: boolean;
  isJson: boolean;
  limit: number;
  taskId: string | undefined;
  runId: string | undefined;
}

/**
 * Writes traces, tests or the examples of a task to a file, which appears under its name when it is complete. Throws
 * StartupError.
 */
export async function exportFile(args: readonly string[], io: Io): Promise<void> {
  const options = readOptions(args, io.env);
  const { account, output, compress, isJson, subject, format } = options;
  const progress = new ProgressLine(isJson ? { ...io, out: io.err } : io, null);
  const unfinished = `${output}.part`;
  let bytes = 0;
  async function* counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of body) {
      bytes += piece.length;
      progress.show(bytes);
      yield piece;
    }
  }
  const file = createWriteStream(unfinished, { mode: 0o600 });
  try {
    const body = await openExport(options).catch((error: unknown) => {
      throw callFailure(account.baseUrl, error);
    });
    await (compress ? pipeline(counted(body), compress(), file) : pipeline(counted(body), file));
    renameSync(unfinished, output);
  } catch (error) {
    file.destroy();
    rmSync(unfinished, { force: true });
    throw error instanceof StartupError ? error : brokenOff(options, error);
  } finally {
    progress.end();
  }
  const fileBytes = file.bytesWritten;
  io.out(
    isJson
      ? `${JSON.stringify({ file: output, subject, format, bytes, fileBytes })}\n`
      : `${output}: ${grouped(fileBytes)} bytes.\n`,
  );
}

function brokenOff({ account, output }: Options, error: unknown): StartupError {
  const { code } = error as NodeJS.ErrnoException;
  return code?.startsWith('E')
    ? new StartupError(`${output} cannot be written (${code}).`)
    : new StartupError(`${account.baseUrl} ended the export early; see its log for the reason.`);
}

/** Starts an export and returns the bytes of the file. */
async function openExport({ account, ...options }: Options): Promise<AsyncIterable<Uint8Array>> {
  const { subject, format, bom, limit, taskId, runId } = options;
  const api = createClient(account);
  const query = { format: format as ExportFormat, bom, limit };
  const init = { parseAs: 'stream', redirect: 'manual' } as const;
  const tests = { ...query, ...(taskId && { taskId: [taskId] }), ...(runId && { runId: [runId] }) };
  const path = { id: taskId ?? '' };
  const calls = {
    traces: () =>
      answerOf(api.GET('/v0/traces/export', { params: { query: { format, bom, limit } }, ...init })),
    tests: () => answerOf(api.GET('/v0/tests/export', { params: { query: tests }, ...init })),
    examples: () => answerOf(api.GET('/v0/tasks/{id}/examples/export', { params: { path, query }, ...init })),
  };
  return (await calls[subject]()) as unknown as AsyncIterable<Uint8Array>;
}

function readOptions(args: readonly string[], env: Io['env']): Options {
  const { flags, words } = readFlags(args, {
    values: ['--format', '--output', '--out', '--task', '--run', '--limit', ...ACCOUNT_FLAGS],
    switches: [...COMPRESSIONS.map(({ flag }) => flag), '--json', '--bom'],
  });
  const subject = SUBJECTS.find((known) => known === words[0]);
  if (!subject || words.length > 1) throw new StartupError(`export needs one of ${SUBJECTS.join(', ')}.`);
  const output = flags.get('--output') ?? flags.get('--out');
  if (output === undefined) throw new StartupError('export needs --output: the file to write.');
  const format = formatOf(flags.get('--format'), output, subject);
  const idIn = (flag: string): string | undefined => {
    const given = flags.get(flag);
    if (given !== undefined && !uuid.safeParse(given).success)
      throw new StartupError(`${flag} must be an id; got ${JSON.stringify(given.slice(0, 80))}.`);
    return given;
  };
  const [taskId, runId] = [idIn('--task'), idIn('--run')];
  if (subject === 'examples' && taskId === undefined)
    throw new StartupError('export examples needs --task: the id of a task.');
  if (subject === 'traces' && taskId !== undefined)
    throw new StartupError('--task is allowed with tests and examples only.');
  if (subject !== 'tests' && runId !== undefined) throw new StartupError('--run is allowed with tests only.');
  const account = readAccount('export', flags, env);
  const limit = limitOf(flags.get('--limit'), subject);
  const compress = compressionOf(flags, output);
  const [bom, isJson] = [flags.has('--bom'), flags.has('--json')];
  if (bom && format !== 'csv') throw new StartupError('--bom is allowed with CSV only.');
  return { account, subject, format, bom, output, compress, isJson, limit, taskId, runId };
}

function formatOf(given: string | undefined, output: string, subject: Subject): Format {
  const bare = output.toLowerCase().replace(/\.(?:gz|zst)$/, '');
  const format = given === undefined ? ENDINGS.find(([ending]) => bare.endsWith(ending))?.[1] : given;
  const formats: readonly Format[] = subject === 'traces' ? FORMATS : EXPORT_FORMATS;
  const known = formats.find((one) => one === format);
  if (!known) throw new StartupError(`--format must be one of ${formats.join(', ')}.`);
  return known;
}

/** Returns the compression of a file; null for none. Throws StartupError. */
function compressionOf(flags: Flags, output: string): (() => Transform) | null {
  const named = COMPRESSIONS.filter(({ flag }) => flags.has(flag));
  if (named.length > 1)
    throw new StartupError(`${COMPRESSIONS.map(({ flag }) => flag).join(' and ')} exclude each other.`);
  const chosen = named[0] ?? COMPRESSIONS.find(({ ending }) => output.toLowerCase().endsWith(ending));
  return chosen?.create ?? null;
}

function limitOf(text: string | undefined, subject: Subject): number {
  const most = MAX_ROWS[subject];
  const limit = text === undefined ? most : Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > most)
    throw new StartupError(`--limit must be between 1 and ${most}; got ${JSON.stringify(text)}.`);
  return limit;
}

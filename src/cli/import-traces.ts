import { readFlags } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import { COUNTS_HEADER, readCounts } from '../ingest/counts-header.ts';
import { countProtobufMembers } from '../ingest/otlp/count-items.ts';
import { inOneTurn } from '../runtime/steps.ts';
import { WIRE_BYTES, WIRE_VARINT, WireReader } from '../traces/wire/reader.ts';
import { ACCOUNT_FLAGS, readAccount } from './account.ts';
import { importFile } from './import-file.ts';
import type { Io } from './io.ts';
import { type FileSignal, readOtlpFile } from './otlp-file.ts';
import { grouped, ProgressLine } from './progress.ts';
import { printable } from './server-trouble.ts';
import { patiently, reportRetry } from './test-calls.ts';

/** Bytes after which a request is sent; a single line or message may be larger. */
const REQUEST_BYTES = 1024 * 1024;
const MAX_MESSAGES = 5;

/** Names of what files of traces do not have, so that an import cannot bring it. */
const NOT_CARRIED = [
  'times of arrival',
  'earlier versions of spans and the flag `replaced`',
  'tests',
  'verdicts',
  'annotations',
  'examples',
] as const;

interface Imported {
  requests: number;
  spans: number;
  logRecords: number;
  /** Spans and log records that were stored before, and spans that replaced another version. */
  duplicate: number;
  replaced: number;
  rejected: number;
  /** The first reasons for rejections. */
  messages: string[];
}

/**
 * Sends the traces of a file of OTLP to a server. What is stored already is recognised there, so that a file may be imported
 * again. The exit code is 1 if spans or log records were rejected. Throws StartupError.
 */
export async function importTraces(args: readonly string[], io: Io): Promise<number> {
  const { flags, words } = readFlags(args, { values: ACCOUNT_FLAGS, switches: ['--json'] });
  const [path, ...others] = words;
  if (path === undefined || others.length > 0) throw new StartupError('import traces needs one file.');
  const account = readAccount('import traces', flags, io.env);
  const isJson = flags.has('--json');
  const { size } = importFile(path);
  const progress = new ProgressLine(isJson ? { ...io, out: io.err } : io, size);
  const done: Imported = {
    requests: 0,
    spans: 0,
    logRecords: 0,
    duplicate: 0,
    replaced: 0,
    rejected: 0,
    messages: [],
  };
  const send = senderOf(account, io, done);
  let batch: { signal: FileSignal; parts: Buffer[]; size: number } | null = null;
  try {
    for await (const { signal, bytes, fileBytes } of readOtlpFile(path)) {
      if (batch && (batch.signal !== signal || batch.size + bytes.length > REQUEST_BYTES)) {
        await send(batch.signal, batch.parts);
        batch = null;
        progress.show(fileBytes);
      }
      batch ??= { signal, parts: [], size: 0 };
      batch.parts.push(bytes);
      batch.size += bytes.length;
    }
    if (batch) await send(batch.signal, batch.parts);
  } catch (error) {
    throw error instanceof StartupError ? error : unreadable(path, error);
  } finally {
    progress.end();
  }
  io.out(
    isJson ? `${JSON.stringify({ file: path, ...done, notCarried: NOT_CARRIED })}\n` : report(path, done),
  );
  return done.rejected > 0 ? 1 : 0;
}

/** Returns a function that sends requests of one signal, joined to one. */
function senderOf(
  { baseUrl, apiKey, applicationId }: ReturnType<typeof readAccount>,
  io: Io,
  done: Imported,
): (signal: FileSignal, parts: readonly Buffer[]) => Promise<void> {
  const headers = {
    'x-api-key': apiKey,
    'x-application-id': applicationId,
    'content-type': 'application/x-protobuf',
  };
  const { signal: never } = new AbortController();
  const onTrouble = reportRetry(io);
  return async (signal, parts) => {
    // A list of protobuf is continued by what follows.
    const body = Buffer.concat(parts);
    const count = inOneTurn(countProtobufMembers(body));
    const { rejected, message, counts } = await patiently(
      baseUrl,
      { signal: never, onTrouble },
      async (init) => {
        const response = await fetch(`${baseUrl}/v1/${signal}`, { method: 'POST', headers, body, ...init });
        const answer = Buffer.from(await response.arrayBuffer());
        return response.ok
          ? {
              data: { ...partialSuccess(answer), counts: readCounts(response.headers.get(COUNTS_HEADER)) },
              response,
            }
          : { error: { message: textField(answer, 2) }, response };
      },
    );
    done.requests += 1;
    done[signal === 'logs' ? 'logRecords' : 'spans'] += count - rejected;
    done.duplicate += counts?.duplicate ?? 0;
    done.replaced += counts?.replaced ?? 0;
    done.rejected += rejected;
    if (message !== '' && done.messages.length < MAX_MESSAGES) done.messages.push(printable(message));
  };
}

/** Reads an ExportTracePartialSuccess, or that of logs, from a response. */
function partialSuccess(answer: Buffer): { rejected: number; message: string } {
  const result = { rejected: 0, message: '' };
  const reader = new WireReader(answer);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag !== ((1 << 3) | WIRE_BYTES)) {
      reader.skip(tag);
      continue;
    }
    const partial = reader.bytes();
    const inner = new WireReader(partial);
    for (let one = inner.tag(); one !== 0; one = inner.tag()) {
      if (one === ((1 << 3) | WIRE_VARINT)) result.rejected = inner.uint32();
      else inner.skip(one);
    }
    result.message = textField(partial, 2);
  }
  return result;
}

/** Returns a text of a message; '' if there is none, or if the bytes are no message. */
function textField(bytes: Buffer, field: number): string {
  try {
    let text = '';
    const reader = new WireReader(bytes);
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      if (tag === ((field << 3) | WIRE_BYTES)) text = reader.string();
      else reader.skip(tag);
    }
    return text;
  } catch {
    return '';
  }
}

function unreadable(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string') return error;
  return new StartupError(
    /^(?:Z_|ERR_|ZSTD)/.test(code)
      ? `${path} is damaged or incomplete (${code}).`
      : `${path} cannot be read (${code}).`,
  );
}

function report(
  path: string,
  { requests, spans, logRecords, duplicate, replaced, rejected, messages }: Imported,
): string {
  return [
    `${path}: ${grouped(spans)} spans and ${grouped(logRecords)} log records accepted in ${grouped(requests)} requests, ${grouped(rejected)} rejected. ${grouped(duplicate)} of them were stored before; ${grouped(replaced)} spans replaced another version.`,
    `Not carried by such files: ${NOT_CARRIED.join(', ')}.`,
    ...messages.map((message) => `  ${message}`),
    '',
  ].join('\n');
}

import type { DocumentKind, DocumentMessage } from './document-rows.ts';
import { AppError } from '../../errors.ts';
import { startWorker } from '../../runtime/worker.ts';

/** Limits of the thread that parses one file. */
const DEADLINE_MS = 20_000;
const HEAP_MB = 384;
/** Files that are parsed at the same time, and those that may wait, of the process. */
const MAX_THREADS = 2;
const MAX_WAITING = 16;

const waiting: (() => void)[] = [];
let running = 0;

/** Rows of a file as JSON, each with its line, or the fault of the file. */
export type ParsedDocument =
  | { rows: readonly (readonly [line: number, json: string])[]; lost: readonly string[] }
  | { fault: string };

/**
 * Parses a file that must be parsed as one, in a thread of its own with limits of time and memory: a small file may describe
 * much. Throws `unavailable` when too many files wait.
 */
export async function parseDocument(
  kind: DocumentKind,
  bytes: Uint8Array,
  { deadlineMs = DEADLINE_MS, heapMb = HEAP_MB }: { deadlineMs?: number; heapMb?: number } = {},
): Promise<ParsedDocument> {
  await takePlace();
  try {
    return await inThread({ kind, bytes }, deadlineMs, heapMb);
  } finally {
    // The place goes to the one that has waited longest, if any.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

async function takePlace(): Promise<void> {
  if (running >= MAX_THREADS) {
    if (waiting.length >= MAX_WAITING)
      throw new AppError('unavailable', 'too many files are imported; retry later');
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
}

function inThread(
  document: { kind: DocumentKind; bytes: Uint8Array },
  deadlineMs: number,
  heapMb: number,
): Promise<ParsedDocument> {
  const { promise, resolve } = Promise.withResolvers<ParsedDocument>();
  const worker = startWorker('documents', document, [], heapMb);
  const rows: (readonly [number, string])[] = [];
  let isEnded = false;
  const end = (result: ParsedDocument): void => {
    if (isEnded) return;
    isEnded = true;
    clearTimeout(deadline);
    void worker.terminate().then(() => resolve(result));
  };
  const deadline = setTimeout(
    () => end({ fault: `takes longer than ${deadlineMs / 1_000} s to read; use JSONL` }),
    deadlineMs,
  );
  worker.on('message', (message: DocumentMessage) => {
    if ('rows' in message) rows.push(...message.rows);
    else if ('fault' in message) end({ fault: message.fault });
    else end({ rows, lost: message.lost });
  });
  worker.on('error', (error: NodeJS.ErrnoException) =>
    end({
      fault:
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? 'takes too much memory to read; use JSONL'
          : 'cannot be read',
    }),
  );
  worker.on('exit', () => end({ fault: 'cannot be read' }));
  return promise;
}

import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { RouteContext } from '../../contract/route.ts';
import type { OpenStream, StreamKind } from '../../runtime/event-streams.ts';
import { type ExportFormat, fileInFormat, MEDIA_TYPE_OF } from './export-format.ts';
import type { ExportTable } from './export-table.ts';

export const EXPORT_HEADERS = { 'content-disposition': 'Name of the file.' };

/** Rows that are formatted at once. A page of long texts takes a tenth of a second altogether. */
const STEP_ROWS = 50;

/** All exports of an application share these limits. */
const EXPORTS: StreamKind = {
  name: 'export',
  plural: 'exports',
  total: 8,
  perApplication: 2,
  longestMs: 10 * 60_000,
  lingerMs: 0,
};

/** Longest time of a file with everything that was sent, which may be as large as the store. */
const LONGEST_FILE_MS = 6 * 3_600_000;

export interface ExportDeps {
  openStream: OpenStream;
}

/** Rows of an export that are read at once. */
export interface RowPage<Row, Place> {
  rows: readonly Row[];
  /** Place of the last row; null if no row follows. */
  last: Place | null;
}

interface ExportFile<Row, Place> {
  /** File name without its ending. */
  name: string;
  format: ExportFormat;
  /** True to begin CSV with a byte-order mark. */
  bom: boolean;
  limit: number;
  /** Largest number of rows to read at once. */
  pageSize: number;
  table: ExportTable<Row>;
  readPage: (after: Place | null, size: number) => Promise<RowPage<Row, Place>>;
}

type Context = Pick<RouteContext<unknown, unknown, unknown, null>, 'revoked' | 'setHeader'> & {
  principal: { application: number };
};

/** Returns a file as a stream that is read page by page. Throws the errors of its first page, and `rate_limited`. */
export async function streamExport<Row, Place>(
  { openStream }: ExportDeps,
  { principal, revoked, setHeader }: Context,
  file: ExportFile<Row, Place>,
): Promise<Readable> {
  // Read before the response begins, so that a failure is one with its own status.
  const first = await file.readPage(null, Math.min(file.pageSize, file.limit));
  return streamFile({ openStream }, { principal, revoked, setHeader }, EXPORTS, {
    name: `${file.name}.${file.format}`,
    mediaType: MEDIA_TYPE_OF[file.format],
    parts: (checks) => exportedParts(file, { first, ...checks }),
  });
}

interface StreamedFile {
  name: string;
  mediaType: string;
  parts: (checks: StreamChecks) => AsyncGenerator<string | Uint8Array, void>;
}

function streamFile(
  { openStream }: ExportDeps,
  { principal, revoked, setHeader }: Context,
  kind: StreamKind,
  { name, mediaType, parts }: StreamedFile,
): Readable {
  const { application } = principal;
  const stream = openStream(kind, { application, revoked }, (isStopped) => parts({ isStopped }));
  setHeader('content-type', mediaType);
  setHeader('content-disposition', `attachment; filename="${name}"`);
  setHeader('cache-control', 'private, no-store');
  return stream;
}

interface StreamChecks {
  isStopped: () => boolean;
}

/** Throws when the stream must end before the file does, so that the file is not taken for complete. */
function checkStream({ isStopped }: StreamChecks): void {
  if (isStopped()) throw new Error('The export was interrupted');
}

/** Bytes of a file that are read at once. */
export interface BytePage<Position> {
  bytes: Uint8Array;
  /** Null after the last page. */
  next: Position | null;
}

/**
 * Returns a file whose bytes a query makes page by page, for as long as the client reads it. Throws the errors of its first
 * page, and `rate_limited`.
 */
export async function streamPages<Position>(
  deps: ExportDeps,
  context: Context,
  {
    readPage,
    ...file
  }: Omit<StreamedFile, 'parts'> & { readPage: (from: Position | null) => Promise<BytePage<Position>> },
): Promise<Readable> {
  const first = await readPage(null);
  async function* parts(checks: StreamChecks): AsyncGenerator<Uint8Array, void> {
    for (let page = first; ; page = await readPage(page.next)) {
      if (page.bytes.length > 0) yield page.bytes;
      if (page.next === null) return;
      checkStream(checks);
    }
  }
  return streamFile(deps, context, { ...EXPORTS, longestMs: LONGEST_FILE_MS }, { ...file, parts });
}

interface Reading<Row, Place> extends StreamChecks {
  first: RowPage<Row, Place>;
}

/** Yields a file page by page. Throws when the caller may no longer read it, so that it is not taken for complete. */
async function* exportedParts<Row, Place>(
  { format, bom, table, limit, pageSize, readPage }: ExportFile<Row, Place>,
  { first, ...checks }: Reading<Row, Place>,
): AsyncGenerator<string | Uint8Array, void> {
  const file = fileInFormat({ format, bom }, table);
  yield file.begin();
  let left = limit;
  for (let page = first; ; page = await readPage(page.last, Math.min(pageSize, left))) {
    for (let from = 0; from < page.rows.length; from += STEP_ROWS) {
      const part = file.add(page.rows.slice(from, from + STEP_ROWS));
      if (part.length > 0) yield part;
      // Other connections of the thread get their turn.
      await setImmediate();
    }
    left -= page.rows.length;
    if (page.last === null || left <= 0) break;
    checkStream(checks);
  }
  yield file.end();
}

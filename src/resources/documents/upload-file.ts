/** Parses the bytes of a file into the documents it contains. */
import { invalid, issuesOf } from '../../contract/errors.ts';
import type { UploadBody, UploadedFile } from '../../contract/upload.ts';
import type { AppError } from '../../errors.ts';
import { truncate } from '../../traces/truncate.ts';
import { readCsvRows } from './csv-rows.ts';
import {
  createDocumentBody,
  type DocumentFields,
  MAX_CONTENT,
  MAX_TITLE,
  type RejectedRow,
  type documentUploadFields,
} from './contract.ts';

export const DOCUMENT_EXTENSIONS = ['.csv', '.txt', '.md', '.markdown'] as const;

type Body = UploadBody<typeof documentUploadFields>;
/** Contents of one row, or the reason why it was rejected. */
export type UploadedRow = { line: number; fields: DocumentFields } | RejectedRow;

/** Returns the rows of a file. Throws AppError `invalid` for `file` when the complete file is unusable. */
export function rowsOfFile(body: Body): AsyncIterable<UploadedRow> {
  return body.file.name.toLowerCase().endsWith('.csv') ? csvRows(body) : textRow(body);
}

async function* textRow({ fields: { title, ...fields }, file }: Body): AsyncGenerator<UploadedRow> {
  const content = await textOf(file);
  const named = { ...fields, title: title ?? titleOf(file.name, content), content };
  const parsed = createDocumentBody.safeParse(named, { reportInput: true });
  if (!parsed.success) throw invalid(issuesOf(parsed.error).map((issue) => ({ ...issue, path: ['file'] })));
  yield { line: 1, fields: parsed.data };
}

async function textOf({ size, stream }: UploadedFile): Promise<string> {
  // A character takes at most four bytes.
  if (size > 4 * MAX_CONTENT) throw useless('too_big', `must have at most ${MAX_CONTENT} characters`);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    let text = '';
    for await (const piece of stream) text += decoder.decode(piece, { stream: true });
    text += decoder.decode();
    if (!text.includes('\0')) return text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw useless('custom', 'must be text in UTF-8');
}

function titleOf(name: string, content: string): string {
  const isMarkdown = /\.(?:md|markdown)$/i.test(name);
  const heading = isMarkdown ? /^#{1,6}[ \t]+(\S.*)$/m.exec(content)?.[1] : undefined;
  return truncate(heading ?? name, MAX_TITLE);
}

const KNOWN = ['title', 'content', 'assignee', 'language', 'topicId'] as const;

async function* csvRows({ fields, file }: Body): AsyncGenerator<UploadedRow> {
  let isEmpty = true;
  for await (const entry of readCsvRows(file.stream)) {
    isEmpty = false;
    yield 'row' in entry ? documentOf(entry, fields) : entry;
  }
  if (isEmpty) throw useless('custom', 'must have rows below its header');
}

/**
 * Builds the document of a row. Its own values take precedence over those of the form; unknown columns become
 * metadata.
 */
function documentOf(
  { line, row }: { line: number; row: Record<string, string> },
  { type, quickstartId, assignee, topicId }: Body['fields'],
): UploadedRow {
  const cells = Object.entries(row);
  const filled = (isKnown: boolean): [string, string][] =>
    cells.filter(([name, value]) => value !== '' && KNOWN.some((known) => known === name) === isKnown);
  const metadata = Object.fromEntries(filled(false));
  const fields = { type, quickstartId, assignee, topicId, ...Object.fromEntries(filled(true)), metadata };
  const parsed = createDocumentBody.safeParse(fields, { reportInput: true });
  if (parsed.success) return { line, fields: parsed.data };
  const reported = issuesOf(parsed.error).map(({ path, message }) => `${path.join('.')}: ${message}`);
  return { line, error: reported.join('; ') };
}

const useless = (code: string, message: string): AppError => invalid([{ code, message, path: ['file'] }]);

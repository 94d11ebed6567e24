import { columnsByField, CONVERSATIONS, DOCUMENTS } from '../../resources/quickstarts/import-columns.ts';

export type FileKind = 'conversations' | 'knowledge_base' | 'policy';

export const FILE_KINDS: readonly (readonly [id: FileKind, title: string])[] = [
  ['conversations', 'Conversations'],
  ['knowledge_base', 'Knowledge'],
  ['policy', 'Policies'],
];

/** Beginning of a file that the preview reads, in bytes. */
export const PREVIEW_BYTES = 256 * 1024;
/** Rows of the preview, without the header. */
const MAX_ROWS = 5;
/** Columns of the preview. */
const MAX_COLUMNS = 50;

/** Words for what a field of the file becomes. */
const BECOMES: Readonly<Record<FileKind, Readonly<Record<string, string>>>> = {
  conversations: {
    topic: 'topic',
    task: 'title of the task',
    conversation: 'conversation',
    input: 'what the customer wrote, becomes an example',
    output: 'what your team answered, becomes expected',
    role: 'who wrote the message',
    content: 'message',
  },
  knowledge_base: { topic: 'topic', title: 'title of the document', content: 'text of the document' },
  policy: {
    topic: 'topic',
    title: 'title of the policy',
    content: 'text of the policy',
    criterion: 'criterion of an evaluator',
  },
};

export interface Preview {
  columns: { name: string; becomes: string | null; values: string[] }[];
  /** Says what is missing; null if the file can be uploaded. */
  problem: string | null;
}

/** Returns what the columns of a file become, by its beginning. */
export function previewOf(text: string, kind: FileKind): Preview {
  const [header = [], ...rows] = csvRows(text, MAX_ROWS + 1);
  const names = header.map((name) => name.trim());
  const fields = columnsByField<string>(names, kind === 'conversations' ? CONVERSATIONS : DOCUMENTS);
  const usedFields = used(fields, kind);
  const byColumn = new Map(
    usedFields.flatMap((field) => (fields[field] === undefined ? [] : [[fields[field], field]])),
  );
  return {
    columns: names.slice(0, MAX_COLUMNS).map((name, at) => ({
      name,
      becomes: BECOMES[kind][byColumn.get(name) ?? ''] ?? null,
      values: rows.map((row) => row[at] ?? ''),
    })),
    problem: problemOf(fields, kind, rows.length),
  };
}

/** Returns the fields that the server reads: a file has either an input and an output, or one message in each row. */
function used(fields: Readonly<Record<string, string | undefined>>, kind: FileKind): string[] {
  const known = Object.keys(BECOMES[kind]);
  if (kind !== 'conversations') return known;
  const left = fields['input'] === undefined ? ['input', 'output'] : ['role', 'content'];
  return known.filter((field) => !left.includes(field));
}

function problemOf(
  fields: Readonly<Record<string, string | undefined>>,
  kind: FileKind,
  rows: number,
): string | null {
  const has = (...names: string[]): boolean => names.every((name) => fields[name] !== undefined);
  if (kind === 'conversations' && !has('input') && !has('conversation', 'role', 'content'))
    return 'The header needs a column named input, or the columns conversation_id, role and content.';
  if (kind !== 'conversations' && !has('title', 'content'))
    return 'The header needs the columns title and content.';
  return rows === 0 ? 'The file has no rows below its header.' : null;
}

/** Reads the first rows of a CSV file; a quoted field may contain commas, quotes and line breaks. */
function csvRows(text: string, most: number): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /("(?:[^"]|"")*"?|[^,\r\n]*)(,|\r\n|\r|\n|$)/y;
  field.lastIndex = text.startsWith('\uFEFF') ? 1 : 0;
  while (rows.length < most && field.lastIndex <= text.length) {
    const found = field.exec(text);
    if (found === null) break;
    const [, value = '', end = ''] = found;
    row.push(value.startsWith('"') ? value.replace(/^"|"$/g, '').replaceAll('""', '"') : value);
    if (end === ',') continue;
    if (row.some((one) => one !== '')) rows.push(row);
    row = [];
    if (end === '') break;
  }
  return rows;
}

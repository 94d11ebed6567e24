import { AppError } from '../../errors.ts';
import { truncate } from '../../traces/truncate.ts';
import { columnsByField, CONVERSATIONS, DOCUMENTS } from './import-columns.ts';

export interface ImportedMessage {
  role: 'user' | 'assistant' | 'system';
  content: string;
}

/** Row with the next turns of a conversation. Absent topic, task and conversation are ''. */
export interface ConversationRow {
  topic: string;
  task: string;
  /** Conversation that the row belongs to; a row without one is a conversation of its own. */
  conversation: string;
  turns: ImportedMessage[];
}

/** Row with a document. Absent topic and criterion are ''. */
export interface DocumentRow {
  topic: string;
  title: string;
  content: string;
  criterion: string;
}

/** A row by the names of its columns. */
export type Values = Readonly<Record<string, string>>;
/** Reads a row. Throws AppError with a message about its fault. */
type RowReader<Row> = (values: Values) => Row;

/** Reader of the rows of a file, and the columns that it does not read. */
interface FileReader<Row> {
  read: RowReader<Row>;
  unusedColumns: string[];
}

/** Returns the reader of conversations. Throws AppError with a sentence about the header. */
export function conversationReader(columns: readonly string[]): FileReader<ConversationRow> {
  const { topic, task, conversation, input, output, role, content } = findColumns(columns, CONVERSATIONS);
  const reported = (values: Values): Omit<ConversationRow, 'turns'> => ({
    topic: topic.of(values),
    task: task.of(values),
    conversation: conversation.of(values),
  });
  if (input.isThere) {
    const read = (values: Values): ConversationRow => {
      const [asked, answered] = [input.of(values), output.of(values)];
      if (asked === '') throw unreadable('has no input');
      const turns: ImportedMessage[] = [{ role: 'user', content: asked }];
      if (answered !== '') turns.push({ role: 'assistant', content: answered });
      return { ...reported(values), turns };
    };
    return { read, unusedColumns: unusedOf(columns, [topic, task, conversation, input, output]) };
  }
  if (role.isThere && content.isThere && conversation.isThere) {
    const read = (values: Values): ConversationRow => {
      const [speaker, said] = [roleOf(role.of(values)), content.of(values)];
      if (said === '') throw unreadable('has no content');
      if (conversation.of(values) === '') throw unreadable('has no conversation');
      return { ...reported(values), turns: [{ role: speaker, content: said }] };
    };
    return { read, unusedColumns: unusedOf(columns, [topic, task, conversation, role, content]) };
  }
  throw missing(columns, 'a column named input, or the columns conversation_id, role and content');
}

/** Returns the reader of documents. Throws AppError with a sentence about the header. */
export function documentReader(columns: readonly string[]): FileReader<DocumentRow> {
  const { topic, title, content, criterion } = findColumns(columns, DOCUMENTS);
  if (!title.isThere || !content.isThere) throw missing(columns, 'the columns title and content');
  const read = (values: Values): DocumentRow => ({
    topic: topic.of(values),
    title: title.of(values),
    content: content.of(values),
    criterion: criterion.of(values),
  });
  return { read, unusedColumns: unusedOf(columns, [topic, title, content, criterion]) };
}

const ROLES: ReadonlyMap<string, ImportedMessage['role']> = new Map([
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['bot', 'assistant'],
  ['system', 'system'],
]);

function roleOf(name: string): ImportedMessage['role'] {
  const role = ROLES.get(name.toLowerCase());
  if (!role) throw unreadable(`has an unknown role; it must be one of ${[...ROLES.keys()].join(', ')}`);
  return role;
}

interface Column {
  /** Name of the column in the file; undefined when it is absent. */
  name: string | undefined;
  isThere: boolean;
  /** Returns the trimmed value in a row; '' when it is absent. */
  of: (values: Values) => string;
}

function findColumns<Field extends string>(
  columns: readonly string[],
  names: Readonly<Record<Field, readonly string[]>>,
): Record<Field, Column> {
  const found = Object.entries<string | undefined>(columnsByField(columns, names)).map(([field, name]) => {
    const of = (values: Values): string => (name === undefined ? '' : (values[name]?.trim() ?? ''));
    return [field, { name, isThere: name !== undefined, of }];
  });
  return Object.fromEntries(found) as Record<Field, Column>;
}

function unusedOf(columns: readonly string[], used: readonly Column[]): string[] {
  const names = new Set(used.map(({ name }) => name));
  return columns.filter((column) => !names.has(column));
}

const MAX_SHOWN = 200;

const missing = (columns: readonly string[], what: string): AppError =>
  unreadable(`The header needs ${what}; it has: ${truncate(columns.join(', '), MAX_SHOWN)}`);

const unreadable = (reason: string): AppError => new AppError('invalid', reason);

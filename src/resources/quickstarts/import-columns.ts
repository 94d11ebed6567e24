/** Names of the columns of uploaded files. The dashboard reads them too, to show what each column becomes. */

const TOPIC = ['topic', 'topic_title', 'category'];
/** Names that the column of a field may have, in order of precedence. */
export const CONVERSATIONS = {
  topic: TOPIC,
  task: ['task', 'task_title', 'title'],
  conversation: ['conversation_id', 'conversation', 'thread_id', 'session_id'],
  input: ['input', 'prompt', 'question', 'user', 'query'],
  output: ['output', 'answer', 'assistant', 'expected', 'expected_output', 'response'],
  role: ['role', 'speaker'],
  content: ['content', 'message', 'text'],
};
export const DOCUMENTS = {
  topic: TOPIC,
  title: ['title', 'name', 'heading', 'question'],
  content: ['content', 'text', 'body', 'answer'],
  criterion: ['criterion'],
};

type ByField<Field extends string, T> = Readonly<Record<Field, T>>;

/** Returns the column of each field, by their names in any spelling and case; undefined for an absent one. */
export function columnsByField<Field extends string>(
  columns: readonly string[],
  names: ByField<Field, readonly string[]>,
): ByField<Field, string | undefined> {
  const given = new Map(columns.map((name) => [name.toLowerCase().replaceAll(/[\s_-]+/g, '_'), name]));
  const found = Object.entries<readonly string[]>(names).map(([field, accepted]) => [
    field,
    accepted.map((one) => given.get(one)).find((one) => one !== undefined),
  ]);
  return Object.fromEntries(found) as ByField<Field, string | undefined>;
}

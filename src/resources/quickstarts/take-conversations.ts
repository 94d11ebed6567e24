import { randomUUID } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { truncate } from '../../traces/truncate.ts';
import type { FieldsOf } from '../../storage/record.ts';
import {
  addAnsweredExamples,
  type AnsweredPrompt,
  expectAnswer,
  inputExamplesOf,
} from '../examples/input-examples.ts';
import { createTaskBody, updateTaskBody } from '../tasks/contract.ts';
import { insertTask } from '../tasks/store.ts';
import { conversations, turns } from './conversation-record.ts';
import { checked, type ImportBatch, noteReused, type TopicsByTitle } from './import-batch.ts';
import type { ConversationRow, ImportedMessage } from './import-formats.ts';
import { byIndex } from '../../storage/dialect.ts';

const MAX_TURNS = 1_000;
const MAX_CHARACTERS = 200_000;
const MAX_TITLE = 100;
/** Most turns of a conversation before its first answer: an instruction of the system, and the first message. */
const MAX_OPENING = 2;

const progress = conversations.pick('id', 'taskId', 'turnCount', 'characters');
type Conversation = FieldsOf<typeof progress>;

interface Task {
  id: string;
  inputExamples: string[];
  /** Examples to add. */
  added: AnsweredPrompt[];
  hasRoom: boolean;
}

/**
 * Reads the rows of one batch and collects the examples of each task in memory; `store` writes them. A row that
 * throws AppError has no effect.
 */
export class ConversationBatch {
  private readonly batch: ImportBatch;
  private readonly topics: TopicsByTitle;
  private readonly tasks = new Map<string, Task>();

  constructor(batch: ImportBatch, topics: TopicsByTitle) {
    this.batch = batch;
    this.topics = topics;
  }

  take(row: ConversationRow): void {
    const before = row.conversation === '' ? undefined : this.findConversation(row.conversation);
    const { id, taskId, turnCount, characters }: Conversation =
      before ?? this.makeConversation(row.conversation);
    const length = row.turns.reduce((sum, { content }) => sum + content.length, characters);
    if (turnCount + row.turns.length > MAX_TURNS)
      throw new AppError('invalid', `belongs to a conversation of more than ${MAX_TURNS} turns`);
    if (length > MAX_CHARACTERS)
      throw new AppError('invalid', `belongs to a conversation of more than ${MAX_CHARACTERS} characters`);
    this.addTurns(id, row.turns);
    // The first message of a conversation is what a test can send.
    const opening = taskId === null && row.turns.find(({ role }) => role === 'user')?.content;
    const {
      database,
      owner: { application },
      at,
    } = this.batch;
    const answer = row.turns.find(({ role }) => role === 'assistant')?.content ?? null;
    if (taskId !== null && answer !== null && turnCount <= MAX_OPENING) this.noteAnswer(id, taskId);
    conversations.update(
      database,
      { application, id, at },
      {
        taskId: opening ? this.addExample(row, { prompt: opening, expected: answer }) : taskId,
        turnCount: turnCount + row.turns.length,
        characters: length,
      },
    );
  }

  store(): void {
    const { database, owner, at } = this.batch;
    for (const { id, added } of this.tasks.values())
      addAnsweredExamples(database, { application: owner.application, taskId: id, at }, added);
  }

  /** Makes the first answer of a conversation what is expected of its example. Its turns have been stored. */
  private noteAnswer(conversationId: string, taskId: string): void {
    const {
      database,
      owner: { application },
      at,
    } = this.batch;
    const condition = 'conversation_id = :conversationId ORDER BY id LIMIT :limit';
    const limit = MAX_OPENING + 1;
    const [asked, answered] = turns
      .all(database, application, condition, { conversationId, limit })
      .filter(({ role }) => role !== 'system');
    if (asked?.role !== 'user' || answered?.role !== 'assistant') return;
    const example = { prompt: asked.content, expected: answered.content };
    const pending = [...this.tasks.values()]
      .find(({ id }) => id === taskId)
      ?.added.find(({ prompt }) => prompt === example.prompt);
    if (pending) pending.expected ??= example.expected;
    else expectAnswer(database, { application, taskId, at }, example);
  }

  private findConversation(externalId: string): Conversation | undefined {
    const { database, owner, upload } = this.batch;
    const condition = 'upload_id = :uploadId AND external_id = :externalId';
    return progress.all(database, owner.application, condition, { uploadId: upload.id, externalId })[0];
  }

  private makeConversation(externalId: string): Conversation {
    const { database, owner, upload, created, at } = this.batch;
    const id = randomUUID();
    const begun = { id, taskId: null, turnCount: 0, characters: 0 };
    const { id: uploadId, quickstartId } = upload;
    conversations.insert(
      database,
      { application: owner.application, at },
      { ...begun, quickstartId, uploadId, externalId: externalId === '' ? null : externalId },
    );
    created.conversations += 1;
    return begun;
  }

  private addTurns(conversationId: string, added: readonly ImportedMessage[]): void {
    const {
      database,
      owner: { application },
      at,
    } = this.batch;
    for (const turn of added) turns.insert(database, { application, at }, { ...turn, conversationId });
  }

  /** Adds the prompt to the examples of a task, and returns the task's id. */
  private addExample({ topic, task: title }: ConversationRow, example: AnsweredPrompt): string {
    const { prompt } = example;
    const topicId = this.topics.idOf(topic);
    const fields = { title: title || truncate(prompt.replaceAll(/\s+/g, ' '), MAX_TITLE).trim(), topicId };
    const key = JSON.stringify(fields);
    const known = this.tasks.get(key) ?? this.findTask(fields);
    const task = known ?? this.makeTask(fields, example);
    this.tasks.set(key, task);
    if (!known) return task.id;
    const { created, notCarried } = this.batch;
    if (task.inputExamples.includes(prompt)) {
      notCarried.knownPrompts += 1;
      return task.id;
    }
    const inputExamples = [...task.inputExamples, prompt];
    task.hasRoom &&= updateTaskBody.safeParse({ inputExamples }).success;
    if (!task.hasRoom) {
      notCarried.promptsBeyondLimit += 1;
      return task.id;
    }
    created.inputExamples += 1;
    task.inputExamples = inputExamples;
    task.added.push(example);
    return task.id;
  }

  private findTask({ title, topicId }: { title: string; topicId: string | null }): Task | undefined {
    const { database, owner, upload } = this.batch;
    // Prompts of a task with a schema are objects. Without the hint, SQLite would scan all tasks in the order of
    // their times.
    const row = database.get<{ id: string; createdAt: number }>(
      `SELECT id, created_at AS "createdAt" FROM task ${byIndex('task_by_quickstart')}
       WHERE application = :application AND quickstart_id = :quickstartId AND status IN ('DRAFT', 'ACTIVE')
         AND title = :title AND topic_id IS NOT DISTINCT FROM :topicId
         AND simulated_prompt_schema IS NULL
       ORDER BY created_at, id LIMIT 1`,
      { application: owner.application, quickstartId: upload.quickstartId, title, topicId },
    );
    if (!row) return undefined;
    noteReused(this.batch, { type: 'task', title, ...row });
    const { inputExamples, exampleCount } = inputExamplesOf(database, {
      application: owner.application,
      taskIds: [row.id],
    })(row.id);
    return { id: row.id, inputExamples, added: [], hasRoom: exampleCount === inputExamples.length };
  }

  private makeTask(
    { title, topicId }: { title: string; topicId: string | null },
    example: AnsweredPrompt,
  ): Task {
    const { database, owner, upload, created, at } = this.batch;
    const id = randomUUID();
    const { quickstartId } = upload;
    const inputExamples = [example.prompt];
    const draft = { title, type: 'STATIC', status: 'DRAFT', inputExamples, topicId, quickstartId } as const;
    const fields = checked(createTaskBody, draft);
    // The example is added with the others, because its answer may be in a later row.
    insertTask(database, { owner, id, fields: { ...fields, inputExamples: [] }, at });
    created.tasks += 1;
    created.inputExamples += 1;
    return { id, inputExamples, added: [example], hasRoom: true };
  }
}

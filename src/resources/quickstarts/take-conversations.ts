import { randomUUID } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { cut } from '../../traces/cut.ts';
import { createTaskBody, updateTaskBody } from '../tasks/contract.ts';
import { checked, type Material, type TopicsByTitle } from './material-batch.ts';
import type { ConversationRow, Turn } from './materials.ts';

const MAX_TURNS = 1_000;
const MAX_CHARACTERS = 200_000;
const MAX_TITLE = 100;

interface Conversation {
  id: string;
  taskId: string | null;
  turnCount: number;
  characters: number;
}

interface Task {
  id: string;
  inputExamples: string[];
  hasRoom: boolean;
  isChanged: boolean;
}

/**
 * Takes the rows of one batch and keeps the examples of tasks in memory meanwhile, however many each of them gets;
 * `store` writes them. A row that throws AppError has changed nothing here.
 */
export class ConversationBatch {
  private readonly material: Material;
  private readonly topics: TopicsByTitle;
  private readonly tasks = new Map<string, Task>();

  constructor(material: Material, topics: TopicsByTitle) {
    this.material = material;
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
    // What a conversation begins with is what a test can send.
    const opening = taskId === null && row.turns.find(({ role }) => role === 'user')?.content;
    const { database, owner } = this.material;
    database.run(
      `UPDATE conversation SET task_id = ?, turn_count = turn_count + ?, characters = ?
       WHERE application = ? AND id = ?`,
      opening ? this.addExample(row, opening) : taskId,
      row.turns.length,
      length,
      owner.application,
      id,
    );
  }

  store(): void {
    const { database, owner, at } = this.material;
    for (const { id, inputExamples, isChanged } of this.tasks.values())
      if (isChanged)
        database.run(
          'UPDATE task SET input_examples = ?, modified_at = ? WHERE application = ? AND id = ?',
          JSON.stringify(inputExamples),
          at,
          owner.application,
          id,
        );
  }

  private findConversation(externalId: string): Conversation | undefined {
    const { database, owner, upload } = this.material;
    return database.get<Conversation>(
      `SELECT id, task_id AS taskId, turn_count AS turnCount, characters FROM conversation
       WHERE application = ? AND upload_id = ? AND external_id = ?`,
      owner.application,
      upload.id,
      externalId,
    );
  }

  private makeConversation(externalId: string): Conversation {
    const { database, owner, upload, created, at } = this.material;
    const id = randomUUID();
    database.run(
      `INSERT INTO conversation (id, application, quickstart_id, upload_id, external_id, turn_count, characters,
         created_at) VALUES (?, ?, ?, ?, ?, 0, 0, ?)`,
      id,
      owner.application,
      upload.quickstartId,
      upload.id,
      externalId === '' ? null : externalId,
      at,
    );
    created.conversations += 1;
    return { id, taskId: null, turnCount: 0, characters: 0 };
  }

  private addTurns(conversationId: string, turns: readonly Turn[]): void {
    const { database, owner } = this.material;
    for (const { role, content } of turns)
      database.run(
        'INSERT INTO conversation_turn (application, conversation_id, role, content) VALUES (?, ?, ?, ?)',
        owner.application,
        conversationId,
        role,
        content,
      );
  }

  /** The id of the task that the prompt is an example of now. */
  private addExample({ topic, task: title }: ConversationRow, prompt: string): string {
    const topicId = this.topics.idOf(topic);
    const fields = { title: title || cut(prompt.replaceAll(/\s+/g, ' '), MAX_TITLE).trim(), topicId };
    const key = JSON.stringify(fields);
    const task = this.tasks.get(key) ?? this.findTask(fields) ?? this.makeTask(fields, prompt);
    this.tasks.set(key, task);
    if (!task.hasRoom || task.inputExamples.includes(prompt)) return task.id;
    const inputExamples = [...task.inputExamples, prompt];
    task.hasRoom = updateTaskBody.safeParse({ inputExamples }).success;
    if (!task.hasRoom) return task.id;
    this.material.created.inputExamples += 1;
    Object.assign(task, { inputExamples, isChanged: true });
    return task.id;
  }

  private findTask({ title, topicId }: { title: string; topicId: string | null }): Task | undefined {
    const { database, owner, upload } = this.material;
    // Prompts of a task with a schema are objects. Left to itself SQLite would rather walk all tasks in the order of their times.
    const row = database.get<{ id: string; inputExamples: string }>(
      `SELECT id, input_examples AS inputExamples FROM task INDEXED BY task_by_quickstart
       WHERE application = ? AND quickstart_id = ? AND status IN ('DRAFT', 'ACTIVE') AND title = ? AND topic_id IS ?
         AND simulated_prompt_schema IS NULL
       ORDER BY created_at, id LIMIT 1`,
      owner.application,
      upload.quickstartId,
      title,
      topicId,
    );
    if (!row) return undefined;
    const inputExamples = JSON.parse(row.inputExamples) as string[];
    return { id: row.id, inputExamples, hasRoom: true, isChanged: false };
  }

  private makeTask({ title, topicId }: { title: string; topicId: string | null }, prompt: string): Task {
    const { database, makers, owner, upload, created, at } = this.material;
    const id = randomUUID();
    const { quickstartId } = upload;
    const inputExamples = [prompt];
    const draft = { title, type: 'STATIC', status: 'DRAFT', inputExamples, topicId, quickstartId } as const;
    makers.insertTask(database, { owner, id, fields: checked(createTaskBody, draft), at });
    created.tasks += 1;
    created.inputExamples += 1;
    return { id, inputExamples, hasRoom: true, isChanged: false };
  }
}

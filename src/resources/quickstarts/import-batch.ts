import { randomUUID } from 'node:crypto';
import type { Owner } from '../../contract/owner.ts';
import type { z } from 'zod';
import { issuesOf } from '../../contract/errors.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { byIndex } from '../../storage/dialect.ts';
import { createTopicBody } from '../topics/contract.ts';
import { insertTopic } from '../topics/store.ts';
import { MAX_REUSED, type QuickstartUpload, type UploadReport } from './upload-contract.ts';

/** Most topics of a quickstart, because the counts of policies list every topic. */
const MAX_TOPICS = 1_000;

export interface ImportBatch {
  database: Database;
  owner: Owner;
  upload: Pick<QuickstartUpload, 'id' | 'quickstartId' | 'materialType'>;
  /** Numbers of created records, counted as they are created. */
  created: UploadReport['created'];
  /** Existing topics and tasks that rows were added to. */
  reused: NonNullable<UploadReport['reused']>;
  /** Numbers of prompts that were not added. */
  notCarried: NonNullable<UploadReport['notCarried']>;
  /** Unix milliseconds of the first rows; records that are older existed before. */
  startedAt: number;
  at: number;
}

/** Topics of the rows of one batch. */
export class TopicsByTitle {
  private readonly batch: ImportBatch;
  private readonly ids = new Map<string, string>();

  constructor(batch: ImportBatch) {
    this.batch = batch;
  }

  /**
   * Returns the topic of the quickstart with that title, and creates it if it does not exist; null for ''. Throws
   * AppError.
   */
  idOf(title: string): string | null {
    if (title === '') return null;
    const id = this.ids.get(title) ?? this.find(title) ?? this.make(title);
    this.ids.set(title, id);
    return id;
  }

  /** Clears the topics; called when their creation may have been undone. */
  forget(): void {
    this.ids.clear();
  }

  private find(title: string): string | undefined {
    const { database, owner, upload } = this.batch;
    const found = database.get<{ id: string; createdAt: number }>(
      `SELECT id, created_at AS "createdAt" FROM topic ${byIndex('topic_by_quickstart')}
       WHERE application = :application AND quickstart_id = :quickstartId AND status IN ('DRAFT', 'ACTIVE')
         AND title = :title
       ORDER BY created_at, id LIMIT 1`,
      { application: owner.application, quickstartId: upload.quickstartId, title },
    );
    if (found) noteReused(this.batch, { type: 'topic', title, ...found });
    return found?.id;
  }

  private make(title: string): string {
    const { database, owner, upload, created, at } = this.batch;
    const { quickstartId } = upload;
    const fields = checked(createTopicBody, { title, status: 'DRAFT', quickstartId });
    const known = database.get<{ n: number }>(
      'SELECT count(*) AS n FROM topic WHERE application = :application AND quickstart_id = :quickstartId',
      { application: owner.application, quickstartId },
    );
    if (known && known.n >= MAX_TOPICS)
      throw new AppError(
        'conflict',
        `would create more than the ${MAX_TOPICS} topics that a quickstart can have`,
      );
    const id = randomUUID();
    insertTopic(database, { owner, id, fields, at });
    created.topics += 1;
    return id;
  }
}

/** Adds a record to the report if it existed before the upload. */
export function noteReused(
  { reused, startedAt }: ImportBatch,
  { type, id, title, createdAt }: { type: 'topic' | 'task'; id: string; title: string; createdAt: number },
): void {
  if (createdAt >= startedAt || reused.length >= MAX_REUSED || reused.some((one) => one.id === id)) return;
  reused.push({ type, id, title });
}

/** Parses a value with a schema. Throws AppError with a sentence about the first fault. */
export function checked<S extends z.ZodType>(schema: S, value: z.input<S>): z.output<S> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const [issue] = issuesOf(parsed.error);
  throw new AppError('invalid', `${issue?.path.join('.') ?? 'row'}: ${issue?.message ?? 'not valid'}`);
}

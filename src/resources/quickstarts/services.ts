import type { z } from 'zod';
import type { ById, Owner } from '../../contract/owner.ts';
import type { Database } from '../../storage/database.ts';
import type { createDefinitionBody } from '../definitions/contract.ts';
import type { createDocumentBody } from '../documents/contract.ts';
import type { inputExamplesOf } from '../examples/input-examples.ts';
import type { createTaskBody } from '../tasks/contract.ts';
import type { createTopicBody } from '../topics/contract.ts';
import type { DraftsOf } from '../../storage/drafts.ts';

type Make<Fields> = (database: Database, args: ById & { fields: Fields; at: number }) => unknown;

/**
 * Activates at most `limit` drafts of a quickstart; returns their number. Their contents were checked on creation.
 */
export type ActivateDrafts = (database: Database, of: DraftsOf) => number;

/** Functions of other resources that create and change the records of a quickstart; each throws their errors. */
export interface Services {
  insertTopic: Make<z.output<typeof createTopicBody>>;
  insertTask: Make<z.output<typeof createTaskBody>>;
  inputExamplesOf: typeof inputExamplesOf;
  /** Adds checked prompts to the examples of a task. */
  addInputExamples: (
    database: Database,
    args: { application: number; taskId: string; at: number },
    prompts: readonly string[],
  ) => unknown;
  activateTopics: ActivateDrafts;
  activateTasks: ActivateDrafts;
  activateDefinitions: ActivateDrafts;
  createDefinition: Make<z.output<typeof createDefinitionBody>>;
  /** Creates a document; `fileProcessingId` is the upload that it is from. */
  insertDocument: (
    database: Database,
    args: {
      owner: Owner;
      id: string;
      fields: z.output<typeof createDocumentBody>;
      origin: { fileProcessingId: string };
      at: number;
    },
  ) => unknown;
  /** Approves the draft version of a document. */
  approveDocument: (database: Database, args: ById & { at: number }) => unknown;
  approveStyleGuide: (database: Database, args: ById & { at: number }) => unknown;
}

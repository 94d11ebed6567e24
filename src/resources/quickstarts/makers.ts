import type { z } from 'zod';
import type { Database } from '../../storage/sqlite/database.ts';
import type { Owner } from '../../traces/read.ts';
import type { createDefinitionBody } from '../definitions/contract.ts';
import type { createDocumentBody } from '../documents/contract.ts';
import type { createTaskBody, updateTaskBody } from '../tasks/contract.ts';
import type { createTopicBody } from '../topics/contract.ts';

type Make<Fields> = (
  database: Database,
  args: { owner: Owner; id: string; fields: Fields; at: number },
) => unknown;

/** How other resources make and change what a quickstart makes of material; each throws as they do. */
export interface Makers {
  createTopic: Make<z.output<typeof createTopicBody>>;
  createTask: Make<z.output<typeof createTaskBody>>;
  updateTask: (
    database: Database,
    args: { owner: Owner; id: string; given: z.output<typeof updateTaskBody>; at: number },
  ) => unknown;
  /** To be called when a task has become active. */
  planNextRun: (database: Database, args: { application: number; taskId: string; at: number }) => void;
  createDefinition: Make<z.output<typeof createDefinitionBody>>;
  /** `fileProcessingId`: the upload it came with. */
  createDocument: (
    database: Database,
    args: {
      owner: Owner;
      id: string;
      fields: z.output<typeof createDocumentBody>;
      origin: { fileProcessingId: string };
      at: number;
    },
  ) => unknown;
  /** Makes the draft version of a document the one that counts. */
  approveDocument: (database: Database, args: { owner: Owner; id: string; at: number }) => unknown;
  approveStyleGuide: (database: Database, args: { owner: Owner; id: string; at: number }) => unknown;
}

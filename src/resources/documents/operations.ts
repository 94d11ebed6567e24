import { mergeOperations } from '../../storage/operations.ts';
import { assigneeQueries } from './assignee-counts.ts';
import { chunkQueries } from './chunk-store.ts';
import { storeCommands, storeQueries } from './store.ts';
import { documentTagCommands, documentTagQueries } from './tag-store.ts';
import { documentUploadCommands } from './upload-store.ts';
import { versionCommands, versionQueries } from './versions.ts';

export const documentCommands = mergeOperations(
  storeCommands,
  versionCommands,
  documentUploadCommands,
  documentTagCommands,
);
export const documentQueries = mergeOperations(
  storeQueries,
  versionQueries,
  chunkQueries,
  assigneeQueries,
  documentTagQueries,
);

import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { documentCommands, documentQueries } from './operations.ts';

export const {
  createDocument,
  updateDocument,
  deleteOtherVersions,
  deleteDocument,
  createDocumentVersion,
  updateDocumentVersion,
  activateDocumentVersion,
  createDocumentsOf,
  replaceDocumentTags,
} = commandsOf<typeof documentCommands>();
export const {
  getDocument,
  listDocuments,
  checkDocumentPlace,
  getDocumentVersion,
  listDocumentVersions,
  listChunks,
  countByAssignee,
  listDocumentTags,
} = queriesOf<typeof documentQueries>();

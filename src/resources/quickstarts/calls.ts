import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { quickstartCommands, quickstartQueries } from './store.ts';

export const {
  createQuickstart,
  updateQuickstart,
  takeUploadRows,
  storeUploadPart,
  createUpload,
  beginUpload,
  endUpload,
  dropUploadParts,
  confirmStyleScores,
  completeQuickstart,
  failQuickstart,
} = commandsOf<typeof quickstartCommands>();
export const {
  getQuickstart,
  listQuickstarts,
  countPolicies,
  countSteps,
  listConversations,
  checkUploadable,
  brokenUploads,
  readUploadPart,
  getUpload,
  listUploads,
} = queriesOf<typeof quickstartQueries>();

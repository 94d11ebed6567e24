import { asIs, flag, nullable, number, text } from '../../storage/column.ts';
import { versionedRecord } from '../../storage/record.ts';
import type { Document } from './contract.ts';

export const documents = versionedRecord('document', 'document', {
  type: asIs<Document['type']>(),
  status: asIs<Document['status']>(),
  title: text,
  optimized: flag,
  isVerified: flag,
  assignee: nullable(text),
  scrapeJobId: nullable(text),
  fileProcessingId: nullable(text),
  topicId: nullable(text),
  quickstartId: nullable(text),
  currentVersion: number,
  /** Number of chunks; 0 while no version is approved, because approved content is never empty. */
  chunkCount: number,
});

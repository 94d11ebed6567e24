import { asIs, json, number, text } from '../../storage/column.ts';
import { record } from '../../storage/record.ts';
import type { Version } from './contract.ts';

export const versions = record('document_version', 'version', {
  title: text,
  language: text,
  status: asIs<Version['status']>(),
  type: asIs<Version['type']>(),
  versionNumber: number,
  documentId: text,
  metadata: json<Record<string, unknown>>(),
  originalSentences: json<string[]>(),
  content: text,
  preview: text,
});

/** Columns that lists show. */
export const versionEntries = versions.omit('metadata', 'originalSentences', 'content', 'preview');

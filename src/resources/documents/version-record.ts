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

/** Longest metadata, in characters, that lists show. */
const MAX_LISTED_METADATA = 1_000;

/** Columns that lists show. */
export const versionEntries = versions
  .with({
    content: { ...text, select: (_column, table) => `${table}.preview` },
    metadata: {
      ...json<Record<string, unknown>>(),
      select: (column) =>
        `CASE WHEN length(${column}) <= ${MAX_LISTED_METADATA} THEN ${column} ELSE '{}' END`,
    },
    originalSentences: { ...json<string[]>(), select: () => `'[]'` },
  })
  .omit('preview');

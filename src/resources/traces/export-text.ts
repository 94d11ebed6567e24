import type { z } from 'zod';
import type { listedTrace } from './trace-record.ts';

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

type Listed = z.output<typeof listedTrace>;

/** Columns of a CSV file, and what they contain. */
const COLUMNS: Readonly<Record<string, (trace: Listed) => string | number | null>> = {
  id: ({ id }) => id,
  timestamp: ({ timestamp }) => timestamp,
  name: ({ rootName }) => rootName,
  input: ({ input }) => input,
  output: ({ output }) => output,
  durationMs: ({ durationMs }) => durationMs,
  spanCount: ({ spanCount }) => spanCount,
  errorCount: ({ errorCount }) => errorCount,
  promptTokens: ({ usage }) => usage.promptTokens,
  completionTokens: ({ usage }) => usage.completionTokens,
  totalTokens: ({ usage }) => usage.totalTokens,
  cost: ({ cost }) => cost,
  models: ({ models }) => models.join(' '),
  services: ({ services }) => services.join(' '),
  environment: ({ environment }) => environment,
  tags: ({ tags }) => tags.join(' '),
  sessionId: ({ sessionId }) => sessionId,
  userId: ({ userId }) => userId,
};

/** Text before the first trace of a file. */
export const exportHead = (format: ExportFormat): string =>
  format === 'csv' ? `${Object.keys(COLUMNS).join(',')}\r\n` : '';

/** Formats one trace as a line of a file. */
export const exportLine = (format: ExportFormat, trace: Listed): string =>
  format === 'csv'
    ? `${Object.values(COLUMNS)
        .map((read) => csvCell(read(trace)))
        .join(',')}\r\n`
    : `${JSON.stringify(trace)}\n`;

/**
 * Formats a cell (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe in front: anybody may have
 * sent it.
 */
function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

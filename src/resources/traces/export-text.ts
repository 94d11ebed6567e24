import type { z } from 'zod';
import { csvLine } from '../exports/csv-line.ts';
import type { ExportFormat } from '../exports/export-stream.ts';
import type { listedTrace } from './trace-record.ts';

export type Listed = z.output<typeof listedTrace>;

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
  format === 'csv' ? csvLine(Object.keys(COLUMNS)) : '';

/** Formats one trace as a line of a file. */
export const exportLine = (format: ExportFormat, trace: Listed): string =>
  format === 'csv'
    ? csvLine(Object.values(COLUMNS).map((read) => read(trace)))
    : `${JSON.stringify(trace)}\n`;

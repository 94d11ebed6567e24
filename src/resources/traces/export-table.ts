import type { z } from 'zod';
import {
  type ExportTable,
  integerColumn,
  exportNumber,
  textColumn,
  timeColumn,
} from '../exports/export-table.ts';
import type { listedTrace } from './trace-record.ts';

export type Listed = z.output<typeof listedTrace>;

/** Traces in a file: in JSONL as lists show them. */
export const traceTable: ExportTable<Listed> = {
  columns: {
    id: textColumn(({ id }) => id),
    timestamp: timeColumn(({ timestamp }) => timestamp),
    name: textColumn(({ rootName }) => rootName),
    input: textColumn(({ input }) => input),
    output: textColumn(({ output }) => output),
    durationMs: exportNumber(({ durationMs }) => durationMs),
    spanCount: integerColumn(({ spanCount }) => spanCount),
    errorCount: integerColumn(({ errorCount }) => errorCount),
    promptTokens: exportNumber(({ usage }) => usage.promptTokens),
    completionTokens: exportNumber(({ usage }) => usage.completionTokens),
    totalTokens: exportNumber(({ usage }) => usage.totalTokens),
    cost: exportNumber(({ cost }) => cost),
    models: textColumn(({ models }) => models.join(' ')),
    services: textColumn(({ services }) => services.join(' ')),
    environment: textColumn(({ environment }) => environment),
    tags: textColumn(({ tags }) => tags.join(' ')),
    sessionId: textColumn(({ sessionId }) => sessionId),
    userId: textColumn(({ userId }) => userId),
  },
  object: (trace) => trace,
};

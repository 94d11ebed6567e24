import type { Database } from '../../storage/sqlite/database.ts';
import { deleteTrace } from '../../traces/delete.ts';

/** Removes what a resource keeps that repeats or judges the texts of a trace. */
export type ForgetTrace = (database: Database, args: { application: number; traceId: Uint8Array }) => void;

/** `deleteTrace`, and what others keep of the trace goes with it. */
export const deleteTraceAnd =
  (forget: readonly ForgetTrace[]) =>
  (database: Database, args: Parameters<typeof deleteTrace>[1]): ReturnType<typeof deleteTrace> => {
    const deleted = deleteTrace(database, args);
    if (!deleted) return null;
    const { application } = args;
    for (const forgetTrace of forget) forgetTrace(database, { application, traceId: deleted.traceId });
    return deleted;
  };

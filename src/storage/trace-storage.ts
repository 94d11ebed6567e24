import type { OwnTraces } from '../runtime/own-traces/traces.ts';
import type { Call, Operations } from './operations.ts';
import type { Storage } from './storage.ts';

/** Returns the storage with a span for each call, named like its command or query. */
export function traceStorage<W extends Operations, R extends Operations>(
  storage: Storage<W, R>,
  traces: OwnTraces,
  system: string,
): Storage<W, R> {
  const traced =
    <T extends Operations>(call: Call<T>): Call<T> =>
    (name, args, bytes) => {
      const operation = operationOf(name, args);
      const attributes = { 'db.system.name': system, 'db.operation.name': operation };
      return traces.child({ name: operation, kind: 'client', attributes }, () => call(name, args, bytes));
    };
  return { ...storage, read: traced(storage.read), write: traced(storage.write) };
}

/** Returns the name of a command; one that runs another command has its name in the arguments. */
function operationOf(name: string, args: unknown): string {
  const { command } = (args ?? {}) as { command?: unknown };
  return typeof command === 'string' ? command : name;
}

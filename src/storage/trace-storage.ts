import type { OwnTraces } from '../runtime/own-traces/traces.ts';
import type { Storage } from './storage.ts';

type AnyCall = (name: string, args: unknown, bytes?: Uint8Array) => Promise<unknown>;

/** Returns the storage with a span for each call, named like its command or query. */
export function traceStorage(storage: Storage, traces: OwnTraces, system: string): Storage {
  const traced =
    (call: AnyCall): AnyCall =>
    (name, args, bytes) => {
      const operation = operationOf(name, args);
      const attributes = { 'db.system.name': system, 'db.operation.name': operation };
      return traces.child({ name: operation, kind: 'client', attributes }, () => call(name, args, bytes));
    };
  return {
    ...storage,
    read: traced(storage.read as AnyCall) as Storage['read'],
    write: traced(storage.write as AnyCall) as Storage['write'],
  };
}

/** Returns the name of a command; one that runs another command has its name in the arguments. */
function operationOf(name: string, args: unknown): string {
  const { command } = (args ?? {}) as { command?: unknown };
  return typeof command === 'string' ? command : name;
}

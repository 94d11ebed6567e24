import { AsyncLocalStorage } from 'node:async_hooks';
import type { Route } from '../contract/route.ts';
import type { Principal } from '../contract/scope.ts';
import { audited, recordChange } from '../people/calls.ts';
import type { Command, Write } from '../storage/calls.ts';
import { sha256Hex } from '../runtime/sha256.ts';

/** A call that is recorded once something of it is stored. */
interface AuditedCall {
  principal: Principal;
  action: string;
  resourceId: string | null;
  requestId: string;
  /** Aborts once the caller may no longer make the call. */
  revoked: AbortSignal;
  isRecorded: boolean;
}

/** Records the calls of routes that change something, each in the transaction of its first change, and exports. */
export interface Audit {
  /** Stores like `write`; within `record`, together with the entry of the call. */
  write: Write;
  /** Runs the handler of a route. */
  record: <T>(route: Route, call: CallOf, handle: () => Promise<T>) => Promise<T>;
}

interface CallOf {
  principal: Principal | null;
  params: unknown;
  requestId: string;
  revoked: AbortSignal;
}

const MAX_RESOURCE_ID = 256;

export function createAudit(write: Write, now: () => number): Audit {
  const calls = new AsyncLocalStorage<AuditedCall>();

  const changeOf = ({ principal, action, resourceId, requestId }: AuditedCall, args?: unknown) => ({
    at: now(),
    actor: principal.actor,
    action,
    resourceId: resourceId ?? idOf(args),
    requestId,
  });

  const recordingWrite = async (command: Command, args: unknown, bytes?: Uint8Array): Promise<unknown> => {
    const call = calls.getStore();
    // A call that stores much does so by several commands.
    call?.revoked.throwIfAborted();
    if (!call || call.isRecorded) return write(command, args as never, bytes);
    call.isRecorded = true;
    try {
      const { application } = call.principal;
      const change = changeOf(call, args);
      const { value, isRecorded } = await write(audited, { application, change, command, args }, bytes);
      call.isRecorded = isRecorded;
      return value;
    } catch (error) {
      // Nothing was stored: a command that follows may be the first that is.
      call.isRecorded = false;
      throw error;
    }
  };

  return {
    write: recordingWrite as Write,
    record: async (route, { principal, params, requestId, revoked }, handle) => {
      revoked.throwIfAborted();
      if (principal === null || !isRecorded(route)) return handle();
      const resourceId = Object.values((params ?? {}) as Record<string, string>).join('/') || null;
      const call = {
        principal,
        action: route.operationId,
        resourceId: resourceId && shownId(route, resourceId),
        requestId,
        revoked,
        isRecorded: false,
      };
      const result = await calls.run(call, handle);
      // Such a call stores nothing of its own, as one that only reaches the webhook.
      if (!call.isRecorded)
        await write(recordChange, { application: principal.application, ...changeOf(call) });
      return result;
    },
  };
}

/** Returns an id as it is recorded. That of a session is of the customer, and may name a person. */
const shownId = ({ path }: Route, id: string): string =>
  path.startsWith('/v0/sessions/') ? sha256Hex(id) : id.slice(0, MAX_RESOURCE_ID);

/** Reports whether calls of a route are recorded: those that change something, and exports. */
const isRecorded = ({ method, scope, response }: Route): boolean =>
  (method !== 'GET' && scope !== 'read') || response === 'stream';

/** The id in the arguments of a command that creates a record. */
function idOf(args: unknown): string | null {
  const { id } = (args ?? {}) as { id?: unknown };
  return typeof id === 'string' ? id : null;
}

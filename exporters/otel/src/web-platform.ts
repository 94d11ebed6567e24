import { AsyncContextManager, type ContextStorage } from './context-manager.ts';
import { FetchPost } from './fetch-post.ts';
import { whenPageEnds } from './page-end.ts';
import type { Platform } from './platform.ts';
import { StackStorage } from './stack-storage.ts';

/** Cloudflare Workers, Next.js's edge runtime, browsers: runtimes with `fetch` and without Node's modules. */
export const WEB: Platform = {
  transport: () => new FetchPost(),
  contextManager: () => new AsyncContextManager(contextStorage()),
  spoolFolder: (_settings, notice) => {
    notice('this runtime has no disk, so spoolDir is ignored.');
    return undefined;
  },
  unsentNote: () => undefined,
  whenEnds: whenPageEnds,
  // A worker has 128 MB in all.
  maxQueueBytes: 8 * 2 ** 20,
  endRemedy: 'Pass flush() to waitUntil.',
};

type StorageClass = new () => ContextStorage;

/** AsyncLocalStorage where the runtime has it: as a global in Next.js, with `nodejs_compat` in Cloudflare Workers. */
function contextStorage(): ContextStorage {
  const globals = globalThis as {
    AsyncLocalStorage?: StorageClass;
    process?: { getBuiltinModule?: (name: string) => { AsyncLocalStorage?: StorageClass } | undefined };
  };
  try {
    const Storage =
      globals.AsyncLocalStorage ?? globals.process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage;
    if (Storage) return new Storage();
  } catch {
    // Next.js's edge runtime has functions of Node that throw.
  }
  return new StackStorage();
}

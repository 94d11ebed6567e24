import { AsyncLocalStorage } from 'node:async_hooks';
import { AsyncContextManager } from './context-manager.ts';
import { readCertificates } from './certificates.ts';
import { HttpPost } from './http-post.ts';
import { NodeSpoolFolder } from './node-spool-folder.ts';
import type { Platform } from './platform.ts';
import { whenProcessEnds } from './process-end.ts';
import { NodeUnsentNote } from './unsent-note.ts';

export const NODE: Platform = {
  transport: (env) => new HttpPost(readCertificates(env), env),
  contextManager: () => new AsyncContextManager(new AsyncLocalStorage()),
  spoolFolder: (settings, notice) => new NodeSpoolFolder(settings, notice),
  // Deno requests permission to write from whoever sits at the terminal: only a folder that is set is used there.
  unsentNote: (settings, count) =>
    settings.dir === undefined && 'deno' in process.versions
      ? undefined
      : new NodeUnsentNote(settings, count),
  whenEnds: whenProcessEnds,
  maxQueueBytes: 32 * 2 ** 20,
  endRemedy: 'Call await shutdown() before the process ends, or flush() before process.exit().',
};

import { AsyncLocalStorage } from 'node:async_hooks';
import { AsyncContextManager } from './context-manager.ts';
import { readCertificates } from './certificates.ts';
import { HttpPost } from './http-post.ts';
import { NodeSpoolFolder } from './node-spool-folder.ts';
import type { Platform } from './platform.ts';
import { whenProcessEnds } from './process-end.ts';

export const NODE: Platform = {
  transport: (env) => new HttpPost(readCertificates(env), env),
  contextManager: () => new AsyncContextManager(new AsyncLocalStorage()),
  spoolFolder: (settings, notice) => new NodeSpoolFolder(settings, notice),
  whenEnds: whenProcessEnds,
  maxQueueBytes: 32 * 2 ** 20,
  endRemedy: 'Call await shutdown() before the process ends, or flush() before process.exit().',
};

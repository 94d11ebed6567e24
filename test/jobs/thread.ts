import { MessageChannel, Worker } from 'node:worker_threads';
import { finishJob } from '../../src/jobs/store.ts';
import { jobCommands } from '../../src/jobs/operations.ts';
import { ThreadCaller } from '../../src/runtime/thread-calls.ts';
import { commandsOf, type Write } from '../../src/storage/calls.ts';
import type { Database } from '../../src/storage/database.ts';

/** Operations of a module with jobs: the outcome is stored, and the job finished, by one command. */
export const commands = {
  ...jobCommands,
  beginWork: (database: Database, { key }: { key: string }): number =>
    database.run('INSERT INTO begun VALUES (?)', key),
  finishWork: (database: Database, { id, key }: { id: number; key: string }): void => {
    database.run('INSERT INTO done VALUES (?)', key);
    finishJob(database, id);
  },
};

export const { beginWork, finishWork } = commandsOf<typeof commands>();

export interface JobThread {
  write: Write;
  close(): Promise<void>;
}

/** The writer of the store in a thread of its own, as the server has it, with these commands. */
export function startThread(file: string): JobThread {
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), {
    workerData: { file, port: port2 },
    transferList: [port2],
  });
  const caller = new ThreadCaller(port1, 1_000);
  worker.on('error', (error: Error) => caller.fail(error));
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => resolve());
  });
  return {
    write: ((name: string, args: unknown) => caller.call(name, args)) as Write,
    close: async () => {
      await caller.idle();
      worker.postMessage('close');
      await ended;
      port1.close();
    },
  };
}

import { AppError } from '../../errors.ts';
import { FairQueue } from '../../runtime/fair-queue.ts';
import type { GroupOf, Party } from '../../runtime/party.ts';
import type { ThreadCaller } from '../../runtime/thread-calls.ts';
import { applicationOf } from '../sqlite/application-of.ts';

/** Most commands that wait for a thread. */
const MAX_WAITING = 8_192;
/** Party of the commands that belong to no application. */
const NONE = 'none';

interface WaitingCommand {
  party: Party;
  name: string;
  args: unknown;
  bytes: Uint8Array | undefined;
  settle: (result: Promise<unknown>) => void;
}

/**
 * Assigns commands to threads, each of which runs one at a time. Those of one application, and those of none, run in the
 * order of the calls; organisations and their applications take turns by the time they use. Threads start when needed.
 */
export class CommandPool {
  private readonly queue: FairQueue<WaitingCommand>;
  private readonly free: ThreadCaller[] = [];
  private readonly busy = new Set<Party>();
  private readonly start: () => ThreadCaller;
  private left: number;

  constructor(start: () => ThreadCaller, threads: number, groupOf: GroupOf) {
    this.start = start;
    this.left = threads;
    this.queue = new FairQueue(groupOf);
    this.addThread();
  }

  get waiting(): number {
    return this.queue.size + this.busy.size;
  }

  /** Runs a command when its turn has come. Rejects with `unavailable` when too many wait. */
  run(name: string, args: unknown, bytes?: Uint8Array): Promise<unknown> {
    if (this.queue.size >= MAX_WAITING)
      return Promise.reject(new AppError('unavailable', 'the server is busy; retry later'));
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const party = applicationOf(args) ?? NONE;
    this.queue.push(party, { party, name, args, bytes, settle: resolve });
    this.serve();
    return promise;
  }

  private addThread(): void {
    this.left -= 1;
    this.free.push(this.start());
  }

  private readonly mayRun = (party: Party): boolean => !this.busy.has(party);

  private serve(): void {
    while (this.queue.canTake(this.mayRun)) {
      if (this.free.length === 0 && this.left > 0) this.addThread();
      const thread = this.free.pop();
      if (!thread) return;
      const next = this.queue.take(this.mayRun) as WaitingCommand;
      next.settle(this.runOn(thread, next));
    }
  }

  private async runOn(thread: ThreadCaller, { party, name, args, bytes }: WaitingCommand): Promise<unknown> {
    this.busy.add(party);
    const since = performance.now();
    try {
      return await thread.call(name, args, bytes ?? null);
    } finally {
      this.queue.charge(party, performance.now() - since);
      this.busy.delete(party);
      this.free.push(thread);
      this.serve();
    }
  }
}

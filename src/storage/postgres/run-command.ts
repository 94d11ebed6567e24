import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { openEnvelope } from '../../runtime/outbox.ts';
import type { SharedCount } from '../../runtime/shared-count.ts';
import { type CallEnvelope, type CallMessage, ThreadResponder } from '../../runtime/thread-calls.ts';
import { type AnyOperation, type Commands, findOperation } from '../operations.ts';
import type { PostgresDatabase } from './database.ts';
import { isLostConnection, mayRepeat, PostgresFault, unavailableIfFault } from './fault.ts';
import type { DoubtfulCommit } from './io-messages.ts';
import { termOf } from './leadership.ts';
import { beginOf } from './locks.ts';
import type { ThreadNumbers } from './numbers.ts';

/** Most times that a command runs: a deadlock, and a connection that is lost before its commit, may end it. */
const MAX_RUNS = 4;
/** Milliseconds before it runs again after a lost connection, which the database may need to start. */
const RECONNECT_MS = [20, 200, 600];
/** Most looks for the outcome of a commit whose answer was lost. */
const MAX_LOOKS = 20;
const LOOK_MS = 250;

/** A transaction holds the lock on its own number until others see what it has committed. */
const RUNNING = `SELECT count(*) AS running FROM pg_locks
  WHERE locktype = 'transactionid' AND transactionid = xid(CAST(CAST(:transaction AS text) AS xid8))`;
const LAST_COMMIT =
  'SELECT number FROM last_commits WHERE connection = CAST(CAST(:connection AS text) AS uuid)';

export interface CommandRunnerOptions {
  database: PostgresDatabase;
  commands: Commands;
  numbers: ThreadNumbers;
  /** Commits that changed data. */
  commits: SharedCount;
}

/** Runs commands, each in a transaction of its own, and answers after its commit. */
export class CommandRunner {
  private readonly options: CommandRunnerOptions;
  private readonly senders: { port: MessagePort; responder: ThreadResponder }[] = [];

  constructor(options: CommandRunnerOptions) {
    this.options = options;
  }

  /** Accepts commands from a port. */
  attach(port: MessagePort): void {
    const responder = new ThreadResponder(port);
    this.senders.push({ port, responder });
    port.on('message', (envelope: CallEnvelope) => this.take(envelope, responder));
  }

  /** Runs all commands that were sent, then closes the connection. */
  close(): void {
    for (const { port, responder } of this.senders)
      for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port))
        this.take(next.message as CallEnvelope, responder);
    this.options.database.close();
  }

  private take(envelope: CallEnvelope, responder: ThreadResponder): void {
    openEnvelope(envelope, (message, bytes) => this.answer(message, bytes, responder));
  }

  private answer(
    { id, name, args }: CallMessage,
    bytes: Uint8Array | null,
    responder: ThreadResponder,
  ): void {
    const { commands, numbers } = this.options;
    const command = findOperation(commands, termOf(name).name);
    if (!command) {
      responder.fail(id, new Error(`unknown command ${name}`));
      return;
    }
    const since = performance.now();
    numbers.add('commands', 1);
    try {
      const value = this.run(command, beginOf(commands, name, args), args, bytes ?? undefined);
      numbers.addCommit((performance.now() - since) / 1_000);
      responder.answer(id, value, performance.now() - since);
    } catch (error) {
      numbers.add('failedCommits', 1);
      responder.fail(id, unavailableIfFault(error, 'accept data'));
    }
  }

  private run(command: AnyOperation, begin: string, args: unknown, bytes: Uint8Array | undefined): unknown {
    const { database, commits, numbers } = this.options;
    for (let runs = 1; ; runs += 1) {
      let value: unknown;
      let isComplete = false;
      try {
        const hasChanged = database.command(() => {
          value = command(database, args, bytes);
          isComplete = true;
        }, begin);
        if (hasChanged) commits.add(1);
        return value;
      } catch (error) {
        if (isComplete && this.tookPlace(error)) {
          commits.add(1);
          return value;
        }
        const isLost = isLostConnection(error);
        if (isLost) numbers.add('lostConnections', 1);
        if (runs >= MAX_RUNS || !(isLost || mayRepeat(error))) throw error;
        if (!isLost) numbers.add('repeatedTransactions', 1);
        sleep(isLost ? (RECONNECT_MS[runs - 1] ?? 0) : 5 * runs);
      }
    }
  }

  /**
   * Finds out whether a commit took place whose answer was lost. Throws when that stays unknown, because to report that nothing
   * was done might be false.
   */
  private tookPlace(error: unknown): boolean {
    const doubtful = error instanceof PostgresFault ? error.unknownCommit : null;
    if (doubtful === null) return false;
    for (let looks = 1; ; looks += 1) {
      const isDone = this.isDone(doubtful);
      if (isDone !== null) return isDone;
      if (looks >= MAX_LOOKS)
        throw new PostgresFault('it is unknown whether the commit took place', '40003', '');
      sleep(LOOK_MS);
    }
  }

  /** Reports whether a commit took place; null while its transaction may still run or nothing is known. */
  private isDone({ transaction, connection, number }: DoubtfulCommit): boolean | null {
    const { database } = this.options;
    try {
      if (database.get<{ running: number }>(RUNNING, { transaction })?.running !== 0) return null;
      return database.get<{ number: number }>(LAST_COMMIT, { connection })?.number === number;
    } catch {
      return null;
    }
  }
}

const still = new Int32Array(new SharedArrayBuffer(4));
const sleep = (milliseconds: number): void => void Atomics.wait(still, 0, 0, milliseconds);

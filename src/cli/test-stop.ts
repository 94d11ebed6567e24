import { StartupError } from '../errors.ts';

/** Error for a signal that requested the process to end. */
export class Interruption extends StartupError {
  /** Exit code that shells use for a process ended by this signal. */
  readonly exitCode: number;

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super('Interrupted; unfinished tests are cancelled.');
    this.exitCode = signal === 'SIGINT' ? 130 : 143;
  }
}

/**
 * Runs work that SIGINT and SIGTERM stop through its abort signal, whose reason is an Interruption. A second signal
 * ends the process at once.
 */
export async function stoppable<T>(work: (interrupted: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = (signal: NodeJS.Signals): void =>
    controller.abort(new Interruption(signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM'));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** Returns a signal that aborts after a time, with a sentence for the user as its reason. */
export function endAfter(milliseconds: number, reason: string): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new StartupError(reason)), milliseconds).unref();
  return controller.signal;
}

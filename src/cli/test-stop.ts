import { StartupError } from '../errors.ts';

/** A signal asked the process to end. */
export class Interruption extends StartupError {
  /** Exit code that shells use for a process ended by this signal. */
  readonly exitCode: number;

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super('Interrupted; the tests that are not over are cancelled.');
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

/** Aborts after a while, for a reason that is a sentence for the user. */
export function endAfter(milliseconds: number, reason: string): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new StartupError(reason)), milliseconds).unref();
  return controller.signal;
}

import { spawn } from 'node:child_process';
import type { Log } from './log.ts';

/** Most time for one message to the service manager, in milliseconds. */
const SEND_MS = 5_000;
/** Part of the time of the watchdog after which the next sign of life is sent. */
const WATCHDOG_PART = 3;

/** Messages to the service manager that started this program, such as systemd; none are sent if there is no such manager. */
export interface ServiceManager {
  /** Reports that the server accepts requests. */
  ready: () => void;
  /** Reports that the server is stopping, and ends the signs of life. */
  stopping: () => void;
  /** Sends signs of life as long as `check` resolves or rejects; one that hangs stops them. */
  watch: (check: () => Promise<unknown>) => void;
}

/** Reads from the environment how messages reach the service manager. */
export function serviceManager(
  env: Readonly<Record<string, string | undefined>>,
  log: Pick<Log, 'warn'>,
): ServiceManager {
  const socket = env['NOTIFY_SOCKET'] ?? '';
  let timer: NodeJS.Timeout | undefined;
  let hasFailed = false;
  let isStopping = false;
  // Node cannot write to datagram sockets, so the program of systemd does; NotifyAccess=all admits it.
  const send = (message: string): void => {
    if (socket === '') return;
    const failed = (error?: unknown): void => {
      if (!hasFailed)
        log.warn('the service manager could not be notified; is systemd-notify installed?', { error });
      hasFailed = true;
    };
    const options = { stdio: 'ignore' as const, env: { PATH: env['PATH'], NOTIFY_SOCKET: socket } };
    spawn('systemd-notify', [message], { ...options, timeout: SEND_MS })
      .on('error', failed)
      .on('exit', (code) => (code === 0 ? undefined : failed()));
  };
  return {
    ready: () => send('READY=1'),
    stopping: () => {
      isStopping = true;
      clearTimeout(timer);
      send('STOPPING=1');
    },
    watch: (check) => {
      const everyMs = Number(env['WATCHDOG_USEC'] ?? 0) / 1_000 / WATCHDOG_PART;
      if (socket === '' || !(everyMs > 0)) return;
      const next = async (): Promise<void> => {
        // A rejection is a sign of life too: a full disk is no reason for a restart.
        await check().catch(() => undefined);
        if (isStopping) return;
        send('WATCHDOG=1');
        timer = setTimeout(() => void next(), everyMs);
      };
      void next();
    },
  };
}

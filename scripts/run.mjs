import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
// npm starts scripts through a shell that does not pass signals on, and then no process is left to stop the program.
// For a program started by hand (nohup), the end of the parent means nothing.
const UNDER_NPM = 'npm_lifecycle_event' in process.env;

/**
 * Runs a program to its end, passing on the signals this process gets.
 * Resolves with its exit code (128 + n when a signal ended it) and, with `capture`, with what it printed.
 */
export function run(command, args, { capture = false, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: capture ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      ...options,
    });
    let output = '';
    let received;
    child.stdout?.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (text) => (output += text));

    // npm, a terminal's process group and a supervisor may each deliver the same signal: pass it on once.
    const sentAt = new Map();
    const forward = (signal) => {
      received = signal;
      if (Date.now() - (sentAt.get(signal) ?? 0) < 1000) return;
      sentAt.set(signal, Date.now());
      child.kill(signal);
    };
    for (const signal of SIGNALS) process.on(signal, forward);
    const parent = process.ppid;
    const orphaned = setInterval(() => {
      if (UNDER_NPM && process.ppid !== parent) forward('SIGTERM');
    }, 1000);
    const done = () => {
      clearInterval(orphaned);
      for (const signal of SIGNALS) process.off(signal, forward);
    };

    child.on('error', (error) => {
      done();
      reject(error);
    });
    child.on('close', (code, signal) => {
      done();
      resolve({ code: code ?? 128 + constants.signals[signal], received, output });
    });
  });
}

export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

import type { z } from 'zod';
import type { listedTrace } from '../resources/traces/trace-record.ts';
import { readFlags } from '../config/flags.ts';
import { ACCOUNT_FLAGS, readAccount } from './account.ts';
import type { Io } from './io.ts';
import { keepConnected } from './keep-connected.ts';
import { withoutWords } from './read-server.ts';
import { receiveEvents } from './server-events.ts';
import { printable } from './server-trouble.ts';
import { durationText, timeText, truncateLine } from './terminal-text.ts';

type Trace = z.output<typeof listedTrace>;

const TEXT_WIDTH = 60;

/** Prints the traces of an application as they arrive, one line each, until a signal ends it. */
export async function tail(
  args: readonly string[],
  io: Io,
  stop: AbortSignal = untilSignal(),
): Promise<void> {
  const { flags, words } = readFlags(args, {
    values: ['--search', '--session', '--test', ...ACCOUNT_FLAGS],
    switches: ['--errors', '--tests', '--json'],
  });
  withoutWords('tail', words);
  const account = readAccount('tail', flags, io.env);
  const query = new URLSearchParams();
  for (const [flag, parameter] of [
    ['--search', 'search'],
    ['--session', 'sessionId'],
    ['--test', 'testId'],
  ] as const) {
    const value = flags.get(flag);
    if (value !== undefined) query.set(parameter, value);
  }
  if (flags.has('--errors')) query.set('hasErrors', 'true');
  const path = `/v0/traces/stream${query.size > 0 ? `?${query.toString()}` : ''}`;
  let last = '';
  const show = ({ event, id, data }: { event: string; id: string; data: string }): void => {
    if (id !== '') last = id;
    if (event === 'missed') io.err('Some traces were left out, because more arrived than were read.\n');
    if (event !== 'trace') return;
    const trace = JSON.parse(data) as Trace;
    if (flags.has('--tests') && trace.testIds.length === 0) return;
    io.out(flags.has('--json') ? `${data}\n` : lineOf(trace));
  };
  await keepConnected({
    read: async (onOpen) => {
      const headers: Record<string, string> = last === '' ? {} : { 'last-event-id': last };
      for await (const event of receiveEvents(account, { path, headers, onOpen, stop })) show(event);
    },
    // Standard output has traces only, so that it can be piped.
    onConnected: (isAgain) => {
      if (!isAgain) io.err(`Waiting for traces from ${account.baseUrl}; press Ctrl+C to stop.\n`);
    },
    onTrouble: (message) => io.err(`${message}\n`),
    stop,
  });
}

const lineOf = ({
  id,
  timestamp,
  durationMs,
  spanCount,
  errorCount,
  rootName,
  input,
  testIds,
}: Trace): string =>
  `${[
    timeText(timestamp),
    id,
    durationText(durationMs).padStart(8),
    `${spanCount} ${spanCount === 1 ? 'span' : 'spans'}`.padStart(10),
    ...(errorCount > 0 ? [`${errorCount} ${errorCount === 1 ? 'error' : 'errors'}`] : []),
    ...(testIds[0] === undefined ? [] : [`test ${testIds[0]}`]),
    printable(truncateLine(rootName, TEXT_WIDTH)),
    ...(typeof input === 'string' ? [printable(truncateLine(input, TEXT_WIDTH))] : []),
  ].join('  ')}\n`;

function untilSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  return stop.signal;
}

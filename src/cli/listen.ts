import type { ClientSettings } from '../api/client.ts';
import { readFlags } from '../config/flags.ts';
import type { AddressGuard } from '../deliver/address-guard.ts';
import { createGuardedClient } from '../deliver/guarded-client.ts';
import type { Outcome } from '../deliver/outcome.ts';
import type { RelayedAnswer, RelayedRequest } from '../deliver/relay.ts';
import { StartupError } from '../errors.ts';
import { ACCOUNT_FLAGS, readAccount, webAddress } from './account.ts';
import type { Io } from './io.ts';
import { keepConnected } from './keep-connected.ts';
import { postAnswer, receiveRequests } from './listen-connection.ts';
import { printable } from './server-trouble.ts';

/** Guard that allows every address, because the user of this machine chose it. */
const ANY_ADDRESS: AddressGuard = {
  check: () => ({ allowed: true }),
  checkUrl: (text) => ({ allowed: true, url: new URL(text) }),
};
const client = createGuardedClient({ guard: ANY_ADDRESS });

interface Options {
  account: ClientSettings;
  forward: string;
}

/** Forwards the webhook requests of an application to an address of this machine, until a signal ends it. */
export async function listen(args: readonly string[], io: Io): Promise<void> {
  const { account, forward } = readOptions(args, io.env);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  await keepConnected({
    read: async (onOpen) => {
      for await (const request of receiveRequests(account, { onOpen, stop: stop.signal }))
        void passOn(request, { account, forward }, io, stop.signal);
    },
    onConnected: (isAgain) =>
      io.out(
        isAgain
          ? 'Connected again.\n'
          : `Connected to ${account.baseUrl}. Deliveries are forwarded to ${forward}; press Ctrl+C to stop.\n`,
      ),
    onTrouble: (message) => io.out(`${message}\n`),
    stop: stop.signal,
  });
}

/** Forwards one request, and reports its outcome to the server and the user. */
async function passOn(
  { id, headers, body, timeoutMs }: RelayedRequest,
  { account, forward }: Options,
  io: Io,
  signal: AbortSignal,
): Promise<void> {
  const at = new Date().toTimeString().slice(0, 8);
  const testId = printable(headers['webhook-id'] ?? '-');
  const say = (text: string): void => io.out(`${at}  ${testId}  ${text}\n`);
  try {
    const outcome = await client.request({
      url: forward,
      method: 'POST',
      headers,
      body: Buffer.from(body),
      timeoutMs,
      signal,
    });
    const answer = answerOf(outcome);
    const isTaken = await postAnswer(account, id, answer);
    const ended = 'error' in answer ? answer.error.kind : answer.status;
    const notes = [
      ...('error' in answer ? [answer.error.message] : []),
      ...(isTaken ? [] : ['The server no longer waited for the response.']),
    ];
    say([ended, `${Math.round(outcome.timings.totalMs)} ms`, ...notes].join('  '));
  } catch (error) {
    if (!signal.aborted) say(`failed  ${printable(error instanceof Error ? error.message : '')}`);
  }
}

function answerOf(outcome: Outcome): RelayedAnswer {
  if (outcome.kind === 'answered')
    return { status: outcome.status, headers: outcome.headers, body: outcome.body.toString('utf8') };
  const { kind, message } = outcome;
  if (kind !== 'not_sent') return { error: { kind, message } };
  return { error: { kind: outcome.reason === 'dns' ? 'dns' : 'refused', message } };
}

function readOptions(args: readonly string[], env: Io['env']): Options {
  const { flags, words } = readFlags(args, {
    values: ['--forward', ...ACCOUNT_FLAGS],
  });
  if (words[0] !== undefined) throw new StartupError(`listen takes no "${words[0].slice(0, 80)}".`);
  const forward = flags.get('--forward');
  if (forward === undefined)
    throw new StartupError('listen needs --forward URL, such as --forward http://localhost:3000/hook.');
  return { forward: webAddress(forward, '--forward').href, account: readAccount('listen', flags, env) };
}

import { readFileSync } from 'node:fs';
import { answerOf, createClient } from '../api/client.ts';
import { readFlags } from '../config/flags.ts';
import { uuid } from '../contract/values.ts';
import { StartupError } from '../errors.ts';
import { verifyEvidence } from '../resources/run-sets/evidence-verify.ts';
import { ACCOUNT_FLAGS, readAccount } from './account.ts';
import type { Io } from './io.ts';
import { printJson, withoutWords } from './read-server.ts';
import { callFailure } from './test-calls.ts';

const NOT_VERIFIED = 1;

/** Writes the evidence of a decision to the standard output. Throws StartupError. */
export async function writeEvidence(args: readonly string[], io: Io): Promise<void> {
  const { flags, words } = readFlags(args, { values: [...ACCOUNT_FLAGS], switches: [] });
  const [id, ...others] = words;
  withoutWords('evidence', others);
  const parsed = uuid.safeParse(id);
  if (!parsed.success) throw new StartupError('evidence needs the id of a run set; see help evidence.');
  const account = readAccount('evidence', flags, io.env);
  const init = { params: { path: { id: parsed.data } }, parseAs: 'stream', redirect: 'manual' } as const;
  const body = (await answerOf(createClient(account).GET('/v0/run-sets/{id}/evidence', init)).catch(
    (error: unknown) => {
      throw callFailure(account.baseUrl, error);
    },
  )) as unknown as AsyncIterable<Uint8Array>;
  const decoder = new TextDecoder();
  try {
    for await (const piece of body) io.out(decoder.decode(piece, { stream: true }));
  } catch {
    throw new StartupError(
      `${account.baseUrl} ended the evidence early: what was written is incomplete. See its log for the reason.`,
    );
  }
}

/**
 * Checks the signature of a file of evidence, and computes its decision again, without a server. Returns 1 if the file does
 * not prove what it says. Throws StartupError.
 */
export function checkEvidence(args: readonly string[], io: Io): number {
  const { flags, words } = readFlags(args, { values: ['--key'], switches: ['--json'] });
  const [file, ...others] = words;
  withoutWords('evidence verify', others);
  if (file === undefined) throw new StartupError('evidence verify needs a file; see help evidence verify.');
  const found = verifyEvidence(bytesOf(file));
  const wanted = flags.get('--key');
  const verified =
    found.fault === null && wanted !== undefined && found.fingerprint !== wanted.toLowerCase()
      ? { fault: `it was signed by the key ${found.fingerprint}, not by ${wanted}` }
      : found;
  if (flags.has('--json')) printJson(io, verified);
  else if (verified.fault !== null) io.err(`${file} is not verified: ${verified.fault}.\n`);
  else io.out(verifiedText(verified, wanted !== undefined));
  return verified.fault === null ? 0 : NOT_VERIFIED;
}

type Verified = Extract<ReturnType<typeof verifyEvidence>, { fault: null }>;

const verifiedText = (
  { runSetId, at, fingerprint, outcome, reasons, tests }: Verified,
  isKnown: boolean,
): string =>
  [
    `Verified: the decision ${outcome} on run set ${runSetId} follows from its inputs; ${tests} tests, written ${at}.`,
    ...reasons.map((reason) => `  ${reason}`),
    `Signed by the key ${fingerprint}.${isKnown ? '' : ' Compare it with the key of the store (GET /v0/evidence-key), or give it as --key.'}`,
    '',
  ].join('\n');

function bytesOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new StartupError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
}

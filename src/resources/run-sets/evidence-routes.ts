import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import type { Principal } from '../../contract/scope.ts';
import { findWithheld } from '../../traces/withheld/calls.ts';
import { reviewerOf } from '../../contract/reviewer.ts';
import { ownerOf } from '../../contract/owner.ts';
import { type Route, route } from '../../contract/route.ts';
import { isoTime, uuid } from '../../contract/values.ts';
import type { SecretBox } from '../../runtime/secrets.ts';
import type { Read, StoreCalls } from '../../storage/calls.ts';
import { type BytePage, EXPORT_HEADERS, type ExportDeps, streamPages } from '../exports/export-stream.ts';
import { evidenceHead, evidenceTests } from './calls.ts';
import {
  EVIDENCE_FORMAT,
  EVIDENCE_VERSION,
  type EvidenceHeader,
  type EvidenceSignature,
  hashOfLine,
} from './evidence-format.ts';
import { type EvidenceKey, evidenceKeyOf, SIGNATURE_ALGORITHM } from './evidence-key.ts';
import type { EvidenceHead } from './evidence-store.ts';

/** Tests that are read at once. */
const PAGE_TESTS = 20;

interface EvidenceDeps extends Pick<StoreCalls, 'read' | 'now'>, ExportDeps {
  secretBox: SecretBox;
}

const exampleKey = {
  algorithm: SIGNATURE_ALGORITHM,
  publicKey: 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
  fingerprint: '5ef2b1a4c93d7780d1a34ffb7a4c2d0e1f6b8c9d0a1b2c3d4e5f60718293a4b5',
};

export function evidenceRoutes({ read, now, secretBox, ...deps }: EvidenceDeps): Route[] {
  // Derived when it is needed: routes are also listed without a store.
  const keyOfStore = (): EvidenceKey => evidenceKeyOf(secretBox);
  return [
    route({
      method: 'GET',
      path: '/v0/evidence-key',
      operationId: 'getEvidenceKey',
      group: 'Run sets',
      summary: 'Get the key that signs evidence',
      description: 'The public key of this store. It changes only with its secret key.',
      scope: 'read',
      response: z.object({
        data: z.object({
          algorithm: z.literal(SIGNATURE_ALGORITHM),
          publicKey: z.string().describe('DER of the SubjectPublicKeyInfo, in Base64.'),
          fingerprint: z.string().describe('SHA-256 of that DER, in hex.'),
        }),
      }),
      example: { response: { data: exampleKey } },
      handler: () => {
        const { publicKey, fingerprint } = keyOfStore();
        return { data: { algorithm: SIGNATURE_ALGORITHM, publicKey, fingerprint } };
      },
    }),
    route({
      method: 'GET',
      path: '/v0/run-sets/{id}/evidence',
      operationId: 'downloadEvidence',
      group: 'Run sets',
      summary: 'Export the evidence of a decision',
      description:
        'Streams a signed bundle of the recorded decision as JSON Lines: the run set with what it has fixed, the inputs of the decision, and of each test what was sent, what the app did, and every verdict with the prompts and answers of its judge. The first line has the hash of each line, the last one its signature (Ed25519). `touchstone evidence verify` checks both and computes the decision again. The connection breaks if a test is changed in between. An application may have 2 exports at once.',
      scope: 'read',
      params: z.object({ id: uuid }),
      response: 'stream',
      mediaTypes: ['application/x-ndjson'],
      errors: ['not_found', 'conflict', 'too_large', 'rate_limited', 'unavailable'],
      responseHeaders: EXPORT_HEADERS,
      handler: (context) => {
        const { principal, params } = context;
        const owner = ownerOf(principal);
        const openedAt = now();
        let bundle: Bundle | undefined;
        return streamPages<number>(deps, context, {
          name: `evidence-${params.id}.jsonl`,
          mediaType: 'application/x-ndjson; charset=utf-8',
          readPage: async (from) => {
            bundle ??= await openBundle(
              read,
              { ...params, application: principal.application, key: keyOfStore(), now },
              async () => {
                const head = await read(evidenceHead, { owner, id: params.id, now: openedAt });
                await requireShown(read, { principal, head, now: openedAt });
                return head;
              },
            );
            return bundle(from);
          },
        });
      },
    }),
  ];
}

/** Throws `conflict` if the caller reviews a test of the bundle blind: a signed file cannot leave verdicts out. */
async function requireShown(
  read: Read,
  { principal, head, now }: { principal: Principal; head: EvidenceHead; now: number },
): Promise<void> {
  const testIds = [...head.candidate, ...head.baseline];
  const reviewer = reviewerOf(principal);
  const { application } = principal;
  const withheld = await read(findWithheld, { application, reviewer, now, testIds, traceIds: [] });
  if (withheld.testIds.length > 0)
    throw new AppError(
      'conflict',
      `You review ${withheld.testIds.length} tests of the run set in a blind queue; its evidence is withheld until they are settled`,
    );
}

/** Returns a page of a bundle: the header for null, then the pages from 0. */
type Bundle = (from: number | null) => Promise<BytePage<number>>;

interface BundleOptions {
  id: string;
  application: number;
  key: EvidenceKey;
  now: () => number;
}

/** Reads a bundle once for the hashes of its lines, so that it can be sent line by line when it is read again. */
async function openBundle(
  read: Read,
  { id, application, key, now }: BundleOptions,
  readHead: () => Promise<EvidenceHead>,
): Promise<Bundle> {
  const head = await readHead();
  const first = head.lines.map((line) => JSON.stringify(line));
  const pages = [...pagesOf('candidate', head.candidate), ...pagesOf('baseline', head.baseline)];
  const linesOf = async (page: number): Promise<string[]> => {
    const tests = pages[page - 1];
    if (page === 0 || !tests) return first;
    return (await read(evidenceTests, { application, ...tests })).map((line) => JSON.stringify(line));
  };
  const hashes: string[][] = [];
  for (let page = 0; page <= pages.length; page++) hashes.push((await linesOf(page)).map(hashOfLine));
  // Tests that were changed after the inputs of the decision were read would not fit them.
  if (!isDeepStrictEqual(await readHead(), head))
    throw new AppError('conflict', 'Results have just changed; retry');
  const header: EvidenceHeader = {
    type: 'header',
    format: EVIDENCE_FORMAT,
    version: EVIDENCE_VERSION,
    runSetId: id,
    at: isoTime(now()),
    publicKey: key.publicKey,
    hashes: hashes.flat(),
  };
  const headerLine = JSON.stringify(header);
  const signature: EvidenceSignature = {
    type: 'signature',
    algorithm: SIGNATURE_ALGORITHM,
    signature: key.sign(Buffer.from(headerLine)),
  };
  return async (from) => {
    if (from === null) return { bytes: bytesOf([headerLine]), next: 0 };
    const lines = await linesOf(from);
    if (lines.some((line, index) => hashOfLine(line) !== hashes[from]?.[index]))
      throw new Error('A test was changed while its evidence was exported');
    const isLast = from === pages.length;
    return {
      bytes: bytesOf(isLast ? [...lines, JSON.stringify(signature)] : lines),
      next: isLast ? null : from + 1,
    };
  };
}

const bytesOf = (lines: readonly string[]): Buffer => Buffer.from(lines.map((line) => `${line}\n`).join(''));

const pagesOf = <Side extends 'candidate' | 'baseline'>(side: Side, ids: readonly string[]) =>
  Array.from({ length: Math.ceil(ids.length / PAGE_TESTS) }, (_, index) => ({
    side,
    ids: ids.slice(index * PAGE_TESTS, (index + 1) * PAGE_TESTS),
  }));

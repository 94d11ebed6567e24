import { isDeepStrictEqual } from 'node:util';
import { decide } from './decide.ts';
import {
  EVIDENCE_FORMAT,
  EVIDENCE_VERSION,
  type EvidenceHeader,
  type EvidenceLine,
  type EvidenceSignature,
  hashOfLine,
  inputsIn,
} from './evidence-format.ts';
import { SIGNATURE_ALGORITHM, signerOf } from './evidence-key.ts';
import type { DecisionOutcome } from './decision-contract.ts';

/** Result of a verification: what is wrong with the bundle, or what it proves. */
export type VerifiedEvidence =
  | { fault: string }
  | {
      fault: null;
      runSetId: string;
      at: string;
      /** SHA-256 of the public key that signed it, in hex. */
      fingerprint: string;
      outcome: DecisionOutcome;
      reasons: readonly string[];
      tests: number;
    };

/** Checks hashes and signature of a bundle, and computes its decision again from its inputs. */
export function verifyEvidence(text: string): VerifiedEvidence {
  const lines = text.split('\n');
  if (lines.pop() !== '') return { fault: 'its last line has no end: it is truncated' };
  const [head = '', ...rest] = lines;
  const last = rest.pop();
  const header = parsed<EvidenceHeader>(head);
  if (header?.format !== EVIDENCE_FORMAT) return { fault: 'it is no bundle of evidence' };
  if (header.version !== EVIDENCE_VERSION)
    return {
      fault: `its format has version ${String(header.version)}; this program reads ${EVIDENCE_VERSION}`,
    };
  const signature = parsed<EvidenceSignature>(last ?? '');
  if (signature?.type !== 'signature' || signature.algorithm !== SIGNATURE_ALGORITHM)
    return { fault: 'its last line is no signature' };
  const fingerprint = signerOf(Buffer.from(head), textOf(header.publicKey), textOf(signature.signature));
  if (fingerprint === null) return { fault: 'its signature does not fit its first line' };
  if (!Array.isArray(header.hashes) || header.hashes.length !== rest.length)
    return {
      fault: `it has ${rest.length} lines between header and signature; the header names another number`,
    };
  const changed = rest.findIndex((line, index) => hashOfLine(line) !== header.hashes[index]);
  if (changed >= 0) return { fault: `line ${changed + 2} was changed` };
  return recompute(
    header,
    fingerprint,
    rest.map((line) => JSON.parse(line) as EvidenceLine),
  );
}

function recompute(
  { runSetId, at }: EvidenceHeader,
  fingerprint: string,
  lines: readonly EvidenceLine[],
): VerifiedEvidence {
  const inputs = inputsIn(lines);
  const stored = lines.find((line) => line.type === 'decision');
  if (!inputs || !stored) return { fault: 'it has no decision' };
  // The same values as in the file: JSON has no undefined.
  const again = JSON.parse(JSON.stringify(decide(inputs, stored.rule))) as typeof stored.decided;
  if (!isDeepStrictEqual(again, stored.decided))
    return { fault: `its decision is ${stored.decided.outcome}; its inputs give ${again.outcome}` };
  const { outcome, reasons } = again;
  const tests = lines.filter((line) => line.type === 'test' && line.side === 'candidate').length;
  return { fault: null, runSetId, at, fingerprint, outcome, reasons, tests };
}

/** Returns a value of a file that should be a text; empty for any other. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function parsed<T>(line: string): T | null {
  try {
    return JSON.parse(line) as T;
  } catch {
    return null;
  }
}

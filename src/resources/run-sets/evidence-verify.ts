import { isDeepStrictEqual } from 'node:util';
import type { StoredSide } from '../runs/compare-side.ts';
import { decide, type DecisionInputs } from './decide.ts';
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
import type { DecisionOutcome, RecordedDecision } from './decision-contract.ts';

/** Members of a decision that earlier versions did not write. */
const ADDED: ReadonlySet<string> = new Set(['judgedAgain', 'onlyInBaseline']);

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

const LINE_BREAK = 0x0a;

/** Checks hashes and signature of a bundle, and computes its decision again from its inputs. */
export function verifyEvidence(bytes: Uint8Array): VerifiedEvidence {
  const lines = linesOf(bytes);
  if (lines === null) return { fault: 'its last line has no end: it is truncated' };
  const [head = Buffer.alloc(0), ...rest] = lines;
  const last = rest.pop();
  const header = parsed<EvidenceHeader>(head);
  if (header?.format !== EVIDENCE_FORMAT) return { fault: 'it is no bundle of evidence' };
  if (header.version !== EVIDENCE_VERSION)
    return {
      fault: `its format has version ${String(header.version)}; this program reads ${EVIDENCE_VERSION}`,
    };
  const signature = signatureIn(last);
  if (signature === null) return { fault: 'its last line is no signature' };
  const fingerprint = signerOf(head, textOf(header.publicKey), signature);
  if (fingerprint === null) return { fault: 'its signature does not fit its first line' };
  if (!Array.isArray(header.hashes) || header.hashes.length !== rest.length)
    return {
      fault: `it has ${rest.length} lines between header and signature; the header names another number`,
    };
  const changed = rest.findIndex((line, index) => hashOfLine(line) !== header.hashes[index]);
  if (changed >= 0) return { fault: `line ${changed + 2} was changed` };
  try {
    return recompute(header, fingerprint, rest.map(lineOf));
  } catch {
    return { fault: 'its lines cannot be read, though they are signed: another version may have written it' };
  }
}

/** Returns the lines of a file; null if the last one has no end. Bytes, because different ones can be the same text. */
function linesOf(bytes: Uint8Array): Buffer[] | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: Buffer[] = [];
  let from = 0;
  for (let end = file.indexOf(LINE_BREAK); end >= 0; end = file.indexOf(LINE_BREAK, from)) {
    lines.push(file.subarray(from, end));
    from = end + 1;
  }
  return from === file.length ? lines : null;
}

/** Returns the signature of a line; null unless the line is exactly as it is written. */
function signatureIn(line: Buffer | undefined): string | null {
  const found = line && parsed<EvidenceSignature>(line);
  if (found?.type !== 'signature' || found.algorithm !== SIGNATURE_ALGORITHM) return null;
  const signature = Buffer.from(textOf(found.signature), 'base64').toString('base64');
  const written: EvidenceSignature = { type: 'signature', algorithm: SIGNATURE_ALGORITHM, signature };
  return line?.equals(Buffer.from(JSON.stringify(written))) ? signature : null;
}

/** A test as it is in a bundle. */
interface TestInBundle {
  side: 'candidate' | 'baseline';
  id: string;
  status: string;
  evals: { definitionId: string; definitionVersion: number; status: string; passed: boolean | null }[];
}

type ReadLine = Exclude<EvidenceLine, { type: 'test' }> | { type: 'test'; test: TestInBundle };

/** Parses a line; of a test, keeps only what the decision depends on. */
function lineOf(line: Buffer): ReadLine {
  const found = JSON.parse(line.toString()) as EvidenceLine;
  if (found.type !== 'test') return found;
  const { id, status, evals } = found.test as Omit<TestInBundle, 'side'>;
  const kept = evals.map(({ definitionId, definitionVersion, status: ofEval, passed }) => ({
    definitionId,
    definitionVersion,
    status: ofEval,
    passed,
  }));
  return { type: 'test', test: { side: found.side, id, status, evals: kept } };
}

function recompute(
  { runSetId, at }: EvidenceHeader,
  fingerprint: string,
  lines: readonly ReadLine[],
): VerifiedEvidence {
  const others = lines.filter((line) => line.type !== 'test');
  const tests = lines.flatMap((line) => (line.type === 'test' ? [line.test] : []));
  const inputs = inputsIn(others);
  const stored = others.find((line) => line.type === 'decision');
  const set = others.find((line) => line.type === 'runSet')?.runSet as
    | { id: string; decision: RecordedDecision | null }
    | undefined;
  if (!inputs || !stored || !set) return { fault: 'it has no decision' };
  if (set.id !== runSetId) return { fault: `it is about run set ${set.id}; its header names ${runSetId}` };
  // The same values as in the file: JSON has no undefined.
  const again = JSON.parse(JSON.stringify(decide(inputs, stored.rule))) as typeof stored.decided;
  const { outcome, reasons } = again;
  if (outcome !== stored.decided.outcome)
    return { fault: `its decision is ${stored.decided.outcome}; its inputs give ${outcome}` };
  // Files of earlier versions do not have every member.
  const shared = Object.fromEntries(
    Object.entries(again).filter(([key]) => !ADDED.has(key) || key in stored.decided),
  );
  if (!isDeepStrictEqual(shared, stored.decided))
    return { fault: `its inputs give ${outcome} too, with other numbers or reasons than it states` };
  if (set.decision?.outcome !== outcome)
    return {
      fault: `the recorded decision is ${set.decision?.outcome ?? 'missing'}; its inputs give ${outcome}`,
    };
  const fault = differenceOf(inputs, tests);
  if (fault !== null) return { fault };
  const { length } = tests.filter(({ side }) => side === 'candidate');
  return { fault: null, runSetId, at, fingerprint, outcome, reasons, tests: length };
}

/** Returns how the tests of a bundle differ from the inputs of its decision; null if they do not. */
function differenceOf(inputs: DecisionInputs, tests: readonly TestInBundle[]): string | null {
  for (const side of ['candidate', 'baseline'] as const) {
    const { tests: expected, evals }: StoredSide = inputs[side] ?? { tests: [], evals: [] };
    const shown = new Map(tests.filter((one) => one.side === side).map((one) => [one.id, one]));
    const missing = expected.find(({ id }) => !shown.has(id));
    if (missing) return `the decision depends on test ${missing.id}, which it lacks`;
    if (shown.size !== expected.length) return `it has tests of the ${side} that the decision does not know`;
    const evalsOf = Map.groupBy(evals, ({ testId }) => testId);
    for (const { id } of expected) {
      const known = evalsOf.get(id) ?? [];
      if (!isDeepStrictEqual(verdictsOf(shown.get(id)), known.map(verdictOf).sort()))
        return `the decision counts other verdicts on test ${id} than it shows`;
    }
  }
  return null;
}

const verdictOf = ({ definitionId, version, passed }: StoredSide['evals'][number]): string =>
  `${definitionId} ${version} ${passed}`;

/** Returns the verdicts of a test that count. */
const verdictsOf = (test: TestInBundle | undefined): string[] =>
  (test?.status === 'COMPLETED' ? test.evals : [])
    .filter(({ status }) => status === 'COMPLETED')
    .map(
      ({ definitionId, definitionVersion, passed }) =>
        `${definitionId} ${definitionVersion} ${Number(passed)}`,
    )
    .sort();

/** Returns the value of a file that should be a text; empty for any other. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function parsed<T>(line: Buffer): T | null {
  try {
    return JSON.parse(line.toString()) as T;
  } catch {
    return null;
  }
}

import { createHash } from 'node:crypto';
import type { Decided, DecisionInputs } from './decide.ts';
import type { DecisionRule } from './decision-contract.ts';

export const EVIDENCE_FORMAT = 'touchstone-evidence';
export const EVIDENCE_VERSION = 1;
/** Rows of a line that holds a part of the inputs. */
const PART_ROWS = 500;

/** First line: it has the hash of each following one but the last, which is its signature. */
export interface EvidenceHeader {
  type: 'header';
  format: typeof EVIDENCE_FORMAT;
  version: number;
  runSetId: string;
  at: string;
  publicKey: string;
  /** SHA-256 of the following lines, in hex, without their line breaks. */
  hashes: string[];
}

export interface EvidenceSignature {
  type: 'signature';
  algorithm: string;
  /** Signature of the header without its line break, in Base64. */
  signature: string;
}

/** Lists of rows that a decision depends on. */
interface Parts {
  tests: DecisionInputs['tests'];
  findings: DecisionInputs['findings'];
  candidateTests: DecisionInputs['candidate']['tests'];
  candidateEvals: DecisionInputs['candidate']['evals'];
  baselineTests: DecisionInputs['candidate']['tests'];
  baselineEvals: DecisionInputs['candidate']['evals'];
  canaries: DecisionInputs['canaries'];
}

export type EvidenceLine =
  | { type: 'runSet'; runSet: unknown; snapshot: unknown }
  | { type: 'definition'; definition: unknown }
  | ({ type: 'basis'; hasBaseline: boolean } & Pick<
      DecisionInputs,
      'status' | 'mostExamples' | 'plannedTests' | 'tasks' | 'advisory' | 'lost' | 'names'
    >)
  | { type: 'part'; of: keyof Parts; rows: readonly unknown[] }
  | { type: 'decision'; rule: DecisionRule; baselineId: string | null; decided: Decided }
  | { type: 'test'; side: 'candidate' | 'baseline'; test: unknown };

export const hashOfLine = (line: string | Uint8Array): string =>
  createHash('sha256').update(line).digest('hex');

/** Returns the lines from which `inputsIn` makes the inputs of a decision again. */
export function linesOfInputs(inputs: DecisionInputs): EvidenceLine[] {
  const { status, mostExamples, plannedTests, tasks, advisory, lost, names, candidate, baseline } = inputs;
  const parts: Parts = {
    tests: inputs.tests,
    findings: inputs.findings,
    candidateTests: candidate.tests,
    candidateEvals: candidate.evals,
    baselineTests: baseline?.tests ?? [],
    baselineEvals: baseline?.evals ?? [],
    canaries: inputs.canaries,
  };
  return [
    {
      type: 'basis',
      hasBaseline: baseline !== null,
      status,
      mostExamples,
      plannedTests,
      tasks,
      advisory,
      lost,
      names,
    },
    ...Object.entries(parts).flatMap(([of, rows]: [string, readonly unknown[]]) =>
      Array.from({ length: Math.ceil(rows.length / PART_ROWS) }, (_, index) => ({
        type: 'part' as const,
        of: of as keyof Parts,
        rows: rows.slice(index * PART_ROWS, (index + 1) * PART_ROWS),
      })),
    ),
  ];
}

/** Returns the inputs of the decision that lines describe; null if they have no basis. */
export function inputsIn(lines: readonly Exclude<EvidenceLine, { type: 'test' }>[]): DecisionInputs | null {
  const basis = lines.find((line) => line.type === 'basis');
  if (!basis) return null;
  const { hasBaseline, status, mostExamples, plannedTests, tasks, advisory, lost, names } = basis;
  const rowsOf = <K extends keyof Parts>(of: K): Parts[K] =>
    lines.flatMap((line) => (line.type === 'part' && line.of === of ? line.rows : [])) as unknown as Parts[K];
  const baseline = { tests: rowsOf('baselineTests'), evals: rowsOf('baselineEvals') };
  return {
    status,
    mostExamples,
    plannedTests,
    tasks,
    advisory,
    lost,
    names,
    tests: rowsOf('tests'),
    findings: rowsOf('findings'),
    candidate: { tests: rowsOf('candidateTests'), evals: rowsOf('candidateEvals') },
    baseline: hasBaseline ? baseline : null,
    canaries: rowsOf('canaries'),
  };
}

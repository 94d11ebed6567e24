import type { VerdictPair } from '../../evaluate/statistics/judge-gate.ts';

/** Verdicts of a version of a definition and of people on the same subject; true means passed. */
export interface ReportedVerdict extends VerdictPair {
  /** Number of people. */
  people: number;
  /** True if people differed. */
  isDisputed: boolean;
}

/** Verdict of a person on a trace: 1 = pass, 0 = fail, 0.5 = unsure. */
export interface Annotation {
  traceId: string;
  annotatorId: string;
  verdict: number;
  createdAt: number;
}

/** Verdicts of a judge on a trace or on one of its tests; true means passed. */
export interface TargetVerdict {
  target: string;
  first: boolean;
  newest: boolean;
}

export interface JudgedTarget {
  /** Newest verdict of the judge. */
  judge: boolean;
  annotations: Annotation[];
}

/** Returns the newest verdict of each person. */
export function newestOf(annotations: readonly Annotation[]): Map<string, number> {
  const newest = new Map<string, number>();
  for (const { annotatorId, verdict } of annotations.toSorted((a, b) => b.createdAt - a.createdAt))
    if (!newest.has(annotatorId)) newest.set(annotatorId, verdict);
  return newest;
}

/** Returns the majority of people; null if they are tied. */
export function opinionOf(verdicts: ReadonlyMap<string, number>): Omit<ReportedVerdict, 'judge'> {
  const [people, passed] = [verdicts.size, [...verdicts.values()].reduce((sum, one) => sum + one, 0)];
  return {
    human: 2 * passed === people ? null : 2 * passed > people,
    people,
    isDisputed: new Set(verdicts.values()).size > 1,
  };
}

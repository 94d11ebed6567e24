/**
 * Finds model calls that two instrumentations report: as spans that are not nested, so that both would count. A single
 * instrumentation reports a call once, so the spans are of different scopes. They are of one call if they have the same
 * response id; where one of them has none, if they have the same parent, model and usage and overlap in time.
 */
export interface ReportedCall {
  /** Hashes of the instrumentation scope and of the response id; 0 = unknown. */
  scopeHash: number;
  responseHash: number;
  /** Id of the parent; calls with the same one are siblings. */
  parent: string;
  /** Unix nanoseconds. */
  start: bigint;
  end: bigint;
  model: string | null;
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  cost: number;
  /** True if the sender reported the cost. */
  isCostSent: boolean;
}

/** A call with the spans that report it. */
interface Call {
  best: number;
  scopes: Set<number>;
}

/** Calls of spans that may report the same one, in order of start. */
interface Group {
  calls: Call[];
  /** Index of the first call that a span of a scope may still match. */
  next: Map<number, number>;
}

/** A way to find spans of one call. */
interface Matching {
  /** Returns the key of the group of spans that may be of one call; null for none. */
  groupOf: (span: ReportedCall) => string | number | null;
  isSame: (earlier: ReportedCall, span: ReportedCall) => boolean;
  /** Reports whether neither this span nor any later one can be the same call. */
  isOver: (earlier: ReportedCall, span: ReportedCall) => boolean;
}

const BY_RESPONSE: Matching = {
  groupOf: ({ responseHash }) => responseHash || null,
  isSame: () => true,
  isOver: () => false,
};

const AMONG_SIBLINGS: Matching = {
  groupOf: ({ parent, inputTokens, outputTokens }) =>
    inputTokens + outputTokens === 0 ? null : `${parent} ${inputTokens} ${outputTokens}`,
  isSame: (a, b) => {
    const isOtherResponse = a.responseHash !== 0 && b.responseHash !== 0;
    return !isOtherResponse && a.start <= b.end && b.start <= a.end && isSameModel(a.model, b.model);
  },
  isOver: (earlier, { start }) => earlier.end < start,
};

/** Most calls of equal usage that a span is compared with. */
const MAX_COMPARED = 32;

/** Reports whether spans are of several scopes; otherwise no call is doubled, and nothing has to be compared. */
export function hasSeveralScopes(scopeHashes: Iterable<number>): boolean {
  let first = 0;
  for (const hash of scopeHashes) {
    if (first === 0) first = hash;
    else if (hash !== 0 && hash !== first) return true;
  }
  return false;
}

/** Returns the indexes of spans whose call another span reports better. */
export function doubledCalls(spans: readonly ReportedCall[]): number[] {
  const order = [...spans.keys()]
    .filter((index) => spans[index]?.scopeHash !== 0)
    .sort((a, b) => byStart(at(spans, a), at(spans, b)));
  const doubled = new Set<number>();
  match(spans, order, BY_RESPONSE, doubled);
  const rest = order.filter((index) => !doubled.has(index));
  match(spans, rest, AMONG_SIBLINGS, doubled);
  return [...doubled];
}

/** Matches spans one to one, and adds those that do not count to `doubled`. */
function match(
  spans: readonly ReportedCall[],
  order: readonly number[],
  matching: Matching,
  doubled: Set<number>,
): void {
  const groups = new Map<string | number, Group>();
  for (const index of order) {
    const span = at(spans, index);
    const key = matching.groupOf(span);
    if (key === null) continue;
    const group = groups.get(key) ?? { calls: [], next: new Map<number, number>() };
    groups.set(key, group);
    const call = findCall(spans, group, span, matching);
    if (!call) group.calls.push({ best: index, scopes: new Set([span.scopeHash]) });
    else {
      call.scopes.add(span.scopeHash);
      const isBetter = saysMore(span, at(spans, call.best));
      doubled.add(isBetter ? call.best : index);
      if (isBetter) call.best = index;
    }
  }
}

/** Returns the first call that a span reports too, and no other span of its scope. */
function findCall(
  spans: readonly ReportedCall[],
  { calls, next }: Group,
  span: ReportedCall,
  { isSame, isOver }: Matching,
): Call | undefined {
  const { scopeHash } = span;
  const isPast = ({ best, scopes }: Call): boolean => scopes.has(scopeHash) || isOver(at(spans, best), span);
  let first = next.get(scopeHash) ?? 0;
  for (let call = calls[first]; call && isPast(call); call = calls[first]) first += 1;
  next.set(scopeHash, first);
  const near = calls.slice(first, first + MAX_COMPARED);
  return near.find(({ best, scopes }) => !scopes.has(scopeHash) && isSame(at(spans, best), span));
}

const at = (spans: readonly ReportedCall[], index: number): ReportedCall => spans[index] as ReportedCall;

const byStart = (a: ReportedCall, b: ReportedCall): number =>
  a.start < b.start ? -1 : a.start > b.start ? 1 : 0;

/** Reports whether names may stand for one model: `gpt-5-mini`, `gpt-5-mini-2026-08-07`, `openai/gpt-5-mini`. */
function isSameModel(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return true;
  const [one, other] = [a, b].map((name) => name.slice(name.lastIndexOf('/') + 1)) as [string, string];
  return one.startsWith(other) || other.startsWith(one);
}

/** Reports whether `a` precedes `b`: by a cost that was sent, by any cost, then by more tokens. */
function saysMore(a: ReportedCall, b: ReportedCall): boolean {
  if (a.isCostSent !== b.isCostSent) return a.isCostSent;
  if (a.cost > 0 !== b.cost > 0) return a.cost > 0;
  return a.totalTokens > b.totalTokens;
}

import type { SpanIndex } from '../../../span-index/reader.ts';
import { isModelStep } from '../kinds.ts';

/** Agents, models and tools that are called in the same way, as one node. */
export interface AgentNode {
  id: string;
  kind: string;
  name: string;
  /** Rows of the span index, in order. */
  rows: number[];
  errors: number;
  /** Milliseconds of all calls together. */
  totalMs: number;
}

export interface AgentEdge {
  from: AgentNode;
  to: AgentNode;
  /** Calls along this edge. */
  count: number;
  /** True if some of these calls ran at the same time as another call of the same caller. */
  isParallel: boolean;
}

export interface AgentCalls {
  nodes: AgentNode[];
  edges: AgentEdge[];
  /** True if equal names are one node, wherever they were called. */
  isGrouped: boolean;
}

/** Largest number of nodes of a graph; larger graphs have one node for all spans of the same name. */
const MAX_NODES = 60;

/**
 * Returns which agents called which models and tools. Parents say who called whom, and times what ran in parallel; other
 * spans between them are left out. A node stands for all calls of one name by the same callers.
 */
export function agentCalls(index: SpanIndex): AgentCalls {
  const byCaller = collect(index, (caller, kind, name) => `${caller}\n${kind}\n${name}`);
  if (byCaller.nodes.length <= MAX_NODES) return { ...byCaller, isGrouped: false };
  return { ...collect(index, (_caller, kind, name) => `${kind}\n${name}`), isGrouped: true };
}

type KeyOf = (caller: string, kind: string, name: string) => string;

function collect(index: SpanIndex, keyOf: KeyOf): Omit<AgentCalls, 'isGrouped'> {
  const nodes = new Map<string, AgentNode>();
  const edges = new Map<string, AgentEdge>();
  /** Callers of the current row, and the end of the latest call of each until now. */
  const path: { node: AgentNode; end: number; latestEnd: number; last: AgentEdge | null }[] = [];
  for (let row = 0; row < index.rows; row++) {
    const kind = index.kind(row);
    if (index.isPlaceholder(row) || !isModelStep(kind)) continue;
    while (path.length > 0 && (path.at(-1)?.end ?? 0) <= row) path.pop();
    const caller = path.at(-1);
    const node = nodeOf(nodes, keyOf(caller?.node.id ?? '', kind, labelOf(index, row)), index, row);
    node.rows.push(row);
    node.totalMs += index.end(row) - index.start(row);
    if (index.has(row, 'error')) node.errors += 1;
    if (caller && caller.node !== node) {
      const edge = edgeOf(edges, caller.node, node);
      edge.count += 1;
      if (index.start(row) < caller.latestEnd) {
        edge.isParallel = true;
        if (caller.last) caller.last.isParallel = true;
      }
      caller.latestEnd = Math.max(caller.latestEnd, index.end(row));
      caller.last = edge;
    }
    path.push({ node, end: index.subtreeEnd(row), latestEnd: 0, last: null });
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()] };
}

/** Names of calls often begin with the operation: `chat gpt-5.4`, `execute_tool grep`. */
const labelOf = (index: SpanIndex, row: number): string =>
  (index.kind(row) === 'LLM' && index.model(row)) ||
  index.name(row).replace(/^execute_tool /, '') ||
  '(no name)';

function nodeOf(nodes: Map<string, AgentNode>, id: string, index: SpanIndex, row: number): AgentNode {
  let node = nodes.get(id);
  if (node === undefined) {
    node = { id, kind: index.kind(row), name: labelOf(index, row), rows: [], errors: 0, totalMs: 0 };
    nodes.set(id, node);
  }
  return node;
}

function edgeOf(edges: Map<string, AgentEdge>, from: AgentNode, to: AgentNode): AgentEdge {
  const key = `${from.id}\n\n${to.id}`;
  let edge = edges.get(key);
  if (edge === undefined) edges.set(key, (edge = { from, to, count: 0, isParallel: false }));
  return edge;
}

import type { AgentCalls, AgentNode } from './agents.ts';

export const NODE_WIDTH = 190;
export const NODE_HEIGHT = 44;
const COLUMN = NODE_WIDTH + 90;
const LINE = NODE_HEIGHT + 14;
const MARGIN = 20;
/** Nodes that are drawn; the rest is named in words. */
const MAX_DRAWN = 120;

export interface Placed {
  node: AgentNode;
  x: number;
  y: number;
}

/** Places callers left of what they call, and calls below each other in the order in which they first happened. */
export function placeNodes({ nodes, edges }: AgentCalls): {
  placed: Map<AgentNode, Placed>;
  width: number;
  height: number;
} {
  const columns = new Map<AgentNode, number>();
  const called = new Set(edges.map(({ to }) => to));
  const calls = Map.groupBy(edges, ({ from }) => from);
  const placed = new Map<AgentNode, Placed>();
  let line = 0;
  let widest = 0;
  const visit = (node: AgentNode, column: number): void => {
    if (columns.has(node) || columns.size >= MAX_DRAWN) return;
    columns.set(node, column);
    widest = Math.max(widest, column);
    const first = line;
    const below = (calls.get(node) ?? [])
      .map(({ to }) => to)
      .filter((to) => !columns.has(to))
      .toSorted((a, b) => (a.rows[0] ?? 0) - (b.rows[0] ?? 0));
    for (const to of below) visit(to, column + 1);
    if (line === first) line += 1;
    // A caller stands beside the middle of its calls.
    const middle = (first + line - 1) / 2;
    placed.set(node, { node, x: MARGIN + column * COLUMN, y: MARGIN + middle * LINE });
  };
  for (const node of nodes) if (!called.has(node)) visit(node, 0);
  for (const node of nodes) visit(node, 0);
  return {
    placed,
    width: MARGIN * 2 + widest * COLUMN + NODE_WIDTH,
    height: MARGIN * 2 + Math.max(line, 1) * LINE,
  };
}

import { type ReactNode, useMemo } from 'react';
import type { SpanIndex } from '../../../span-index/reader.ts';
import { formatWhole } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { classNames } from '../../ui/class-names.ts';
import { Empty } from '../../ui/states.tsx';
import { lookOf } from '../kinds.ts';
import { type AgentEdge, agentCalls } from './agents.ts';
import { NODE_HEIGHT, NODE_WIDTH, type Placed, placeNodes } from './layout.ts';

interface AgentGraphProps {
  index: SpanIndex;
  selected: number;
  onSelect: (row: number) => void;
}

/** Agents with the models and tools that they called, and how often. A click leads through the calls of a node. */
export function AgentGraph({ index, selected, onSelect }: AgentGraphProps): ReactNode {
  const calls = useMemo(() => agentCalls(index), [index]);
  const { placed, width, height } = useMemo(() => placeNodes(calls), [calls]);
  if (calls.nodes.length === 0) {
    return (
      <Empty title="This trace has no agents, models or tools">
        <p>Its spans follow no convention for model applications. The tree shows all of them.</p>
      </Empty>
    );
  }
  const hidden = calls.nodes.length - placed.size;
  return (
    <div className="h-full overflow-auto" role="region" aria-label="Agent graph" tabIndex={0}>
      <p className="px-5 pt-3 text-label text-dim">
        Callers are left of what they call. Double lines: several calls ran at the same time.
        {calls.isGrouped && ' Calls of the same name are one node, whoever made them.'}
        {hidden > 0 && ` ${formatWhole(hidden)} more nodes are not drawn.`}
      </p>
      <div className="relative" style={{ width, height }}>
        <svg width={width} height={height} aria-hidden="true" className="absolute inset-0">
          {calls.edges.map((edge) => (
            <Edge
              key={`${edge.from.id} ${edge.to.id}`}
              edge={edge}
              from={placed.get(edge.from)}
              to={placed.get(edge.to)}
            />
          ))}
        </svg>
        {[...placed.values()].map((place) => (
          <Node key={place.node.id} place={place} selected={selected} onSelect={onSelect} />
        ))}
      </div>
    </div>
  );
}

function Node({
  place: { node, x, y },
  selected,
  onSelect,
}: {
  place: Placed;
  selected: number;
  onSelect: (row: number) => void;
}): ReactNode {
  const { kind, name, rows, errors, totalMs } = node;
  const at = rows.indexOf(selected);
  const look = lookOf(kind);
  return (
    <button
      type="button"
      className={classNames(
        'absolute grid cursor-pointer grid-cols-[minmax(0,1fr)] content-center rounded-md border px-2.5 text-left',
        at === -1 ? 'border-edge bg-page hover:bg-panel' : 'border-accent bg-selection',
      )}
      style={{ left: x, top: y, width: NODE_WIDTH, height: NODE_HEIGHT }}
      title={`${kind} ${name}`}
      onClick={() => onSelect(rows[(at + 1) % rows.length] as number)}
    >
      <span className="flex items-center gap-1.5">
        <b className={classNames('shrink-0 text-label font-semibold', look.text)} aria-hidden="true">
          {look.letter}
        </b>
        <span className="sr-only">{kind}</span>
        <span className="truncate">{name}</span>
      </span>
      <span className="flex gap-2 text-axis text-dim">
        <span>{rows.length === 1 ? 'once' : `${formatWhole(rows.length)} times`}</span>
        <span>{formatDuration(totalMs)}</span>
        {errors > 0 && (
          <span className="text-fail">
            ✕ {formatWhole(errors)} {errors === 1 ? 'error' : 'errors'}
          </span>
        )}
      </span>
    </button>
  );
}

/** Width of a line: more calls are thicker, up to a limit. */
const thicknessOf = (count: number): number => Math.min(1 + Math.log10(count) * 1.5, 5);

function Edge({
  edge,
  from,
  to,
}: {
  edge: AgentEdge;
  from: Placed | undefined;
  to: Placed | undefined;
}): ReactNode {
  if (from === undefined || to === undefined) return null;
  const [x0, y0] = [from.x + NODE_WIDTH, from.y + NODE_HEIGHT / 2];
  const [x1, y1] = [to.x, to.y + NODE_HEIGHT / 2];
  // A call back to the left leaves below its caller.
  const bend = x1 > x0 ? (x1 - x0) / 2 : 60;
  const path = `M${x0} ${y0} C${x0 + bend} ${y0} ${x1 - bend} ${y1} ${x1} ${y1}`;
  const thickness = thicknessOf(edge.count);
  return (
    <>
      <path
        d={path}
        fill="none"
        strokeWidth={edge.isParallel ? thickness + 3 : thickness}
        className="stroke-edge"
      />
      {edge.isParallel && <path d={path} fill="none" strokeWidth={thickness} className="stroke-page" />}
      <text x={x1 - 8} y={y1 - 6} textAnchor="end" className="fill-dim text-axis">
        {formatWhole(edge.count)} ×
      </text>
    </>
  );
}

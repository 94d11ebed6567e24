import type { Database } from '../storage/database.ts';
import { durationMs, formatNs, statusName, stepType } from './format.ts';
import { resolveTestIds } from './link.ts';
import { findStoredTrace, loadSkeleton, PayloadReader } from './load.ts';
import { addLogged } from './logged-span.ts';
import { sumOnce } from './open-trace.ts';
import { ownRulesOf } from './own-rules/open.ts';
import type { SkeletonSpan } from './span.ts';
import { logsOfTrace } from './span-logs.ts';
import { PayloadFields } from './span-payload.ts';
import { buildTree, subtree, type TreeNode } from './tree.ts';

export interface ReadSpans {
  application: number;
  traceIds: Uint8Array[];
  /** Id of a span; only this span and its descendants are listed. */
  subtree: string | null;
  /** Ids of the only spans to list. */
  spanIds: string[] | null;
  payload: boolean;
  skip: number;
  limit: number;
}

/**
 * Returns the spans of a trace as JSON bytes, `{ data, pagination }`, in the order of its tree, parents before their
 * children. A parent that is not stored has an entry too, marked as `placeholder`. Returns null when the trace or
 * subtree does not exist.
 */
export function readSpans(database: Database, args: ReadSpans): Uint8Array | null {
  const trace = findStoredTrace(database, args.application, args.traceIds);
  if (!trace) return null;
  const spans = loadSkeleton(database, trace);
  const logs = logsOfTrace(database, trace.application, trace.traceId);
  if (logs.size > 0) {
    const { prices } = ownRulesOf(database, trace.application);
    const logged = new PayloadReader(database, trace);
    const bytesOf = (span: SkeletonSpan): Buffer => logged.open(span).bytes;
    for (const span of spans) {
      const records = logs.get(span.id);
      if (records) addLogged(span, records, { prices, bytesOf });
    }
  }
  const tree = buildTree(spans);
  if (args.subtree !== null && !tree.byId.has(args.subtree)) return null;
  let nodes = args.subtree === null ? tree.order : subtree(tree, args.subtree);
  if (args.spanIds) {
    const wanted = new Set(args.spanIds);
    nodes = nodes.filter(({ id }) => wanted.has(id));
  }
  const testIds = resolveTestIds(tree, null);
  if (args.payload) sumOnce(tree);
  const payloads = args.payload ? new PayloadFields(database, trace, logs) : null;
  const entries = nodes
    .slice(args.skip, args.skip + args.limit)
    .map((node) => spanJson(node, testIds.get(node.id), payloads));
  const total = nodes.length;
  const pagination = { skip: args.skip, limit: args.limit, total, totalPages: Math.ceil(total / args.limit) };
  return new TextEncoder().encode(
    `{"data":[${entries.join(',')}],"pagination":${JSON.stringify(pagination)}}`,
  );
}

/** Writes JSON by hand, because a tree of 100 000 spans is one response. */
function spanJson(node: TreeNode, testId: string | undefined, payloads: PayloadFields | null): string {
  const { span } = node;
  if (!span)
    return `{"id":"${node.id}","placeholder":true,"depth":${node.depth},"childCount":${node.children.length}}`;
  const payload = payloads?.of(span);
  const message = payload?.statusMessage ? `,"message":${JSON.stringify(payload.statusMessage)}` : '';
  return (
    `{"id":"${span.id}"${span.parentId === null ? '' : `,"parentId":"${span.parentId}"`},"name":${JSON.stringify(span.name)}` +
    `,"kind":"${span.kind}","type":"${stepType(span.kind)}","startTime":"${formatNs(span.start)}"` +
    `,"durationMs":${durationMs(span.start, span.end)},"status":{"code":"${statusName(span.status)}"${message}}` +
    `,"depth":${node.depth},"childCount":${node.children.length}${testId === undefined ? '' : `,"testId":"${testId}"`}` +
    `${node.orphan ? ',"orphan":true' : ''}${node.cycle ? ',"cycle":true' : ''}${node.skew ? ',"skew":true' : ''}` +
    `${payload ? `,${payload.json}` : ''}}`
  );
}

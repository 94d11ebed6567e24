/**
 * Marks the nodes above those that report something: frameworks give the usage of a model call on the call and, summed up,
 * on the agent around it. `reports` has an amount for each of `nodes`. Each node is visited once, so that the walk upwards
 * is linear in all.
 */
export function markReportedBelow(
  parent: Int32Array,
  nodes: Uint32Array,
  reports: (i: number) => number,
): Uint8Array {
  const isAbove = new Uint8Array(parent.length);
  for (let i = 0; i < nodes.length; i++) {
    if (reports(i) <= 0) continue;
    for (
      let at = parent[nodes[i] as number] as number;
      at >= 0 && isAbove[at] === 0;
      at = parent[at] as number
    )
      isAbove[at] = 1;
  }
  return isAbove;
}

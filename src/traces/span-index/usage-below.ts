/**
 * Returns the nodes above those that report something: frameworks give the usage of a model call on the call and, summed
 * up, on the agent around it. Each node is visited once, so that the walk upwards is linear in all.
 */
export function reportedBelow(parent: Int32Array, reporting: readonly number[]): ReadonlySet<number> {
  const above = new Set<number>();
  for (const node of reporting) {
    for (let at = parent[node] as number; at >= 0 && !above.has(at); at = parent[at] as number) above.add(at);
  }
  return above;
}

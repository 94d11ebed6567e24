import type { VariantConfig } from './variant-contract.ts';

/** Settings of a variant and its place in the tree. */
export interface ConfigNode {
  id: string;
  parentId: string | null;
  configPatch: VariantConfig;
}

/** Returns the settings of each variant of an experiment by id: its patch merged over those of its parent. */
export function mergedConfigs(nodes: readonly ConfigNode[]): Map<string, VariantConfig> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const merged = new Map<string, VariantConfig>();
  for (const node of nodes) {
    const open = lineOf(node, byId).filter(({ id }) => !merged.has(id));
    for (const { id, parentId, configPatch } of open.reverse())
      merged.set(id, over(merged.get(parentId ?? '') ?? {}, configPatch));
  }
  return merged;
}

/** Returns the variants whose settings depend on that of `id`, including itself. */
export function descendantsOf<Node extends ConfigNode>(nodes: readonly Node[], id: string): Node[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return nodes.filter((node) => lineOf(node, byId).some((ancestor) => ancestor.id === id));
}

/** Returns a variant and its ancestors up to the baseline. */
function lineOf<Node extends ConfigNode>(node: Node, byId: ReadonlyMap<string, Node>): Node[] {
  const line: Node[] = [];
  for (let at: Node | undefined = node; at; at = byId.get(at.parentId ?? '')) line.push(at);
  return line;
}

/** Merges, for each step, the parameters of `patch` over those of `base`. */
function over(base: VariantConfig, patch: VariantConfig): VariantConfig {
  const steps = Object.entries(patch).map(([step, parameters]) => [step, { ...base[step], ...parameters }]);
  return { ...base, ...(Object.fromEntries(steps) as VariantConfig) };
}

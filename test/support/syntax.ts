/** A node of a syntax tree. */
export interface Node {
  type: string;
  [field: string]: unknown;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Calls `onNode` with each node of a tree, parents first. */
export function visit(value: unknown, onNode: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, onNode);
  else if (isNode(value)) {
    onNode(value);
    for (const field of Object.values(value)) visit(field, onNode);
  }
}

import type { Issue } from '../../api/generated/schema.ts';

type Part = Pick<Issue, 'id' | 'parentId'>;

/** Returns issues in their order, but the parts of an issue that is among them directly below it. */
export function underParents<T extends Part>(issues: readonly T[]): T[] {
  const ids = new Set(issues.map(({ id }) => id));
  const parts = Map.groupBy(
    issues.filter(({ parentId }) => parentId !== null && ids.has(parentId)),
    ({ parentId }) => parentId,
  );
  return issues
    .filter(({ parentId }) => parentId === null || !ids.has(parentId))
    .flatMap((issue) => [issue, ...(parts.get(issue.id) ?? [])]);
}

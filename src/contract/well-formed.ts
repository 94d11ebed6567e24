import type { Issue } from '../errors.ts';

/** Most issues that one request gets. */
const MAX_ISSUES = 10;

/**
 * Lists the texts of a request, and the names of its fields, that contain half of a surrogate pair. Such a text has no bytes in UTF-8:
 * it would be stored as another one, which no search finds.
 */
export function illFormedTexts(value: unknown): Issue[] {
  const issues: Issue[] = [];
  search(value, [], issues);
  return issues;
}

function search(value: unknown, path: readonly string[], issues: Issue[]): void {
  if (issues.length >= MAX_ISSUES) return;
  if (typeof value === 'string') {
    if (!value.isWellFormed())
      issues.push({
        code: 'invalid_string',
        message: 'must not contain half of a surrogate pair',
        path: path.map((name) => name.toWellFormed()),
      });
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) search(value[index], [...path, String(index)], issues);
  } else if (isPlain(value)) {
    for (const [name, item] of Object.entries(value)) {
      const inside = [...path, name];
      search(name, inside, issues);
      search(item, inside, issues);
    }
  }
}

/** Reports whether a value is an object of JSON, and not a file or bytes. */
const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);

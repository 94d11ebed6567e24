import { describe, expect, it } from 'vitest';
import { prefixKey, queryKey } from '../../src/dashboard/api/query-key.ts';

describe('The key of a call', () => {
  const taskTags = queryKey('a1', '/v0/tasks/{id}/tags', { path: { id: 't1' }, query: { limit: 5 } });

  it('is its application, its path with the ids filled in, its query and its version', () => {
    expect(taskTags).toEqual(['a1', 'tasks', 't1', 'tags', { limit: 5 }, null]);
    expect(queryKey('a1', '/v0/system', {}, 3)).toEqual(['a1', 'system', {}, 3]);
  });

  it.each([
    ['/v0', true],
    ['/v0/tasks', true],
    ['/v0/tags', false],
    ['/v0/task', false],
  ] as const)('begins with the key of the prefix %s: %s', (path, isPart) => {
    const prefix = prefixKey('a1', path);
    expect(taskTags.slice(0, prefix.length).join() === prefix.join()).toBe(isPart);
  });
});

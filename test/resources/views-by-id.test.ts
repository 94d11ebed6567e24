import { expect, it } from 'vitest';
import { filtersBy } from '../../src/resources/views/filters-by.ts';

it.each<[filters: boolean, filter: Readonly<Record<string, string[]>>]>([
  [true, { q: ['user:user-1'] }],
  [true, { q: ['errors:yes session:user-1 kind:llm'] }],
  [true, { q: ['user:"user-1"'] }],
  [true, { q: ['user-1'] }],
  [true, { userId: ['other', 'user-1'] }],
  [true, { user: ['user-1'] }],
  [true, { search: ['user-1'] }],
  [false, { q: ['user:user-12'] }],
  [false, { q: ['user:my-user-1'] }],
  [false, { environment: ['user-1'] }],
  [false, { 'user-1': ['yes'] }],
  [false, {}],
])('%s: a view with the filter %o filters by user-1', (filters, filter) => {
  expect(filtersBy(filter, 'user-1')).toBe(filters);
});

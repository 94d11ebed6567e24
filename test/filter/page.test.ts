import { expect, it } from 'vitest';
import { filtersPage } from '../support/filters-page.ts';

it('the page of filter lines lists every field', async () => {
  const advice = 'Run `npm run vitest -- run test/filter/page.test.ts -u` to write the page again';
  await expect(filtersPage(), advice).toMatchFileSnapshot('../../docs/filters.md');
});

import { expect, it } from 'vitest';
import { clientTypes } from '../../scripts/client-types.ts';
import { openApi } from '../../src/api/openapi.ts';
import { apiRoutes, type RouteDeps } from '../../src/api/routes.ts';

/** Their handlers are never called. */
const document = openApi(apiRoutes({ config: {} } as RouteDeps));

const ADVICE = 'Run `npm run openapi` to write docs/openapi.json and the types again';

it('the document is what the routes say', async () => {
  await expect(`${JSON.stringify(document, null, 2)}\n`, ADVICE).toMatchFileSnapshot(
    '../../docs/openapi.json',
  );
});

it('the types of the client are those of the document', async () => {
  await expect(clientTypes(document), ADVICE).toMatchFileSnapshot('../../src/api/generated/schema.ts');
});

import type { ListedDelivery, Test } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';

/** Attempts of one test that are shown. */
const MAX_ATTEMPTS = 50;

/** Returns the deliveries of a test, the first attempt first. They are loaded again whenever the test changes. */
export const useAttempts = ({ id, modifiedAt, timeline }: Pick<Test, 'id' | 'modifiedAt' | 'timeline'>) =>
  useApi(
    '/v0/webhook/deliveries',
    { query: { testId: [id], limit: MAX_ATTEMPTS, orderBy: 'sentAt', orderDir: 'asc' } },
    { version: [modifiedAt, timeline.length] },
  );

/** Returns one delivery with its request and response. */
export const useDelivery = (id: string | undefined, outcome: ListedDelivery['outcome'] | undefined) =>
  useApi(
    '/v0/webhook/deliveries/{id}',
    { path: { id: id ?? '' } },
    { enabled: id !== undefined, version: outcome },
  );

import type { Delivery, ListedDelivery } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import type { Test } from '../../api/generated/schema.ts';

/** Attempts of one test that are shown. */
const MAX_ATTEMPTS = 50;

/** Returns the deliveries of a test, the first attempt first. They are loaded again whenever the test changes. */
export const useAttempts = ({ id, modifiedAt, timeline }: Pick<Test, 'id' | 'modifiedAt' | 'timeline'>) =>
  useApi(['deliveries', 'of-test', id, { modifiedAt, entries: timeline.length }], (api, signal) =>
    api.GET('/v0/webhook/deliveries', {
      params: { query: { testId: [id], limit: MAX_ATTEMPTS, orderBy: 'sentAt', orderDir: 'asc' } },
      signal,
    }),
  );

/** Returns one delivery with its request and response. */
export const useDelivery = (id: string | undefined, outcome: ListedDelivery['outcome'] | undefined) =>
  useApi<{ data: Delivery }>(
    ['deliveries', id, outcome],
    (api, signal) => api.GET('/v0/webhook/deliveries/{id}', { params: { path: { id: id ?? '' } }, signal }),
    { enabled: id !== undefined },
  );

import { z } from 'zod';
import { type Route, route } from '../../contract/route.ts';
import { AppError } from '../../errors.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { getRetention, setRetention } from './calls.ts';
import {
  type Retention,
  type RetentionLimits,
  retention,
  retentionQuery,
  setRetentionBody,
} from './contract.ts';
import { exampleRetention } from './example.ts';
import { RequestedCounts } from './count-days.ts';

export interface RetentionRouteDeps extends StoreCalls {
  /** Called after the limits were changed. */
  onRetentionChanged: () => void;
}

const one = z.object({ data: retention });

/** Time for which a request measures; further requests continue with the rest. */
const MEASURE_MS = 5_000;

export const retentionRoutes = (deps: RetentionRouteDeps): Route[] => routesWith(deps, new RequestedCounts());

const routesWith = (
  { read, write, now, onRetentionChanged }: RetentionRouteDeps,
  counts: RequestedCounts,
): Route[] => [
  route({
    method: 'GET',
    path: '/v0/retention',
    operationId: 'getRetention',
    group: 'Retention',
    summary: 'Get how long traces are kept, and what they use',
    description:
      'With `days` or `maxBytes`, shows what these limits would delete, and changes nothing. The traces that changed are counted before the response.',
    scope: 'read',
    query: retentionQuery,
    response: one,
    example: { response: { data: exampleRetention } },
    handler: async ({ principal: { application }, query }) => ({
      data: await measured({ read, write, now, counts }, application, given(query)),
    }),
  }),
  route({
    method: 'PUT',
    path: '/v0/retention',
    operationId: 'setRetention',
    group: 'Retention',
    summary: 'Set how long traces are kept',
    description:
      'Absent fields keep their values; `null` removes a limit. The traces that changed are counted before the response. Deletion begins within a minute, the oldest traces first.',
    scope: 'admin',
    body: setRetentionBody,
    readOnlyFields: Object.keys(retention.shape),
    response: one,
    example: { body: { days: 90 }, response: { data: exampleRetention } },
    handler: async ({ principal: { application }, body }) => {
      await write(setRetention, { application, limits: given(body), at: now() });
      // Measured before deletion begins, so that the response shows what the limits delete.
      const data = await measured({ read, write, now, counts }, application, {});
      onRetentionChanged();
      return { data };
    },
  }),
];

/** Returns null for a store that takes no writes, as on a full disk: the numbers of the last count are read then. */
function nullIfNotStored(error: unknown): null {
  if (error instanceof AppError && error.code === 'unavailable') return null;
  throw error;
}

/** Counts the traces that changed, for a limited time, and returns what an application keeps and stores. */
async function measured(
  { read, write, now, counts }: Omit<RetentionRouteDeps, 'onRetentionChanged'> & { counts: RequestedCounts },
  application: number,
  limits: RetentionLimits,
): Promise<Retention> {
  const end = performance.now() + MEASURE_MS;
  const isStopped = (): boolean => performance.now() > end;
  const measuredAt = await counts
    .measure({ read, write, now, isStopped }, application)
    .catch(nullIfNotStored);
  return read(getRetention, { application, limits, now: now(), measuredAt });
}

const given = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

import { useApi } from '../api/use-api.ts';
import { useListedTrace } from '../trace/use-listed-trace.ts';
import { choosePartner, isPassing } from './partner.ts';

/** A trace to compare with, and why. */
export interface Partner {
  traceId: string;
  testId: string;
  why: string;
}

/** Tests of the same task that are looked through. */
const MAX_TESTS = 50;

/**
 * Returns the trace that the trace of a test is best compared with: that of an earlier test of the same task. Undefined until
 * it is known, and where there is none.
 */
export function usePartner(traceId: string): Partner | undefined {
  const testId = useListedTrace(traceId)?.testId ?? undefined;
  const own = useApi('/v0/tests/{id}', { path: { id: testId ?? '' } }, { enabled: testId !== undefined }).data
    ?.test;
  const query = {
    taskId: [own?.taskId ?? ''],
    status: ['COMPLETED' as const],
    orderBy: 'createdAt' as const,
    orderDir: 'desc' as const,
    limit: MAX_TESTS,
  };
  const tests = useApi('/v0/tests', { query }, { enabled: own !== undefined });
  const chosen = own && choosePartner(own, tests.data?.data ?? []);
  const found = useApi(
    '/v0/tests/{id}',
    { path: { id: chosen?.id ?? '' } },
    { enabled: chosen !== undefined },
  ).data?.test;
  const [first] = found?.traceIds ?? [];
  if (own === undefined || chosen === undefined || found?.id !== chosen.id || first === undefined)
    return undefined;
  const what = chosen.exampleIndex === own.exampleIndex ? 'task and example' : 'task';
  const which = isPassing(chosen) ? 'The last passing test before it' : 'The last test before it';
  return { traceId: first, testId: chosen.id, why: `${which}, of the same ${what}` };
}

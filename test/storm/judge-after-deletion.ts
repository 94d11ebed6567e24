import { setTimeout as delay } from 'node:timers/promises';
import type { Done } from './action.ts';
import type { Fixture } from './fixture.ts';

interface TestJson {
  runId: string;
  traceIds: string[];
  evals: { id: string; status: string; passed: boolean | null }[];
}

/** Verdicts of a test: by the id of the eval, whether it passed. */
export type Verdicts = ReadonlyMap<string, boolean | null>;

/** Time in which a verdict would be replaced, milliseconds. */
const VERDICT_MS = 500;

/** Deletes the traces of a test and evaluates it and its run again, after which all verdicts must be as before. */
export async function judgeAfterDeletion(fixture: Fixture): Promise<Done> {
  const id = await fixture.idOf('/v0/tests?status=COMPLETED');
  const test = id === undefined ? null : await testOf(fixture, id);
  if (!test) return 'skipped';
  for (const traceId of test.traceIds) {
    const { status } = await fixture.call('DELETE', `/v0/traces/${traceId}`);
    // What a stored trace shows may be judged again.
    if (status !== 204) return status;
  }
  const before = await testOf(fixture, id);
  const body = { force: fixture.random() < 0.7 };
  await fixture.call('POST', `/v0/tests/${id}/evaluate`, body);
  const { status } = await fixture.call('POST', `/v0/runs/${test.runId}/evaluate`, body);
  await delay(VERDICT_MS);
  const after = await testOf(fixture, id);
  if (!before || !after) return 'skipped';
  const changed = changedVerdicts(verdictsOf(before), verdictsOf(after));
  if (changed.length > 0)
    fixture.faults.push(
      `verdicts of the test ${id} changed without its trace, of the evals ${changed.join(', ')}`,
    );
  return status;
}

/** Returns the ids of evals whose verdict was replaced, removed or made. */
export const changedVerdicts = (before: Verdicts, after: Verdicts): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((id) => before.get(id) !== after.get(id));

/** Reads a test; null if it cannot be read now. */
async function testOf(fixture: Fixture, id: string | undefined): Promise<TestJson | null> {
  const { status, json } = await fixture.call('GET', `/v0/tests/${id}`);
  return status === 200 ? (json as { test: TestJson }).test : null;
}

const verdictsOf = ({ evals }: TestJson): Verdicts =>
  new Map(evals.filter(({ status }) => status === 'COMPLETED').map(({ id, passed }) => [id, passed]));

import { reviewerOf } from '../../contract/reviewer.ts';
import type { Principal } from '../../contract/scope.ts';
import { AppError } from '../../errors.ts';
import type { Read } from '../../storage/calls.ts';
import { findWithheld } from './calls.ts';

/**
 * Throws `conflict` if the caller reviews tests of some of these runs, variants or run sets blind: a rate cannot leave verdicts out, and
 * that of one test shows its verdict.
 */
export async function requireShownTests(
  read: Read,
  { principal, ids, now }: { principal: Principal; ids: readonly (string | null | undefined)[]; now: number },
): Promise<void> {
  const { application } = principal;
  const given = ids.flatMap((id) => id ?? []);
  const of = { application, reviewer: reviewerOf(principal), now, traceIds: [], testIds: [] };
  const { groupIds } = await read(findWithheld, { ...of, groupIds: given });
  if (groupIds.length > 0)
    throw new AppError(
      'conflict',
      'You review some of these tests in a blind queue; what counts their verdicts is withheld until they are settled',
    );
}

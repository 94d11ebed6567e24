import { AppError } from '../../errors.ts';
import { DETERMINISTIC_EVALUATORS } from '../../evaluate/evaluators/deterministic.ts';
import type { Database } from '../../storage/database.ts';
import type { Definition, Gate } from './contract.ts';
import { measuredKappa } from './reliability.ts';
import type { OfVersion } from './verdict-store.ts';

/**
 * The gate of a definition after a change (`asked`; undefined = it says nothing of it). Throws `conflict` when it was asked
 * for and the judge has not reached its kappa.
 */
export function gateAfterChange(
  database: Database,
  before: Pick<Definition, 'gate' | 'version'>,
  after: OfVersion & Pick<Definition, 'type'>,
  asked: Gate | undefined,
): Gate {
  const isSure = DETERMINISTIC_EVALUATORS.has(after.type);
  const isSameJudge = before.version === after.version;
  if (asked === undefined) return isSameJudge || isSure ? before.gate : null;
  const isKept = isSameJudge && asked?.minKappa === before.gate?.minKappa;
  if (asked !== null && !isSure && !isKept)
    requireKappa(measuredKappa(database, after), asked.minKappa, after.version);
  return asked;
}

function requireKappa(kappa: number | null, minKappa: number, version: number): void {
  if (kappa !== null && kappa >= minKappa) return;
  const measured = kappa === null ? 'is not known: it takes human verdicts' : `is ${kappa}`;
  throw new AppError(
    'conflict',
    `The evaluation definition cannot be a gate: it asks for a kappa of ${minKappa}, and that of version ${version} ${measured}`,
  );
}

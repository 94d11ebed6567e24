import type { Database } from '../../storage/database.ts';
import { valuesOf } from '../../storage/dialect.ts';
import { isJudgedByModel, judgeStandings } from './standing.ts';

/** Definitions with a gate of one application, at most. */
const MAX_GATED = 10_000;

/**
 * Standing of a judge by the gate of its definition. `PROVED`: its verdicts count. `UNPROVED`: they are only shown. `LOST`: they
 * counted before, and are only shown now.
 */
type GateState = 'PROVED' | 'UNPROVED' | 'LOST';

/** Gate of a definition when a run set is started. */
export interface FixedGate {
  definitionId: string;
  state: GateState;
  /** Version of the proved judge; null for other states. */
  judgeVersion: string | null;
  /** Reason why the gate is not valid; null without a gate. */
  reason: string | null;
}

/** Returns the standing of all definitions with a gate. Call it in a reader only. */
export function gatesOfToday(
  database: Database,
  { application, now }: { application: number; now: number },
): FixedGate[] {
  const ids = database
    .all<{ id: string }>(
      `SELECT id FROM definition WHERE application = :application AND gate_min_kappa IS NOT NULL
       ORDER BY id LIMIT ${MAX_GATED}`,
      { application },
    )
    .map(({ id }) => id);
  const { gated, reasons, advisory, lost } = judgeStandings(database, { application, ids, now });
  return [
    ...[...gated].map(
      ([definitionId, { of }]): FixedGate => ({
        definitionId,
        state: 'PROVED',
        judgeVersion: of.judgeVersion,
        reason: null,
      }),
    ),
    ...[...advisory].map(
      (definitionId): FixedGate => ({
        definitionId,
        state:
          lost.has(definitionId) || hasDecided(database, application, definitionId) ? 'LOST' : 'UNPROVED',
        judgeVersion: null,
        reason: reasons.get(definitionId) ?? null,
      }),
    ),
  ];
}

/** Reports whether a definition had a valid gate in any run set that is still stored. */
const hasDecided = (database: Database, application: number, definitionId: string): boolean =>
  database.get(
    `SELECT 1 FROM run_set_definition
     WHERE application = :application AND definition_id = :definitionId AND gate_state = 'PROVED' LIMIT 1`,
    { application, definitionId },
  ) !== undefined;

/** Returns the columns in which a run set keeps the gate of a definition of a type. */
export function fixedGateColumns(
  gate: FixedGate | undefined,
  type: string,
): { gateState: GateState | null; gateJudge: string | null; gateReason: string | null } {
  const state = isJudgedByModel(type) ? (gate?.state ?? 'UNPROVED') : null;
  return { gateState: state, gateJudge: gate?.judgeVersion ?? null, gateReason: gate?.reason ?? null };
}

/**
 * Returns the gates that the run sets of these runs have fixed, by definition; those of run sets of earlier versions are unknown. Of several
 * run sets, a judge is proved only if it is in each that has fixed its gate.
 */
export function fixedGatesOf(
  database: Database,
  { application, runIds }: { application: number; runIds: readonly string[] },
): Map<string, FixedGate> {
  const rows = database.all<FixedGate>(
    `SELECT DISTINCT definition_id AS "definitionId", gate_state AS state, gate_judge AS "judgeVersion", gate_reason AS reason
     FROM run_set_definition
     WHERE application = :application AND gate_state IS NOT NULL AND run_set_id IN (
       SELECT run_set_id FROM run WHERE application = :application AND id IN ${valuesOf(':runIds')})
     ORDER BY 1, 2, 3, 4`,
    { application, runIds: JSON.stringify(runIds) },
  );
  const gates = new Map<string, FixedGate>();
  for (const row of rows) {
    const known = gates.get(row.definitionId);
    if (!known || row.state !== 'PROVED') gates.set(row.definitionId, row);
    else if (known.state === 'PROVED') gates.set(row.definitionId, { ...known, judgeVersion: null });
  }
  return gates;
}

/** Returns the ids of the definitions with a valid gate in the run sets of these runs. */
export const provedInRuns = (
  database: Database,
  { application, runIds }: { application: number; runIds: readonly string[] },
): Set<string> =>
  new Set(
    database
      .all<{ id: string }>(
        `SELECT DISTINCT definition_id AS id FROM run_set_definition
         WHERE application = :application AND gate_state = 'PROVED' AND run_set_id IN (
           SELECT run_set_id FROM run WHERE application = :application AND id IN ${valuesOf(':runIds')})`,
        { application, runIds: JSON.stringify(runIds) },
      )
      .map(({ id }) => id),
  );

/**
 * Evaluation definitions and quickstarts cannot be made yet, and nothing is evaluated. All that follows from it for
 * tasks and topics stands here: any id of one is unknown, and there are no figures.
 */
import { z } from 'zod';
import { several } from '../contract/query.ts';
import { uuid } from '../contract/values.ts';
import { AppError } from '../errors.ts';

const NOTHING = z.null().default(null);

export const evalDefinitions = z.array(z.never()).default([]);

/** What evaluation tells of a task. */
export const taskFigures = {
  lastTest: NOTHING,
  passRate: NOTHING,
  passRateInterval: NOTHING,
  errorRate: NOTHING,
  monitoringPassRate: NOTHING,
  health: NOTHING,
  confidence: NOTHING,
  stability: NOTHING,
};

export const evalDefinitionLinks = z
  .array(z.object({ evalDefinitionId: uuid, config: z.object({ expected: z.unknown() }).optional() }))
  .max(100);

/** Throws when a body names an evaluation definition or a quickstart. */
export function refuseUnknown({
  evalDefinitions: links = [],
  quickstartId = null,
}: {
  evalDefinitions?: readonly unknown[] | undefined;
  quickstartId?: string | null | undefined;
}): void {
  if (links.length > 0) throw new AppError('not_found', 'evaluation definition not found');
  if (quickstartId !== null) throw new AppError('not_found', 'quickstart not found');
}

const level = z.enum(['HIGH', 'MEDIUM', 'LOW']);

export const figureFilters = {
  status: several(z.enum(['success', 'warning', 'error', 'no-tests'])).describe(
    'Tasks with one of these statuses: a pass rate above 75 %, above 50 %, of at most 50 %, or none.',
  ),
  evalDefinitionId: several(uuid).describe('Tasks with one of these evaluation definitions.'),
  confidence: several(level).describe('Tasks whose pass rate is known this well.'),
  stability: several(level).describe('Tasks whose scores vary this little.'),
  healthScore: several(level).describe('Tasks with a health score of 90 to 100, 60 to 89, or 0 to 59.'),
};

export type FigureFilter = z.output<z.ZodObject<typeof figureFilters>>;

/** Whether tasks can meet the filter: each of them is `no-tests` and has no figures. */
export const canMatch = ({
  status = ['no-tests'],
  evalDefinitionId,
  confidence,
  stability,
  healthScore,
}: FigureFilter): boolean =>
  status.includes('no-tests') && !evalDefinitionId && !confidence && !stability && !healthScore;

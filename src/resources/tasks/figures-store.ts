import { type Assessment, assess } from '../../evaluate/assessment.ts';
import type { Owner } from '../../contract/owner.ts';
import { storedFigures } from '../../evaluate/figure-store.ts';
import { type Figures, workOutFigures } from '../../evaluate/figures.ts';
import { percent } from '../../evaluate/statistics/settled.ts';
import type { Database } from '../../storage/database.ts';
import { each } from '../../storage/dialect.ts';
import { listedTests } from '../../tests/record.ts';
import { withResults } from '../tests/listed-tests.ts';
import type { ListedTest } from '../tests/contract.ts';
import type { TaskFigures } from './figures-contract.ts';

/** The figures of these tasks as they are stored. */
export function figuresOfTasks(
  database: Database,
  owner: Owner,
  ids: readonly string[],
): (taskId: string) => TaskFigures {
  const figures = storedFigures(database, { application: owner.application, kind: 'task', ids });
  const lastTests = lastTestsOf(database, owner, ids);
  return (taskId) => shown(figures.get(taskId) ?? NEVER_TESTED, lastTests.get(taskId));
}

/** The figures of a task as of `at`. To be asked in a reader only. */
export function figuresNow(
  database: Database,
  owner: Owner,
  { id, at }: { id: string; at: number },
): TaskFigures {
  const { figures } = workOutFigures(database, { application: owner.application, kind: 'task', id, at });
  return shown(figures, lastTestsOf(database, owner, [id]).get(id));
}

/** Stores the levels of a task, by which lists filter, when they have changed. */
export function saveTaskLevels(
  database: Database,
  { application, taskId, assessment }: { application: number; taskId: string; assessment: Assessment },
): void {
  const { status, confidence, stability, health } = assessment;
  database.run(
    `UPDATE task SET figure_status = :status, confidence_level = :confidence, stability_level = :stability, health_level = :health
     WHERE application = :application AND id = :taskId
       AND (figure_status, confidence_level, stability_level, health_level) IS DISTINCT FROM
         (:status, :confidence, :stability, :health)`,
    {
      application,
      taskId,
      status,
      confidence: confidence?.level ?? null,
      stability: stability?.level ?? null,
      health: health?.level ?? null,
    },
  );
}

const NEVER_TESTED: Figures = {
  tests: 0,
  passRate: null,
  errorRate: null,
  monitoringPassRate: null,
  health: null,
  deviation: null,
};

function shown(figures: Figures, lastTest: ListedTest | undefined): TaskFigures {
  const { interval, confidence, stability, health } = assess(figures);
  return {
    lastTest: lastTest ?? null,
    passRate: inPercent(figures.passRate),
    passRateInterval: interval && { low: percent(interval.low), high: percent(interval.high) },
    errorRate: inPercent(figures.errorRate),
    monitoringPassRate: inPercent(figures.monitoringPassRate),
    health,
    confidence,
    stability,
  };
}

const inPercent = (share: number | null): number | null => (share === null ? null : percent(share));

function lastTestsOf(database: Database, owner: Owner, taskIds: readonly string[]): Map<string, ListedTest> {
  const records = listedTests.all(
    database,
    owner.application,
    `id IN (
       SELECT (SELECT id FROM test WHERE application = :application AND task_id = value ORDER BY created_at DESC, id DESC LIMIT 1)
       FROM ${each(':taskIds')})`,
    { taskIds: JSON.stringify(taskIds) },
  );
  return new Map(withResults(database, owner, records).map((record) => [record.taskId, record]));
}

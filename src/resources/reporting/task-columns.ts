import { CRITICALITIES } from '../../deliver/schedule.ts';
import { LEVELS, TASK_STATUSES } from '../../evaluate/statistics/levels.ts';
import type { Datasource } from './column.ts';
import {
  date,
  DEFINITION,
  metrics,
  flagColumn,
  enumColumn,
  QUICKSTART,
  relation,
  relations,
  TAG,
  TASK,
  times,
  TOPIC,
} from './column-kinds.ts';
import { arrayOf } from '../../storage/dialect.ts';

const ofSchedule = (column: string): string =>
  `(SELECT ${column} FROM task_schedule AS schedule
     WHERE schedule.application = task.application AND schedule.task_id = task.id)`;

export const taskDatasource: Datasource = {
  title: 'Tasks',
  description: 'Definitions of tests.',
  table: 'task',
  passRate: 'passRate',
  columns: {
    id: relation('Task', TASK, 'task.id', 'The task itself.'),
    ...times('task'),
    status: enumColumn('Status', ['DRAFT', 'ACTIVE', 'ARCHIVED'], 'task.status', 'Status of the task.'),
    type: enumColumn('Type', ['STATIC', 'NORMAL'], 'task.type', 'Source of its prompts.'),
    topic: relation('Topic', TOPIC, 'task.topic_id', 'Topic of the task.'),
    quickstart: relation('Quickstart', QUICKSTART, 'task.quickstart_id', 'Quickstart that created the task.'),
    tag: relations(
      'Tag',
      TAG,
      `(SELECT ${arrayOf('tag_id')} FROM task_tag
         WHERE task_tag.application = task.application AND task_tag.task_id = task.id)`,
      'Its tags.',
    ),
    evalDefinition: relations(
      'Evaluation definition',
      DEFINITION,
      `(SELECT ${arrayOf('definition_id')} FROM definition_link AS link
         WHERE link.application = task.application AND link.kind = 'task' AND link.target_id = task.id)`,
      'Definitions that are linked to the task itself.',
    ),
    isVerified: flagColumn('Verified', 'task.is_verified', 'True if a person has verified the task.'),
    scheduleCriticality: enumColumn(
      'Criticality of the schedule',
      CRITICALITIES,
      'task.schedule_criticality',
      'Frequency of its runs: `HIGH` daily, `MEDIUM` weekly, `LOW` every two weeks. Empty without a schedule.',
    ),
    nextRunAt: date('Next run', ofSchedule('next_run_at'), 'Time of its next scheduled run.'),
    result: enumColumn(
      'Result',
      TASK_STATUSES,
      'task.figure_status',
      'Level of the pass rate: above 75 percent, above 50, at most 50, or none.',
    ),
    ...metrics('task'),
    healthLevel: enumColumn(
      'Health',
      LEVELS,
      'task.health_level',
      'Level of the health score: from 90, from 60, or below.',
    ),
    confidence: enumColumn('Confidence', LEVELS, 'task.confidence_level', 'Certainty of its pass rate.'),
    stability: enumColumn('Stability', LEVELS, 'task.stability_level', 'Stability of its scores.'),
  },
};

import { CRITICALITIES } from '../../deliver/schedule.ts';
import { LEVELS, TASK_STATUSES } from '../../evaluate/statistics/levels.ts';
import type { Datasource } from './column.ts';
import {
  date,
  DEFINITION,
  metrics,
  flag,
  oneOf,
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
  description: 'What is worth testing.',
  table: 'task',
  passRate: 'passRate',
  columns: {
    id: relation('Task', TASK, 'task.id', 'The task itself.'),
    ...times('task'),
    status: oneOf('Status', ['DRAFT', 'ACTIVE', 'ARCHIVED'], 'task.status', 'Whether it is in use.'),
    type: oneOf('Type', ['STATIC', 'NORMAL'], 'task.type', 'How its prompts come about.'),
    topic: relation('Topic', TOPIC, 'task.topic_id', 'The topic it belongs to.'),
    quickstart: relation('Quickstart', QUICKSTART, 'task.quickstart_id', 'The quickstart that made it.'),
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
    isVerified: flag('Verified', 'task.is_verified', 'Whether a person has looked at it.'),
    scheduleCriticality: oneOf(
      'Criticality of the schedule',
      CRITICALITIES,
      'task.schedule_criticality',
      'How often it runs: `HIGH` daily, `MEDIUM` weekly, `LOW` every two weeks. Empty without a schedule.',
    ),
    nextRunAt: date('Next run', ofSchedule('next_run_at'), 'When it runs next by its schedule.'),
    result: oneOf(
      'Result',
      TASK_STATUSES,
      'task.figure_status',
      'By the pass rate: above 75 percent, above 50, at most 50, or none.',
    ),
    ...metrics('task'),
    healthLevel: oneOf('Health', LEVELS, 'task.health_level', 'Health score: from 90, from 60, or below.'),
    confidence: oneOf('Confidence', LEVELS, 'task.confidence_level', 'How well its pass rate is known.'),
    stability: oneOf('Stability', LEVELS, 'task.stability_level', 'How little its scores vary.'),
  },
};

import { DEFINITION_TYPES } from '../../evaluate/definition-config.ts';
import { runType } from '../tests/contract.ts';
import type { Datasource } from './column.ts';
import {
  DEFINITION,
  EVAL,
  flag,
  integer,
  measure,
  ofTask,
  oneOf,
  relation,
  RUN,
  TASK,
  TEST,
  times,
  TOPIC,
  VARIANT,
} from './column-kinds.ts';

export const evalDatasource: Datasource = {
  title: 'Evals',
  description:
    'Definitions applied to tests and traces. Without those that a newer one took the place of, unless `superseded` is asked for.',
  table: 'eval',
  passRate: 'passRate',
  leftOut: { column: 'superseded', unless: 'eval.superseded = 0' },
  columns: {
    id: relation('Eval', EVAL, 'eval.id', 'The eval itself.'),
    ...times('eval'),
    status: oneOf(
      'Status',
      ['PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'SKIPPED'],
      'eval.status',
      'Where it stands.',
    ),
    passed: flag('Passed', 'eval.passed', 'Its verdict; empty until there is one.'),
    passRate: measure(
      'Pass rate',
      'percent',
      '100.0 * eval.passed',
      '100 when it passed, 0 when it did not.',
    ),
    score: measure('Score', null, 'eval.score', 'On the scale of the type of its definition.'),
    normalisedScore: measure('Normalised score', null, 'eval.normalised', 'From 0 to 1 whatever the type.'),
    evalDefinition: relation(
      'Evaluation definition',
      DEFINITION,
      'eval.definition_id',
      'What it was judged by.',
    ),
    definitionType: oneOf('Type', DEFINITION_TYPES, 'eval.definition_type', 'Of the definition.'),
    definitionVersion: integer(
      'Version of the definition',
      'eval.definition_version',
      'The one it was judged by.',
    ),
    test: relation('Test', TEST, 'eval.test_id', 'The test that was judged.'),
    task: relation('Task', TASK, 'eval.task_id', 'The task of its test.'),
    topic: relation('Topic', TOPIC, ofTask('eval', 'topic_id'), 'The topic of that task.'),
    run: relation('Run', RUN, 'eval.run_id', 'The run of its test.'),
    runType: oneOf('Run type', runType.options, 'eval.run_type', 'What started the test.'),
    experimentVariant: relation(
      'Variant',
      VARIANT,
      `(SELECT run.experiment_variant_id FROM run WHERE run.application = eval.application AND run.id = eval.run_id)`,
      'The variant of an experiment that its test tries.',
    ),
    superseded: flag('Superseded', 'eval.superseded', 'Whether a newer eval took its place.'),
    version: integer('Version', 'eval.version', 'Which eval of its test and definition it is, from 1.'),
    cost: measure('Cost', 'US dollars', 'eval.cost', 'Of the judge.'),
    latencyMs: measure('Latency', 'milliseconds', 'eval.latency_ms', 'How long the judging took.'),
  },
};

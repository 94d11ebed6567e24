import { inputOf } from '../../tests/input-of.ts';
import { DEFINITION_TYPES } from '../../evaluate/definition-config.ts';
import { hexOf } from '../../storage/dialect.ts';
import { runType } from '../tests/contract.ts';
import type { Datasource } from './column.ts';
import {
  DEFINITION,
  EVAL,
  flagColumn,
  integer,
  measureColumn,
  ofTask,
  enumColumn,
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
    'Definitions applied to tests and traces, without superseded evals unless the report uses `superseded`.',
  table: 'eval',
  passRate: 'passRate',
  clusters: {
    task: 'eval.task_id',
    // An eval of a trace without a test is an observation of its own.
    example: `CASE WHEN eval.test_id IS NULL THEN ${hexOf('eval.trace_id')} ELSE (
      SELECT ${inputOf('test')} FROM test WHERE test.application = eval.application AND test.id = eval.test_id) END`,
  },
  leftOut: { column: 'superseded', unless: 'eval.superseded = 0' },
  columns: {
    id: relation('Eval', EVAL, 'eval.id', 'The eval itself.'),
    ...times('eval'),
    status: enumColumn(
      'Status',
      ['PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'SKIPPED'],
      'eval.status',
      'Status of the eval.',
    ),
    passed: flagColumn('Passed', 'eval.passed', 'Verdict; empty until there is one.'),
    passRate: measureColumn('Pass rate', 'percent', '100.0 * eval.passed', '100 if the eval passed, else 0.'),
    score: measureColumn('Score', null, 'eval.score', 'Score on the scale of the definition’s type.'),
    normalisedScore: measureColumn(
      'Normalised score',
      null,
      'eval.normalised',
      'Score from 0 to 1, independent of the type.',
    ),
    evalDefinition: relation(
      'Evaluation definition',
      DEFINITION,
      'eval.definition_id',
      'Definition that was applied.',
    ),
    definitionType: enumColumn('Type', DEFINITION_TYPES, 'eval.definition_type', 'Type of the definition.'),
    definitionVersion: integer(
      'Version of the definition',
      'eval.definition_version',
      'Version that was applied.',
    ),
    test: relation('Test', TEST, 'eval.test_id', 'Test that was judged.'),
    task: relation('Task', TASK, 'eval.task_id', 'Task of the test.'),
    topic: relation('Topic', TOPIC, ofTask('eval', 'topic_id'), 'Topic of the task.'),
    run: relation('Run', RUN, 'eval.run_id', 'Run of the test.'),
    runType: enumColumn('Run type', runType.options, 'eval.run_type', 'What started the test.'),
    experimentVariant: relation(
      'Variant',
      VARIANT,
      `(SELECT run.experiment_variant_id FROM run WHERE run.application = eval.application AND run.id = eval.run_id)`,
      'Experiment variant of the test.',
    ),
    superseded: flagColumn('Superseded', 'eval.superseded', 'True if a newer eval has replaced this one.'),
    version: integer(
      'Version',
      'eval.version',
      'Version among the evals of the same test and definition, from 1.',
    ),
    cost: measureColumn('Cost', 'US dollars', 'eval.cost', 'Cost of the judge.'),
    latencyMs: measureColumn('Latency', 'milliseconds', 'eval.latency_ms', 'Duration of the evaluation.'),
  },
};

import { inputOf } from '../../tests/input-of.ts';
import { FAILURE_CODES } from '../../tests/failures.ts';
import { TEST_PHASES, TEST_STATUSES } from '../../tests/states.ts';
import { runType } from '../tests/contract.ts';
import type { Datasource } from './column.ts';
import {
  EXPERIMENT,
  integer,
  measureColumn,
  ofTask,
  enumColumn,
  relation,
  RUN,
  TASK,
  TEST,
  stringColumn,
  times,
  TOPIC,
  VARIANT,
} from './column-kinds.ts';
import { arrayOf, bytesOf, jsonField } from '../../storage/dialect.ts';

const OWN_TRACES = `trace_test AS link WHERE link.application = test.application
  AND link.test_id = ${bytesOf('test.id')}`;

const ofTraces = (value: string): string =>
  `(SELECT ${value} FROM trace, ${OWN_TRACES} AND trace.tkey = link.tkey)`;

export const testDatasource: Datasource = {
  title: 'Tests',
  description: 'Tasks that were sent to the app.',
  table: 'test',
  passRate: 'passRate',
  clusters: { task: 'test.task_id', example: inputOf('test') },
  columns: {
    id: relation('Test', TEST, 'test.id', 'The test itself.'),
    ...times('test'),
    status: enumColumn('Status', TEST_STATUSES, 'test.status', 'Status of the test.'),
    phase: enumColumn('Phase', TEST_PHASES, 'test.phase', 'Phase that the test has reached.'),
    runType: enumColumn('Run type', runType.options, 'test.run_type', 'Trigger of the test.'),
    failureCode: enumColumn(
      'Failure',
      FAILURE_CODES,
      jsonField('test.failure', 'code'),
      'Reason of the failure.',
    ),
    task: relation('Task', TASK, 'test.task_id', 'Task of the test.'),
    topic: relation('Topic', TOPIC, ofTask('test', 'topic_id'), 'Topic of the task.'),
    run: relation('Run', RUN, 'test.run_id', 'Run of the test: the tests that were started together.'),
    experiment: relation('Experiment', EXPERIMENT, 'test.experiment_id', 'Experiment of the test.'),
    experimentVariant: relation(
      'Variant',
      VARIANT,
      'test.experiment_variant_id',
      'Experiment variant of the test.',
    ),
    exampleIndex: integer(
      'Place of the example',
      'test.example_index',
      'Place of the example in its task, from 0.',
    ),
    example: stringColumn('Example', 'test.example_id', 'Id of the example that the test sent.'),
    finishedEvals: integer('Finished evals', 'test.finished_evals', 'Number of its evals with a verdict.'),
    passedEvals: integer('Passed evals', 'test.passed_evals', 'Number of its evals that passed.'),
    passRate: measureColumn(
      'Pass rate',
      'percent',
      'CASE WHEN test.counted_evals > 0 THEN 100.0 * test.counted_passed / test.counted_evals END',
      'Share of its finished evals that passed; 0 if it failed because of the app.',
    ),
    durationMs: measureColumn(
      'Duration',
      'milliseconds',
      `(SELECT min(event.at) FROM test_event AS event WHERE event.application = test.application
         AND event.test_id = test.id AND event.phase = 'done') - test.created_at`,
      'Time from its start to its first end.',
    ),
    model: stringColumn(
      'Model',
      `(SELECT ${arrayOf('DISTINCT attr.value')} FROM trace_attr AS attr, ${OWN_TRACES}
         AND attr.tkey = link.tkey AND attr.key = 'model')`,
      'Models in its traces.',
      { isMany: true },
    ),
    traces: integer('Traces', `(SELECT count(*) FROM ${OWN_TRACES})`, 'Number of its traces.'),
    traceDurationMs: measureColumn(
      'Duration of the trace',
      'milliseconds',
      ofTraces('max((trace.end_ns - trace.start_ns) / 1e6)'),
      'Duration of the longest of its traces.',
    ),
    cost: measureColumn('Cost', 'US dollars', ofTraces('sum(trace.cost)'), 'Of all its traces.'),
    inputTokens: measureColumn(
      'Input tokens',
      'tokens',
      ofTraces('sum(trace.input_tokens)'),
      'Of all its traces.',
    ),
    outputTokens: measureColumn(
      'Output tokens',
      'tokens',
      ofTraces('sum(trace.output_tokens)'),
      'Of all its traces.',
    ),
    totalTokens: measureColumn('Tokens', 'tokens', ofTraces('sum(trace.total_tokens)'), 'Of all its traces.'),
    spanErrors: measureColumn(
      'Spans with errors',
      null,
      ofTraces('sum(trace.error_count)'),
      'Number of spans with the status error in its traces.',
    ),
  },
};

import type { Datasource } from './column.ts';
import {
  ANNOTATION,
  DEFINITION,
  flagColumn,
  measureColumn,
  enumColumn,
  QUEUE,
  relation,
  relations,
  TASK,
  stringColumn,
  times,
} from './column-kinds.ts';
import { arrayOf, uuidOf } from '../../storage/dialect.ts';

const ofItem = (column: string): string =>
  `(SELECT ${column} FROM annotation_queue_item AS item
     WHERE item.application = human_annotation.application AND item.id = human_annotation.queue_item_id)`;

/** SQL for the ids, as text, of the tests that the annotated trace belongs to. */
const TEST_IDS = `SELECT ${uuidOf('link.test_id')} FROM trace JOIN trace_test AS link ON link.tkey = trace.tkey
  WHERE trace.application = human_annotation.application AND trace.trace_id = human_annotation.trace_id`;

const EVALS_PASSED = `(SELECT min(passed) FROM (
  SELECT eval.passed FROM eval WHERE eval.application = human_annotation.application AND eval.superseded = 0
    AND eval.test_id IN (${TEST_IDS})
  UNION ALL
  SELECT eval.passed FROM eval WHERE eval.application = human_annotation.application AND eval.superseded = 0
    AND eval.trace_id = human_annotation.trace_id))`;

export const humanAnnotationDatasource: Datasource = {
  title: 'Human annotations',
  description: 'Verdicts of people on traces.',
  table: 'human_annotation',
  passRate: 'passRate',
  columns: {
    id: relation('Annotation', ANNOTATION, 'human_annotation.id', 'The annotation itself.'),
    ...times('human_annotation'),
    verdict: flagColumn(
      'Verdict',
      'human_annotation.verdict',
      'True if the trace passes; empty for a note and for who is unsure.',
    ),
    evalDefinition: relation(
      'Evaluation definition',
      DEFINITION,
      'human_annotation.eval_definition_id',
      'Definition whose criterion the verdict is about; empty for one on the complete trace.',
    ),
    unsure: flagColumn(
      'Unsure',
      'human_annotation.unsure',
      'True if the person judged and could not decide.',
    ),
    score: measureColumn('Score', null, 'human_annotation.score', 'Score on the scale of the definition.'),
    passRate: measureColumn(
      'Pass rate',
      'percent',
      '100.0 * human_annotation.verdict',
      '100 if the trace passes, else 0.',
    ),
    source: enumColumn(
      'Source',
      ['REVIEW_QUEUE', 'TRACE_PAGE', 'TEST_PAGE'],
      'human_annotation.source',
      'Place where the person judged the trace.',
    ),
    annotatorId: stringColumn('Annotator', 'human_annotation.annotator_id', 'Person who judged.'),
    queue: relation('Queue', QUEUE, ofItem('queue_id'), 'Queue that showed the trace.'),
    selection: enumColumn(
      'Selection',
      ['RANDOM', 'RANDOM_PART', 'MANUAL', 'FAILED'],
      ofItem('selection'),
      'How the trace was chosen for the queue.',
    ),
    task: relations(
      'Task',
      TASK,
      `(SELECT ${arrayOf('DISTINCT test.task_id')} FROM test
         WHERE test.application = human_annotation.application AND test.id IN (${TEST_IDS}))`,
      'Tasks of the tests that the trace belongs to.',
    ),
    evalsPassed: flagColumn(
      'Evals passed',
      EVALS_PASSED,
      'True if all finished evals of the trace and of its tests passed; empty without any.',
    ),
    agreesWithEvals: flagColumn(
      'Agrees with evals',
      `1 - abs(human_annotation.verdict - ${EVALS_PASSED})`,
      'True if the person and the evals agree; empty without finished evals.',
    ),
  },
};

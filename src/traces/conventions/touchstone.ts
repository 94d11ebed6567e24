import type { Vocabulary } from './rule.ts';

/** Vocabulary of Touchstone: the link to a test, and the attributes of native events. */
export const TOUCHSTONE: Vocabulary = {
  name: 'touchstone',
  rules: [
    { key: 'service.test.id', field: 'testId' },
    { key: 'touchstone.event', field: 'event' },
    { key: 'touchstone.group', field: 'group' },
    { key: 'touchstone.key', field: 'key' },
    { key: 'touchstone.params', field: 'params' },
    { key: 'touchstone.id', field: 'stepId' },
    { key: 'touchstone.parent_id', field: 'stepParentId' },
    { key: 'touchstone.open', field: 'open' },
    { key: 'touchstone.unpaired', field: 'unpaired' },
    { key: 'touchstone.delivery', field: 'delivery' },
    { key: 'touchstone.status', field: 'stepStatus' },
    { key: 'touchstone.error', field: 'stepError' },
    { key: 'touchstone.status_code', field: 'statusCode' },
    { key: 'touchstone.order', field: 'sentOrder' },
    { key: 'touchstone.guardrail.action', field: 'guardrailAction' },
    { key: 'touchstone.guardrail.triggered', field: 'guardrailTriggered' },
    { key: 'touchstone.guardrail.type', field: 'guardrailType' },
    { key: 'touchstone.evaluator.name', field: 'evaluatorName' },
    { key: 'touchstone.evaluation.score', field: 'evaluationScore' },
    { key: 'touchstone.evaluation.label', field: 'evaluationLabel' },
    { key: 'touchstone.evaluation.explanation', field: 'evaluationExplanation' },
  ],
};

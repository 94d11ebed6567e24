import type { Case } from './case.ts';
import { API_KEY_CASES, AUTHENTICATION_CASES } from './cases/api-keys.ts';
import { DEFINITION_CASES, LINK_APPLICATION_CASES } from './cases/definitions.ts';
import { ASSIGNEE_COUNT_CASES, DOCUMENT_CASES } from './cases/documents.ts';
import { ERROR_CASES } from './cases/errors.ts';
import { EXPERIMENT_CASES } from './cases/experiments.ts';
import { INGEST_CASES } from './cases/ingest.ts';
import { QUEUE_ITEM_CASES } from './cases/queue-items.ts';
import { QUICKSTART_CASES } from './cases/quickstarts.ts';
import { REPORTING_CASES } from './cases/reporting.ts';
import { RUN_CASES } from './cases/runs.ts';
import { TAG_CASES } from './cases/tags.ts';
import { TASK_ID_CASES } from './cases/task-ids.ts';
import { VALIDATE_WEBHOOK_CASES } from './cases/validate-webhook.ts';
import { OUTBOUND_CASES, WEBHOOK_TEST_CASES } from './cases/webhook.ts';

/** What the interface says, by its sections. What goes beyond it is tested with its resource. */
export const CASES: Readonly<Record<string, readonly Case[]>> = {
  tags: TAG_CASES,
  'API keys': API_KEY_CASES,
  authentication: AUTHENTICATION_CASES,
  definitions: DEFINITION_CASES,
  'links to the application': LINK_APPLICATION_CASES,
  documents: DOCUMENT_CASES,
  'counts by assignee': ASSIGNEE_COUNT_CASES,
  'queue items': QUEUE_ITEM_CASES,
  experiments: EXPERIMENT_CASES,
  runs: RUN_CASES,
  'validate-webhook': VALIDATE_WEBHOOK_CASES,
  quickstarts: QUICKSTART_CASES,
  reporting: REPORTING_CASES,
  'ids of tasks': TASK_ID_CASES,
  'webhook test': WEBHOOK_TEST_CASES,
  'outbound webhook': OUTBOUND_CASES,
  ingest: INGEST_CASES,
  errors: ERROR_CASES,
};

import type { Case } from './case.ts';
import { API_KEY_CASES, AUTHENTICATION_CASES } from './cases/api-keys.ts';
import { APPLICATIONS } from './cases/further/applications.ts';
import { DEFINITIONS } from './cases/further/definitions.ts';
import { DOCUMENTS } from './cases/further/documents.ts';
import { EXAMPLES } from './cases/further/examples.ts';
import { EXPERIMENTS } from './cases/further/experiments.ts';
import { PEOPLE } from './cases/further/people.ts';
import { QUICKSTARTS } from './cases/further/quickstarts.ts';
import { REPORTS } from './cases/further/reports.ts';
import { JUDGING } from './cases/further/judging.ts';
import { OTLP } from './cases/further/otlp.ts';
import { SIGN_IN } from './cases/further/sign-in.ts';
import { SERVER } from './cases/further/server.ts';
import { SESSIONS } from './cases/further/sessions.ts';
import { STYLE_GUIDES } from './cases/further/style-guides.ts';
import { TAGS } from './cases/further/tags.ts';
import { VIEWS } from './cases/further/views.ts';
import { TASKS } from './cases/further/tasks.ts';
import { TESTS } from './cases/further/tests.ts';
import { TOPICS } from './cases/further/topics.ts';
import { TRACES } from './cases/further/traces.ts';
import { WEBHOOK } from './cases/further/webhook.ts';
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

/** What the interface says, by its sections. */
const OF_THE_INTERFACE: Readonly<Record<string, readonly Case[]>> = {
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

/** What else there is. */
const FURTHER_CASES: Readonly<Record<string, readonly Case[]>> = {
  applications: APPLICATIONS,
  examples: EXAMPLES,
  tags: TAGS,
  views: VIEWS,
  topics: TOPICS,
  tasks: TASKS,
  tests: TESTS,
  definitions: DEFINITIONS,
  documents: DOCUMENTS,
  'style guides': STYLE_GUIDES,
  experiments: EXPERIMENTS,
  people: PEOPLE,
  'sign-in': SIGN_IN,
  quickstarts: QUICKSTARTS,
  reports: REPORTS,
  webhook: WEBHOOK,
  traces: TRACES,
  sessions: SESSIONS,
  OpenTelemetry: OTLP,
  'what verdicts tell': JUDGING,
  'the server itself': SERVER,
};

export const CASES: Readonly<Record<string, Readonly<Record<string, readonly Case[]>>>> = {
  'the interface': OF_THE_INTERFACE,
  'further cases': FURTHER_CASES,
};

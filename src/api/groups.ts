/** The resources in the order in which they are told of: first part of the path → name and meaning. */
const GROUPS = {
  ingest: ['Ingest', 'Native events in, and the ledger of everything that was received.'],
  otlp: ['OpenTelemetry', 'OTLP over HTTP. Errors are `google.rpc.Status` in the encoding of the request.'],
  traces: ['Traces', 'What an application did: spans and steps, their inputs, outputs, tokens and cost.'],
  sessions: ['Sessions', 'Conversations: the traces with one session id.'],
  topics: ['Topics', 'What tasks, documents and evaluation definitions are about.'],
  tasks: [
    'Tasks',
    'What is worth testing: prompts and what is expected of the answers; their schedules and tags.',
  ],
  runs: ['Runs', 'The tests that one trigger started for one task.'],
  tests: ['Tests', 'One run of one task against the application.'],
  tags: ['Tags', 'Words of your own for tasks.'],
  webhook: ['Webhook', 'Where tests are sent, and every delivery.'],
  'validate-webhook': ['Webhook', ''],
  definitions: ['Evaluation definitions', 'Rules by which tests and traces are judged.'],
  evals: ['Evals', 'One definition applied to one test or trace.'],
  'style-guides': ['Style guides', 'What `STYLE` definitions judge by.'],
  documents: ['Documents', 'Knowledge and policies, in versions.'],
  'scrape-jobs': ['Scrape jobs', 'Documents made of web pages.'],
  experiments: ['Experiments', 'Variants of settings, tested side by side.'],
  'inference-steps': [
    'Inference steps',
    'The steps of an application whose settings an experiment may change.',
  ],
  'human-annotation-queues': [
    'Human annotation',
    'Verdicts of people on traces, and the queues they work through.',
  ],
  'human-annotation-queue-items': ['Human annotation', ''],
  'human-annotations': ['Human annotation', ''],
  quickstarts: ['Quickstarts', 'From uploads to topics, tasks, policies and a style guide.'],
  reporting: ['Reporting', 'Figures by columns of your choice.'],
  applications: ['Applications', 'The tenants: each call is on behalf of one.'],
  'api-keys': ['API keys', 'Who may call, and what.'],
  server: ['Server', 'Life signs, for those who run it.'],
} as const satisfies Record<string, readonly [name: string, description: string]>;

/** For documents: each group once. */
export const groups = Object.values(GROUPS)
  .filter(([, description]) => description !== '')
  .map(([name, description]) => ({ name, description }));

/** The group of a path. Throws when there is none, so that no resource is forgotten. */
export function groupOf(path: string): string {
  const [, version = '', resource = ''] = path.split('/');
  const key = /^v\d+$/.test(version) ? resource : 'server';
  if (!(key in GROUPS)) throw new Error(`No group for ${path}: add it to groups.ts`);
  return GROUPS[key as keyof typeof GROUPS][0];
}

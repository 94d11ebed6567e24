import type { PromptName } from './tested-app.ts';

/** Addresses of the records whose screens open dialogs. */
export interface DialogRecords {
  documentId: string;
  definitionId: string;
  taskId: string;
  topicId: string;
  traceId: string;
  /** Trace with a key that no rule reads. */
  oddTraceId: string;
  runId: string;
  /** Run whose tests have not ended. */
  openRunId: string;
  /** Tests by the prompt that was sent. */
  tests: Readonly<Record<PromptName, string>>;
  experimentId: string;
  quickstartId: string;
  /** Issue with an evaluator. */
  judgedIssueId: string;
}

/** A file to choose in a field: the label of the field, the name of the file, and its text. */
export interface ChosenFile {
  label: string;
  name: string;
  text: string;
}
export interface Filled {
  label: string;
  text: string;
}
/** A button, menu item or link to press; a key to press; a checkbox to check; a field to fill in. */
export type Step = string | { key: string } | { check: string } | { file: ChosenFile } | { fill: Filled };

export interface DialogToOpen {
  /** File of `src/dashboard` that has the dialog, menu or question. */
  file: string;
  path: (records: DialogRecords) => string;
  steps: readonly Step[];
  isPhone?: boolean;
}

const at =
  (path: string | ((records: DialogRecords) => string)) =>
  (file: string, ...steps: readonly Step[]): DialogToOpen => ({
    file,
    path: typeof path === 'string' ? () => path : path,
    steps,
  });

const home = at('/');
const documents = at('/documents');
const issue = at('/issues/1');
const issueWebhook = at('/settings?tab=issue-webhook');
const tags = at('/tags');
const tasks = at('/tasks');
const traces = at('/traces');
const trace = at(({ traceId }) => `/traces/${traceId}`);
const oddTrace = at(({ oddTraceId }) => `/traces/${oddTraceId}?tab=origins`);
const task = at(({ taskId }) => `/tasks/${taskId}`);
const examples = at(({ taskId }) => `/tasks/${taskId}?tab=examples`);
const run = at(({ runId }) => `/runs/${runId}?show=all`);
const experiment = at(({ experimentId }) => `/experiments/${experimentId}`);
const ofTest = (prompt: PromptName) => at(({ tests }) => `/tests/${tests[prompt]}`);

const RESULT = { check: 'Select My blender arrived broken' };
const CSV = { label: 'File', name: 'rows.csv', text: 'title,content,input\nA,B,C\n,,' };

/** Every dialog, menu and question of the dashboard, once for each place in its file. */
export const DIALOGS: readonly DialogToOpen[] = [
  documents('documents/new-document-dialog.tsx', 'New document'),
  documents('documents/scrape-dialog.tsx', 'From a web site'),
  documents('documents/upload-dialog.tsx', 'Upload a file'),
  documents('documents/upload-dialog.tsx', 'Upload a file', { file: CSV }, 'Upload'),
  at(({ documentId }) => `/documents/${documentId}`)('documents/version-dialog.tsx', 'New version'),
  at(({ documentId }) => `/documents/${documentId}?tab=settings`)(
    'documents/document-settings.tsx',
    'Delete the document',
  ),
  at('/evaluators')('evaluators/new-evaluator-dialog.tsx', 'New evaluator'),
  at(({ definitionId }) => `/evaluators/${definitionId}?tab=settings`)(
    'evaluators/evaluator-settings.tsx',
    'Delete the evaluator',
  ),
  examples('examples/example-columns.tsx', 'Actions of'),
  examples('examples/delete-example.tsx', 'Actions of', 'Delete'),
  examples('examples/example-dialog.tsx', 'Add an example'),
  at(({ taskId }) => `/tasks/${taskId}?tab=examples&example=00000000-0000-4000-8000-000000000000`)(
    'examples/example-dialog.tsx',
  ),
  examples('examples/import-dialog.tsx', 'Import a file'),
  examples('examples/import-dialog.tsx', 'Import a file', { file: CSV }, 'Import 1'),
  experiment('experiments/experiment-page.tsx', 'Run variant A'),
  at('/experiments')('experiments/new-experiment-dialog.tsx', 'New experiment'),
  experiment('experiments/variant-dialog.tsx', 'Add variant'),
  issue('issues/state-dialogs.tsx', 'Reject …'),
  issue('issues/merge-dialog.tsx', 'Merge …'),
  issue('issues/draft-evaluator-dialog.tsx', 'From the notes …'),
  at(({ judgedIssueId }) => `/issues/${judgedIssueId}`)('issues/measure-button.tsx', 'Measure …'),
  issue('issues/link-traces-dialog.tsx', { key: 'l' }),
  at('/issues/1?tab=settings')('issues/issue-settings.tsx', 'Delete the issue'),
  at('/issues')('issues/new-issue-dialog.tsx', 'New issue'),
  at(({ quickstartId }) => `/quickstarts/${quickstartId}/knowledge`)(
    'quickstarts/document-step.tsx',
    'Reject',
  ),
  at('/quickstarts')('quickstarts/new-quickstart-dialog.tsx', 'New quickstart'),
  run('results/export-results.tsx', 'Export'),
  run('results/grid-toolbar.tsx', 'Group:'),
  run('results/grid-toolbar.tsx', 'Rows:'),
  run('results/grid-toolbar.tsx', 'Columns'),
  run('results/selection-bar.tsx', RESULT, 'Run again'),
  run('results/selection-bar.tsx', RESULT, 'Select all 31 that match', { key: 'Shift+R' }),
  run('issues/add-to-issue-dialog.tsx', RESULT, 'Add to issue'),
  run('selection/review-dialog.tsx', RESULT, 'Review'),
  run('selection/examples-dialog.tsx', RESULT, 'Create examples'),
  at('/review')('review/new-queue-dialog.tsx', 'New queue'),
  at(({ openRunId }) => `/runs/${openRunId}`)('runs/run-actions.tsx', 'Cancel the run'),
  task('tests/run-dialog.tsx', 'Run'),
  at(({ taskId }) => `/tasks/${taskId}?tab=schedule`)('schedules/schedule-dialog.tsx', 'Edit'),
  at(({ taskId }) => `/tasks/${taskId}?tab=settings`)('tasks/settings-tab.tsx', 'Archive the task'),
  at('/settings?tab=keys')('settings/new-key-dialog.tsx', 'New key'),
  at('/settings?tab=keys')('settings/api-keys.tsx', 'Revoke'),
  issueWebhook('settings/issue-webhook/issue-webhook-tab.tsx', 'Rotate the secret'),
  issueWebhook('settings/issue-webhook/issue-webhook-tab.tsx', 'Delete the webhook'),
  at('/settings?tab=members')('settings/members.tsx', 'Remove'),
  at('/settings?tab=logins')('settings/own-logins.tsx', 'End the login of'),
  home('shell/account-menu.tsx', 'Ada Lovelace'),
  home('shell/password-dialog.tsx', 'Ada Lovelace', 'Change password'),
  home('shell/application-menu.tsx', 'Application:'),
  home('shell/new-application-dialog.tsx', 'Application:', 'New application'),
  home(
    'shell/first-key-dialog.tsx',
    'Application:',
    'New application',
    { fill: { label: 'Name', text: 'Third bot' } },
    'Create',
  ),
  home('shell/help.tsx', { key: '?' }),
  home('shell/palette.tsx', { key: 'Control+K' }),
  { ...home('shell/tab-bar.tsx', 'More'), isPhone: true },
  tags('tags/tag-dialog.tsx', 'New tag'),
  tags('tags/tags-page.tsx', 'Delete smoke'),
  tasks('tasks/new-task-dialog.tsx', 'New task'),
  tasks('tests/start-dialog.tsx', { check: 'Select Refund within 30 days' }, 'Run'),
  tasks('tasks/bulk-bar.tsx', { check: 'Select Refund within 30 days' }, 'Add a tag'),
  ofTest('failing')('tests/action-dialogs.tsx', 'Replay'),
  ofTest('hanging')('tests/action-dialogs.tsx', 'Cancel test'),
  ofTest('good')('tests/judge-again-dialog.tsx', 'Judge again'),
  at('/topics')('topics/topic-dialog.tsx', 'New topic'),
  at(({ topicId }) => `/topics/${topicId}?tab=settings`)('topics/topic-settings.tsx', 'Archive the topic'),
  trace('trace/copy-menu.tsx', 'Copy'),
  trace('trace/make-example-dialog.tsx', 'Make an example'),
  trace('trace/notes/note-dialog.tsx', { key: 'w' }),
  at(({ traceId }) => `/traces/${traceId}?tab=notes`)('trace/notes/trace-notes.tsx', 'Delete'),
  oddTrace('trace/span/import-rules-dialog.tsx', 'Import…'),
  oddTrace('trace/span/own-rule-dialog.tsx', 'Map '),
  traces('traces/traces-page.tsx', 'Columns'),
  traces('traces/export-traces.tsx', 'Export'),
  traces('views/views-menu.tsx', 'Views'),
  traces('views/view-dialog.tsx', 'Views', 'Save this view'),
  traces('views/edit-views-dialog.tsx', 'Views', 'Edit views'),
  traces('views/edit-views-dialog.tsx', 'Views', 'Edit views', 'Delete Failed ones'),
  at('/webhook')('webhook/secret.tsx', 'Rotate the secret'),
  at('/webhook')('webhook/new-secret-dialog.tsx', 'Rotate the secret', 'Rotate the secret'),
];

/** Pages of one record, and everything that opens in front of a page: accessible in both themes. */
import { expect, it } from 'vitest';
import { useStage } from './support/browser.ts';
import { openShop, type Shop } from './support/shop.ts';
import type { Visitor } from './support/visitor.ts';

let shop: Shop;
let testId: string;
let runId: string;
let evalId: string;
const stage = useStage(async (server) => {
  shop = await openShop(server);
  const idOf = async (path: string): Promise<string> =>
    ((await server.call('GET', path)).json as { data: { id: string }[] }).data[0]?.id ?? '';
  testId = await idOf('/v0/tests?status=COMPLETED&limit=1');
  evalId = await idOf('/v0/evals?passed=true&limit=1');
  runId = await idOf('/v0/runs?limit=1');
});

async function problemsOf(visitor: Visitor): Promise<string[]> {
  const light = await visitor.accessibilityProblems();
  await visitor.useTheme('dark');
  return [...light, ...(await visitor.accessibilityProblems('color-contrast'))];
}

it.each<[name: string, path: () => string, shows: string]>([
  ['trace', () => `/traces/${shop.traceIds[0]}`, 'Transcript'],
  ['trace as a tree', () => `/traces/${shop.traceIds[0]}?view=tree`, 'Model steps'],
  ['trace as a graph', () => `/traces/${shop.traceIds[0]}?view=graph`, 'Agent graph'],
  ['test', () => `/tests/${testId}`, 'Verdicts'],
  ['run', () => `/runs/${runId}`, 'By evaluator'],
  ['task', () => `/tasks/${shop.taskId}`, 'Last 30 days'],
  ['examples of a task', () => `/tasks/${shop.taskId}?tab=examples`, 'Expected output'],
  ['history of a task', () => `/tasks/${shop.taskId}?tab=history`, 'Update example'],
  ['evaluators of a task', () => `/tasks/${shop.taskId}?tab=evaluators`, 'Nothing judges'],
  ['schedule of a task', () => `/tasks/${shop.taskId}?tab=schedule`, 'Next runs'],
  ['settings of a task', () => `/tasks/${shop.taskId}?tab=settings`, 'A person has verified'],
  ['topic', () => `/topics/${shop.topicId}`, 'Tests that count'],
  ['document', () => `/documents/${shop.documentId}`, '60 days'],
  ['evaluator', () => `/evaluators/${shop.definitionId}`, 'Agreement with people'],
  ['settings of an evaluator', () => `/evaluators/${shop.definitionId}?tab=settings`, 'Judge all tasks'],
  ['verdict', () => `/evals/${evalId}`, 'Reason'],
  ['comparison', () => `/compare?a=${shop.traceIds[0]}&b=${shop.traceIds[1]}`, 'Compare'],
])('%s is accessible', async (_name, path, shows) => {
  const visitor = await stage.visit({ role: 'admin' });
  await visitor.open(path());
  await visitor.page.getByText(shows).first().waitFor();
  expect(await problemsOf(visitor)).toEqual([]);
});

it.each<[name: string, path: () => string, button: string, shows: string]>([
  ['menu of columns', () => '/traces', 'Columns', 'Duration'],
  ['menu of views', () => '/traces', 'Views', 'Save this view …'],
  ['new task', () => '/tasks', 'New task', 'Examples'],
  ['new topic', () => '/topics', 'New topic', 'Title'],
  ['new tag', () => '/tags', 'New tag', 'Colour'],
  ['new evaluator', () => '/evaluators', 'New evaluator', 'Judge the tests of all tasks'],
  ['new document', () => '/documents', 'New document', 'Title'],
  ['new key', () => '/settings?tab=keys', 'New key', 'Name'],
  ['example', () => `/tasks/${shop.taskId}?tab=examples`, 'Add an example', 'Expected output'],
  ['import', () => `/tasks/${shop.taskId}?tab=examples`, 'Import a file', 'File'],
  ['schedule', () => `/tasks/${shop.taskId}?tab=schedule`, 'Edit', 'Runs by itself'],
  ['example of a trace', () => `/traces/${shop.traceIds[0]}`, 'Make an example', 'The same trace gives'],
  [
    'question before deleting',
    () => `/evaluators/${shop.definitionId}?tab=settings`,
    'Delete the evaluator',
    'Cancel',
  ],
  ['search', () => '/', 'Search', 'Go to a page'],
  ['help', () => '/', 'Help and keys', 'Keyboard'],
])('%s is accessible while it is open', async (_name, path, button, shows) => {
  const visitor = await stage.visit({ role: 'admin' });
  const { page } = visitor;
  await visitor.open(path());
  await page.getByRole('button', { name: button }).first().click();
  await page.locator('[role=dialog], [role=alertdialog], [role=menu]').getByText(shows).first().waitFor();
  expect(await problemsOf(visitor)).toEqual([]);
});

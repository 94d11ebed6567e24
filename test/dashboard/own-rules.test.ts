/** Own mapping rules on the trace page: added for an attribute that no rule reads, tried, exported and imported. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { otlpRequest } from '../support/spans.ts';
import { useStage } from './support/browser.ts';

const TRACE = 'ab'.repeat(16);

const stage = useStage(async (server) => {
  const start = (Date.now() - 1_767_225_600_000) * 1_000_000;
  const attributes = {
    'acme.question': 'How long?',
    'acme.body': '{"model":{"name":"acme-1"}}',
    'acme.note': 'x',
  };
  const headers = { 'content-type': 'application/x-protobuf' };
  const body = otlpRequest([{ trace: TRACE, id: 1, name: 'work', start, attributes }]);
  const { status } = await server.call('POST', '/v1/traces', { headers, body });
  if (status !== 200) throw new Error(`POST /v1/traces: ${status}`);
});

it('are added with a preview, and leave and return as a file', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open(`/traces/${TRACE}`);
  const pane = page.getByRole('complementary', { name: 'Selected span' });
  const dialog = page.getByRole('dialog');
  const openTab = async (): Promise<void> => {
    await page.getByRole('row', { name: 'work' }).first().click();
    await pane.getByRole('tab', { name: 'Where from' }).click();
  };
  await openTab();
  await pane.getByRole('button', { name: 'Map acme.body' }).click();
  await dialog.getByLabel('Field').selectOption('model');
  await dialog.getByLabel('Path').fill('model.name');
  await dialog.getByLabel('Kind of the span').selectOption('LLM');
  await dialog.getByRole('button', { name: 'Try on stored spans' }).click();
  await dialog.getByText('1 of 1 spans with the attribute get the field').waitFor();
  await dialog.getByText('acme-1').waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await dialog.getByRole('button', { name: 'Save the rule' }).click();
  await pane.getByText('Own rules · version 1').waitFor();

  const download = page.waitForEvent('download');
  await pane.getByRole('button', { name: 'Export' }).click();
  const file = join(stage.server.folder, 'mappings.json');
  await (await download).saveAs(file);
  const rules = [{ key: 'acme.body', field: 'model', path: 'model.name', kind: 'LLM' }];
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ rules });

  await pane.getByRole('button', { name: 'Import…' }).click();
  const choose = (name: string, content: unknown) =>
    dialog.getByLabel('File').setInputFiles({
      name,
      mimeType: 'application/json',
      buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
    });
  await choose('broken.json', '{');
  await dialog.getByText('must be JSON with a list of rules').waitFor();
  await choose('mappings.json', { rules: [...rules, { key: 'acme.question', field: 'input' }] });
  await dialog.getByText('2 rules, which replace those of version 1.').waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await dialog.getByRole('button', { name: 'Import 2' }).click();
  await pane.getByText('Own rules · version 2').waitFor();
  const stored = await stage.server.ok('GET', '/v0/mappings');
  expect(stored.data.rules).toEqual([...rules, { key: 'acme.question', field: 'input' }]);
});

it('keep what is being written when the window becomes narrower, and wider again', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open(`/traces/${TRACE}`);
  const pane = page.getByRole('complementary', { name: 'Selected span' });
  await pane.getByRole('tab', { name: 'Where from' }).click();
  await pane.getByRole('button', { name: 'Map acme.note' }).first().click();
  const path = page.getByRole('dialog').getByLabel('Path');
  await path.fill('deep.path');
  for (const width of [1000, 390, 760, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await page.waitForFunction(`innerWidth === ${width}`);
    expect(await path.inputValue(), `${width} px`).toBe('deep.path');
  }
});

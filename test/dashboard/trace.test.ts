import { describe, expect, it } from 'vitest';
import type { TestServer } from '../support/server.ts';
import { agentTrace, type TraceBuilder } from '../../bench/agent-trace.ts';
import { useStage } from './support/browser.ts';
import { brokenTrace, hostileTrace, richTrace } from './support/odd-traces.ts';
import type { Visitor } from './support/visitor.ts';

const SPANS = 100_000;

const ids: Record<string, string> = {};
let visitor: Visitor;

async function send(server: TestServer, name: string, trace: TraceBuilder): Promise<void> {
  ids[name] = trace.otelTraceId;
  for (const body of trace.requests()) {
    const { status, text } = await server.call('POST', '/v1/traces', { body });
    if (status !== 200) throw new Error(`POST /v1/traces: ${status} ${text}`);
  }
}

const stage = useStage(async (server) => {
  const now = Date.now();
  await send(server, 'rich', richTrace(now - 1_000_000));
  await send(
    server,
    'other',
    richTrace(now - 1_500_000, { answer: 'Parcel **4711** is lost.', seed: 1_069 }),
  );
  await send(server, 'hostile', hostileTrace(now - 2_000_000));
  await send(server, 'broken', brokenTrace(now - 3_000_000));
  await send(server, 'large', agentTrace({ spans: SPANS, at: now - 20_000_000 }));
});

async function visit(path: string): Promise<void> {
  visitor = await stage.visit({ role: 'annotator' });
  await visitor.open(path);
}

const row = (name: string) => visitor.page.getByRole('row', { name }).first();
const pane = () => visitor.page.getByRole('complementary', { name: 'Selected span' });
const rows = () => visitor.page.locator('[data-part="content"] [role="row"]:visible');
const rowCount = async (): Promise<number> =>
  Number(await visitor.page.getByRole('treegrid').getAttribute('aria-rowcount'));

describe('a trace', () => {
  it('is accessible on every tab in both themes', async () => {
    await visit(`/traces/${ids['rich']}`);
    await row('chat gpt-5.4').click();
    for (const tab of ['Verdicts', 'Content', 'Attributes', 'Where from', 'Raw']) {
      await pane().getByRole('tab', { name: tab }).click();
      await visitor.settle();
      expect(await visitor.accessibilityProblems()).toEqual([]);
      await visitor.useTheme('dark');
      expect(await visitor.accessibilityProblems('color-contrast')).toEqual([]);
      await visitor.useTheme('light');
    }
  });

  it('shows a call of a model as a conversation, its tools paired and its image loaded', async () => {
    await visit(`/traces/${ids['rich']}`);
    await row('chat gpt-5.4').click();
    await pane().getByText('3 earlier messages').waitFor();
    expect(await pane().getByText('Hello! How can I help?').count()).toBe(0);
    await pane().getByText('3 earlier messages').click();
    await pane().getByText('Hello! How can I help?').waitFor();
    const assistant = pane().getByRole('article', { name: 'Message of assistant' });
    const caller = assistant.filter({ hasText: 'Tool call' });
    expect(await caller.innerText()).toContain('in delivery');
    const image = pane().getByRole('img', { name: 'Sent within the span' });
    await image.waitFor();
    await expect
      .poll(() => image.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(10);
    expect(await pane().locator('strong').innerText()).toBe('4711');
  });

  it('shows documents with their scores, and which key gave each field', async () => {
    await visit(`/traces/${ids['rich']}`);
    await row('retrieve policies').click();
    await pane().getByText('Late parcels are refunded').waitFor();
    expect(await pane().getByRole('meter').count()).toBe(2);
    await visitor.page.keyboard.press('4');
    await pane().getByRole('rowheader', { name: 'documents' }).waitFor();
    expect(await pane().innerText()).toContain('retrieval.documents');
  });

  it('keeps the selected span and the tab in the URL', async () => {
    await visit(`/traces/${ids['rich']}`);
    await visitor.page.getByRole('treegrid').focus();
    await visitor.page.keyboard.press('ArrowUp');
    await pane().getByRole('heading', { name: 'execute_tool find_parcel' }).waitFor();
    await visitor.page.keyboard.press('5');
    await visitor.page.waitForURL(/span=[0-9a-f]{16}&tab=raw/);
    await visitor.page.reload();
    await visitor.settle();
    expect(await pane().getByRole('heading').first().innerText()).toBe('execute_tool find_parcel');
    expect(await pane().getByRole('tab', { name: 'Raw' }).getAttribute('aria-selected')).toBe('true');
  });

  it('takes the verdict of the person who reads it', async () => {
    await visit(`/traces/${ids['rich']}?tab=evals`);
    await pane().getByRole('button', { name: 'Fail' }).click();
    expect(await pane().getByRole('button', { name: 'Save the verdict' }).isDisabled()).toBe(true);
    await pane().getByLabel('Critique').fill('It promises a delivery that the tool did not confirm.');
    await pane().getByLabel('Corrected output').fill('It arrives on Friday.');
    await pane().getByRole('button', { name: 'Save the verdict' }).click();
    await pane().getByRole('listitem').filter({ hasText: 'that the tool did not confirm' }).waitFor();
    await pane().getByText('Should have been: It arrives on Friday.').waitFor();
  });
});

describe('a trace with an answer', () => {
  it('opens as a transcript with the answer selected, in both themes', async () => {
    await visit(`/traces/${ids['rich']}`);
    const transcript = visitor.page.getByRole('region', { name: 'Transcript' });
    await transcript.getByRole('article', { name: 'The answer' }).getByText('arrives today').waitFor();
    await transcript.getByText('Where is my parcel? Here is the label.').waitFor();
    await transcript.getByText('Late parcels are refunded').waitFor();
    await transcript.getByText('upstream answered 503').waitFor();
    await pane().getByRole('heading', { name: 'chat gpt-5.4' }).waitFor();
    expect(await pane().innerText()).toContain('the span that gave the answer');
    expect(
      await pane()
        .getByRole('tab', { name: /^Verdicts/ })
        .getAttribute('aria-selected'),
    ).toBe('true');
    expect(await visitor.accessibilityProblems()).toEqual([]);
    await visitor.useTheme('dark');
    expect(await visitor.accessibilityProblems('color-contrast')).toEqual([]);
    await transcript.getByRole('button', { name: 'execute_tool find_parcel' }).click();
    await pane().getByRole('heading', { name: 'execute_tool find_parcel' }).waitFor();
  });

  it('shows tables and coloured code of its texts, without HTML', async () => {
    const answer = [
      '| Parcel | State |',
      '|---|--:|',
      '| 4711 | **late** |',
      '',
      '- [x] found',
      '',
      '```json',
      '{"id": 4711}',
      '```',
      '',
      '<b>no</b>',
    ].join('\n');
    await send(stage.server, 'table', richTrace(Date.now() - 400_000, { answer, seed: 1_070 }));
    await visit(`/traces/${ids['table']}`);
    const given = visitor.page.getByRole('article', { name: 'The answer' });
    await given.getByRole('cell', { name: 'late' }).waitFor();
    expect(await given.locator('strong').innerText()).toBe('late');
    await given.getByRole('img', { name: 'Done' }).waitFor();
    await given.locator('pre span').filter({ hasText: '"id"' }).waitFor();
    expect(await given.innerText()).toContain('<b>no</b>');
    expect(await visitor.accessibilityProblems()).toEqual([]);
  });

  it('copies valid JSON and a command, and shows JSON that can be read again', async () => {
    await visit(`/traces/${ids['rich']}?tab=raw`);
    await visitor.page.getByRole('button', { name: 'Copy' }).first().click();
    await visitor.page.getByRole('menuitem', { name: 'Trace as JSON' }).click();
    const clipboard = (): Promise<string> => visitor.page.evaluate('navigator.clipboard.readText()');
    await expect.poll(clipboard).toContain('"steps"');
    expect(JSON.parse(await clipboard())).toHaveProperty('steps');
    await pane().getByRole('button', { name: 'Copy' }).click();
    await expect.poll(clipboard).toContain('"mapped"');
    const raw = await pane().getByRole('region', { name: 'The span as JSON' }).innerText();
    expect(JSON.parse(raw)).toEqual(JSON.parse(await clipboard()));
    await visitor.page.getByRole('button', { name: 'Copy' }).first().click();
    await visitor.page.getByRole('menuitem', { name: 'Model call as curl' }).click();
    await expect.poll(clipboard).toMatch(/^curl https:/);
  });

  it('gives its pane the width that was chosen, by keyboard too', async () => {
    await visit(`/traces/${ids['rich']}`);
    const splitter = visitor.page.getByRole('separator', { name: 'Width of the selected span' });
    const width = async (): Promise<number> => Number(await splitter.getAttribute('aria-valuenow'));
    const usual = await width();
    await splitter.focus();
    await visitor.page.keyboard.press('ArrowLeft');
    expect(await width()).toBe(usual + 16);
    await visitor.page.reload();
    await visitor.settle();
    expect(await width()).toBe(usual + 16);
    await splitter.dblclick();
    expect(await width()).toBe(usual);
  });
});

describe('the agent graph', () => {
  it('shows who called what, and leads to the calls', async () => {
    await visit(`/traces/${ids['rich']}?view=graph`);
    expect(await visitor.accessibilityProblems()).toEqual([]);
    await visitor.page.getByRole('button', { name: /find_parcel once .* 1 error/ }).click();
    await pane().getByRole('heading', { name: 'execute_tool find_parcel' }).waitFor();
  });
});

describe('two traces', () => {
  it('are compared span by span and word by word, in both themes', async () => {
    await visit(`/compare?a=${ids['rich']}&b=${ids['other']}`);
    const pairs = visitor.page.getByRole('table', { name: 'Spans of both traces' });
    await pairs.getByRole('button', { name: 'chat gpt-5.4' }).click();
    expect(await pairs.getByRole('row').count()).toBe(5);
    await visitor.page.locator('ins').filter({ hasText: 'lost' }).first().waitFor();
    expect(await visitor.accessibilityProblems()).toEqual([]);
    await visitor.useTheme('dark');
    expect(await visitor.accessibilityProblems('color-contrast')).toEqual([]);
    await visitor.page.keyboard.press('s');
    await visitor.page.locator('del').filter({ hasText: 'lost' }).first().waitFor();
  });

  it('can be chosen among those with the same name', async () => {
    await visit(`/compare?a=${ids['rich']}`);
    await visitor.page.getByRole('button', { name: 'answer a customer' }).first().click();
    await visitor.page.getByRole('table', { name: 'Spans of both traces' }).waitFor();
    expect(visitor.page.url()).toMatch(/a=[0-9a-f]{32}&b=[0-9a-f-]{36}/);
  });
});

describe('a trace with faults', () => {
  it('says what is odd in words: lost parents, loops and clocks', async () => {
    await visit(`/traces/${ids['broken']}`);
    const header = await visitor.page.locator('main header').innerText();
    expect(header).toContain('1 parent not received');
    expect(header).toContain('Loop of parents');
    expect(header).toContain('Clocks differ');
    await row('Parent not received').click();
    await pane().getByText('3 spans name this id as the parent').waitFor();
    expect(await visitor.accessibilityProblems()).toEqual([]);
  });

  it('never runs what its texts contain', async () => {
    await visit(`/traces/${ids['hostile']}`);
    const count = await rowCount();
    expect(count).toBe(11);
    for (let at = 0; at < count; at++) {
      await rows().nth(at).click();
      for (const key of ['2', '3', '4', '5']) {
        await visitor.page.keyboard.press(key);
        await visitor.settle();
      }
    }
    expect(await visitor.page.evaluate('window.hacked')).toBeUndefined();
    expect(
      await visitor.page.locator('main iframe, main script, main [onload], main [onerror]').count(),
    ).toBe(0);
    const links = await visitor.page
      .locator('main a[href]')
      .evaluateAll((found) => found.map((one) => (one as unknown as { protocol: string }).protocol));
    expect(links.filter((protocol) => !/^https?:|^mailto:/.test(protocol))).toEqual([]);
  });

  it('offers a way on when there is no such trace', async () => {
    await visit(`/traces/${'0'.repeat(31)}7`);
    await visitor.page.getByText('There is no trace with this id').waitFor();
    expect(await visitor.accessibilityProblems()).toEqual([]);
  });

  it('says when a trace was deleted', async () => {
    const { otelTraceId } = richTrace(Date.now() - 500_000, { seed: 31 });
    await send(stage.server, 'deleted', richTrace(Date.now() - 500_000, { seed: 31 }));
    await stage.server.call('DELETE', `/v0/traces/${otelTraceId}`);
    await visit(`/traces/${otelTraceId}`);
    await visitor.page.getByText('This trace was deleted').waitFor();
    expect(await visitor.page.getByText(/was deleted (?:now|\d+ (?:s|min) ago), at/).count()).toBe(1);
  });
});

describe(`a trace of ${SPANS} spans`, () => {
  it('opens closed below level 2, with only the rows in view as elements', async () => {
    await visit(`/traces/${ids['large']}`);
    expect(await rowCount()).toBeLessThan(10_000);
    expect(await visitor.page.locator('[role="row"]').count()).toBeLessThan(150);
    await row('turn 1').click();
    const before = await rowCount();
    await visitor.page.keyboard.press('ArrowRight');
    await expect.poll(rowCount).toBeGreaterThan(before);
    await visitor.page.keyboard.press('ArrowLeft');
    await expect.poll(rowCount).toBe(before);
  });

  it('finds spans by name, and leads from match to match and from error to error', async () => {
    await visit(`/traces/${ids['large']}`);
    await visitor.page.keyboard.press('/');
    await visitor.page.keyboard.type('middleware 5');
    await visitor.page.waitForURL(/find=middleware(?:\+|%20)5/);
    await visitor.page.keyboard.press('Enter');
    await pane().getByRole('heading', { name: 'middleware 5' }).waitFor();
    await visitor.page.keyboard.press('Escape');
    await visitor.page.keyboard.press('e');
    await pane().getByText('upstream answered 503').first().waitFor();
    const selected = visitor.page.locator('[role="row"][aria-selected="true"]:visible').first();
    expect(await selected.innerText()).toContain('execute_tool');
  });

  it('shows only model steps through the lens, and all of them at its end', async () => {
    await visit(`/traces/${ids['large']}?steps=model`);
    await visitor.page.getByRole('treegrid').focus();
    await visitor.page.keyboard.press('End');
    await visitor.page.waitForURL(/span=/);
    const names = await rows().allInnerTexts();
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => /middleware|turn/.test(name))).toEqual([]);
  });
});

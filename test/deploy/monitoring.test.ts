/** Alerts and the Grafana dashboard use metrics that a server has, with labels that they have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { grafanaDashboard } from '../../scripts/grafana/dashboard.ts';
import { ROWS } from '../../scripts/grafana/panels.ts';
import { startServer, type TestServer } from '../support/server.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}
const { groups } = parse(readFileSync(join(DEPLOY, 'prometheus/alerts.yml'), 'utf8')) as {
  groups: { rules: Rule[] }[];
};
const RULES = groups.flatMap(({ rules }) => rules);
const QUERIES: [name: string, expr: string][] = [
  ...RULES.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...ROWS.flatMap(({ panels }) =>
    panels.flatMap(({ title, series }) => series.map(({ expr }): [string, string] => [title, expr])),
  ),
];
/** Metrics that Prometheus itself writes about a scrape. */
const OF_PROMETHEUS = new Set(['up']);
/** Labels that Prometheus adds, and that of buckets. */
const ADDED_LABELS = ['instance', 'job', 'le'];

let server: TestServer;
/** Names of metrics, without the suffixes of histograms. */
const metrics = new Set<string>();
beforeAll(async () => {
  server = await startServer();
  const { text } = await server.call('GET', '/metrics');
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    metrics.add(name);
    if (type === 'histogram')
      for (const suffix of ['bucket', 'sum', 'count']) metrics.add(`${name}_${suffix}`);
  }
});
afterAll(() => server.close());

/** Grafana replaces its variables before Prometheus reads a query. */
const replaced = (expr: string): string =>
  expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '127.0.0.1:4318');

/** Returns the texts of the nodes of a query that have one of these names; throws if it is no PromQL. */
function nodesOf(expr: string, ...names: string[]): string[] {
  const text = replaced(expr);
  const found: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) throw new Error(`no PromQL at character ${from}: ${text}`);
      if (names.includes(type.name)) found.push(text.slice(from, to));
    },
  });
  return found;
}

it.each(QUERIES)('%s is PromQL about metrics of the server', (_name, expr) => {
  const wanted = nodesOf(expr, 'VectorSelector').map((selector) => selector.split('{')[0]?.trim() ?? '');
  expect(wanted.length).toBeGreaterThan(0);
  expect(wanted.filter((name) => !metrics.has(name) && !OF_PROMETHEUS.has(name))).toEqual([]);
});

it.each(QUERIES)('%s uses labels that metrics of the server are declared with', (_name, expr) => {
  const declared = readFileSync(join(DEPLOY, '../src/runtime/metrics.ts'), 'utf8')
    .concat(readFileSync(join(DEPLOY, '../src/runtime/scraped-metrics.ts'), 'utf8'))
    .concat(readFileSync(join(DEPLOY, '../src/runtime/organisation-metrics.ts'), 'utf8'))
    .matchAll(/'([a-z_]+)',?\n?/g);
  const known = new Set([...[...declared].map(([, label]) => label), ...ADDED_LABELS]);
  expect(nodesOf(expr, 'LabelName').filter((label) => !known.has(label))).toEqual([]);
});

it('every alert says what happened and what to do', () => {
  for (const { alert, labels, annotations } of RULES) {
    expect(labels.severity, alert).toMatch(/^(critical|warning)$/);
    expect(annotations.summary.length, alert).toBeGreaterThan(10);
    expect(annotations.description.length, alert).toBeGreaterThan(40);
  }
  expect(new Set(RULES.map(({ alert }) => alert)).size).toBe(RULES.length);
});

it('the committed dashboard is the one that the script writes', async () => {
  const text = `${JSON.stringify(grafanaDashboard(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(join(DEPLOY, 'grafana/touchstone.json'));
});

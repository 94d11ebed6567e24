import { type Panel, ROWS, type Row } from './panels.ts';

/** Grafana divides a dashboard into this many columns. */
const COLUMNS = 24;
const PANEL_WIDTH = 8;
const PANEL_HEIGHT = 8;
const PER_LINE = COLUMNS / PANEL_WIDTH;
/** Chosen in Grafana when the dashboard is imported, or at its top. */
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

/**
 * Returns the dashboard in the format that Grafana imports, with one row of panels after another. The format:
 * https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/
 */
export function grafanaDashboard(): object {
  const panels: object[] = [];
  let y = 0;
  for (const row of ROWS) {
    panels.push(...panelsOf(row, panels.length + 1, y));
    y += 1 + Math.ceil(row.panels.length / PER_LINE) * PANEL_HEIGHT;
  }
  return {
    uid: 'touchstone',
    title: 'Touchstone',
    description:
      'One Touchstone server: receiving, tests and verdicts, the store, organisations, and the process.',
    tags: ['touchstone'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
        {
          name: 'instance',
          label: 'Server',
          type: 'query',
          datasource: DATASOURCE,
          query: 'label_values(touchstone_store_up, instance)',
          refresh: 2,
        },
      ],
    },
    panels,
  };
}

/** Returns a row's title and its panels, with ids from `firstId` and places from `y` on. */
const panelsOf = ({ title, panels }: Row, firstId: number, y: number): object[] => [
  { id: firstId, type: 'row', title, collapsed: false, gridPos: { h: 1, w: COLUMNS, x: 0, y }, panels: [] },
  ...panels.map((panel, index) => ({
    id: firstId + 1 + index,
    ...timeSeries(panel),
    gridPos: {
      h: PANEL_HEIGHT,
      w: PANEL_WIDTH,
      x: (index % PER_LINE) * PANEL_WIDTH,
      y: y + 1 + Math.floor(index / PER_LINE) * PANEL_HEIGHT,
    },
  })),
];

const timeSeries = ({ title, description, unit, series }: Panel): object => ({
  type: 'timeseries',
  title,
  description,
  datasource: DATASOURCE,
  fieldConfig: { defaults: { unit, min: 0, custom: { fillOpacity: 8, showPoints: 'never' } }, overrides: [] },
  options: {
    legend: { displayMode: 'list', placement: 'bottom' },
    tooltip: { mode: 'multi', sort: 'desc' },
  },
  targets: series.map(({ expr, legend }, index) => ({
    refId: String.fromCharCode(65 + index),
    datasource: DATASOURCE,
    expr,
    legendFormat: legend,
  })),
});

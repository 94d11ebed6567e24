/**
 * Writes the Grafana dashboard of one server to `deploy/grafana/touchstone.json`.
 *
 *   npm run grafana
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { grafanaDashboard } from './grafana/dashboard.ts';

const file = join(import.meta.dirname, '../deploy/grafana/touchstone.json');
writeFileSync(file, `${JSON.stringify(grafanaDashboard(), null, 2)}\n`);

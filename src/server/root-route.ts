import type { FastifyInstance } from 'fastify';
import type { DashboardFiles } from './dashboard-files.ts';
import { sendPage } from './dashboard-routes.ts';

/** Places of a server, for programs. */
const LINKS = {
  dashboard: '/',
  reference: '/docs',
  openapi: '/openapi.json',
  packages: '/packages/',
  traces: '/v1/traces',
  logs: '/v1/logs',
  events: '/v0/ingest',
  agents: '/mcp',
  health: '/healthz',
  readiness: '/readyz',
  metrics: '/metrics',
};

/** Adds `/`: the dashboard, or the places of the server as JSON for whoever accepts only that, and where no dashboard is built. */
export function addRootRoute(app: FastifyInstance, files: DashboardFiles | null, path: string): void {
  const links = Object.fromEntries(Object.entries(LINKS).map(([name, link]) => [name, path + link]));
  app.get('/', { config: { isShared: true } }, (request, reply) => {
    const { accept = '' } = request.headers;
    const wantsJson = /\bapplication\/json\b/.test(accept) && !/\btext\/html\b/.test(accept);
    return files === null || wantsJson
      ? reply.header('vary', 'accept, accept-encoding').send({ name: 'Touchstone', links })
      : sendPage(files, request, reply);
  });
}

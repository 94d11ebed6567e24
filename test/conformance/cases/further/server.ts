/** What is asked of the server and not of an application. */
import type { Case } from '../../case.ts';

export const SERVER: readonly Case[] = [
  {
    name: 'metrics are text',
    request: 'GET /metrics',
    status: 200,
    type: /^text\/plain/,
    says: /^# HELP \w+ /m,
  },
];

/** What is asked of the server and not of an application. */
import type { Case } from '../../case.ts';
import { ANY, INTEGER, TEXT, TIME } from '../../shapes.ts';

export const SERVER: readonly Case[] = [
  {
    name: 'metrics are text',
    request: 'GET /metrics',
    status: 200,
    type: /^text\/plain/,
    says: /^# HELP \w+ /m,
  },
  {
    name: 'the state of the server is shown',
    line: 'System.*',
    request: 'GET /v0/system',
    status: 200,
    contains: {
      data: {
        version: TEXT,
        startedAt: TIME,
        store: { fileBytes: INTEGER, diskFreeBytes: INTEGER },
        process: { residentBytes: INTEGER },
        jobs: ANY,
        maintenance: { rewrites: INTEGER, deletions: INTEGER },
        checks: ANY,
      },
    },
  },
  {
    name: 'a user is erased, with a receipt',
    request: 'POST /v0/erasures',
    body: { userId: 'nobody' },
    status: 201,
    contains: { data: { status: 'COMPLETED', subjectType: 'user', counts: { traces: 0 } } },
  },
  {
    name: 'receipts of erasures are listed',
    given: [{ as: 'receipt', request: 'POST /v0/erasures', body: { sessionId: 'none' } }],
    request: 'GET /v0/erasures',
    status: 200,
    contains: { data: [{ id: '{{receipt.id}}', status: 'COMPLETED', subjectType: 'session' }] },
  },
  {
    name: 'the receipt of an erasure is shown',
    given: [{ as: 'receipt', request: 'POST /v0/erasures', body: { sessionId: 'none' } }],
    request: 'GET /v0/erasures/{{receipt.id}}',
    status: 200,
    contains: { data: { id: '{{receipt.id}}', subjectType: 'session' } },
  },
  {
    name: 'retention is shown with what limits would delete',
    request: 'GET /v0/retention?days=30',
    status: 200,
    contains: { data: { days: 30, maxBytes: null, pinnedDays: 365, due: { traces: 0 }, lastRun: null } },
  },
  {
    name: 'a limit of retention is set, and others stay',
    given: [{ as: 'set', request: 'PUT /v0/retention', body: { maxBytes: 1_000_000_000 } }],
    request: 'PUT /v0/retention',
    body: { days: 90 },
    status: 200,
    contains: { data: { days: 90, maxBytes: 1_000_000_000 } },
  },
  {
    name: 'an application has no masking rules at first',
    request: 'GET /v0/masking',
    status: 200,
    contains: {
      data: { detectors: [], patterns: [], removeAttributes: [], keepAttributes: null, exemptAttributes: [] },
    },
  },
  {
    name: 'masking rules are set, and others stay',
    given: [{ as: 'set', request: 'PUT /v0/masking', body: { removeAttributes: ['secret.*'] } }],
    request: 'PUT /v0/masking',
    body: { detectors: ['email'] },
    status: 200,
    contains: { data: { detectors: ['email'], removeAttributes: ['secret.*'] } },
  },
  {
    name: 'masking rules are tried on a text',
    request: 'POST /v0/masking/preview',
    body: { text: 'No address.', rules: { detectors: ['email'] } },
    status: 200,
    contains: { data: { text: 'No address.', masked: [] } },
  },
  {
    name: 'the report of masking is empty before anything is masked',
    request: 'GET /v0/masking/report',
    status: 200,
    contains: { data: [] },
  },
];

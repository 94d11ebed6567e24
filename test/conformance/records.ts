/** The records of the interface as shapes. */
import {
  ANY,
  BOOLEAN,
  INTEGER,
  isOneOf,
  listOf,
  NUMBER,
  OBJECT,
  only,
  optional,
  orNull,
  type Shape,
  TEXT,
  TIME,
  UUID,
} from './shapes.ts';

export const OWNED = {
  id: UUID,
  orgId: '{{application.orgId}}',
  applicationId: '{{application.id}}',
  createdAt: TIME,
  modifiedAt: TIME,
} as const;

export const TAG = only({
  ...OWNED,
  name: TEXT,
  color: /^#[0-9A-Fa-f]{6}$/,
  description: orNull(TEXT),
  status: isOneOf('ACTIVE', 'ARCHIVED'),
});

export const APPLICATION = {
  id: '{{application.id}}',
  orgId: '{{application.orgId}}',
  title: 'Help desk',
  slug: 'help-desk',
  description: '',
  context: '',
  language: 'en',
  type: 'CHATBOT',
  environment: 'DEV',
  humanAnnotationEnabled: false,
  createdAt: TIME,
  modifiedAt: TIME,
} as const;

export const VERSION = {
  ...OWNED,
  title: TEXT,
  content: TEXT,
  metadata: OBJECT,
  originalSentences: listOf(TEXT),
  language: 'en',
  status: TEXT,
  type: isOneOf('KNOWLEDGE', 'POLICY'),
  versionNumber: INTEGER,
  documentId: UUID,
} as const;

/** What lists and single documents have in common. */
export const DOCUMENT = {
  ...OWNED,
  type: isOneOf('KNOWLEDGE', 'POLICY'),
  optimized: BOOLEAN,
  isVerified: BOOLEAN,
  status: isOneOf('DRAFT', 'ACTIVE'),
  title: TEXT,
  content: TEXT,
  assignee: orNull(TEXT),
  scrapeJobId: orNull(UUID),
  fileProcessingId: orNull(UUID),
  topicId: orNull(UUID),
} as const;

export const SCRAPE_JOB = {
  ...OWNED,
  initiatedBy: TEXT,
  name: TEXT,
  url: TEXT,
  status: TEXT,
  quickstartStatus: TEXT,
  failedPages: [],
} as const;

export const DEFINITION = {
  ...OWNED,
  type: 'CUSTOM',
  name: TEXT,
  globalConfig: { criterion: 'Is it kind?' },
  styleGuideId: null,
  application: APPLICATION,
  status: isOneOf('DRAFT', 'ACTIVE', 'ARCHIVED'),
  version: INTEGER,
  repeats: INTEGER,
} as const;

export const QUEUE_ITEM = {
  id: UUID,
  orgId: '{{application.orgId}}',
  applicationId: '{{application.id}}',
  queueId: '{{queue.id}}',
  traceId: UUID,
  completedAt: orNull(TIME),
  expiresAt: TIME,
  createdAt: TIME,
} as const;

export const EXPERIMENT = {
  ...OWNED,
  title: TEXT,
  description: TEXT,
  status: TEXT,
  inferenceStepIds: ['{{step.id}}'],
  taskIds: ['{{task.id}}'],
  assignee: orNull(TEXT),
} as const;

export const RESULT = only({
  passed: INTEGER,
  failed: INTEGER,
  total: INTEGER,
  passRate: ANY,
  averageScore: ANY,
});

/** Interval of a pass rate of 100 % by one test. */
export const SURE_INTERVAL = only({
  low: NUMBER,
  high: 100,
  question: 'EXAMPLES_LIKE_THESE',
  clusteredBy: 'EXAMPLE',
  clusters: 1,
  examples: 1,
  tests: 1,
  method: 'GAFFKE',
});

export const UPLOAD = {
  id: UUID,
  fileName: 'material.csv',
  fileSize: INTEGER,
  status: TEXT,
  materialType: TEXT,
  createdAt: TIME,
  modifiedAt: TIME,
  errorMessage: optional(TEXT),
} as const;

export const MESSAGE = only({ message: /./ });

/** A 422 with these issues, the only ones. */
export const invalid = (...issues: readonly [path: readonly string[], code: string][]): Shape =>
  only({
    message: /./,
    issues: issues.map(([path, code]) => only({ path, code, message: /./ })),
  });

/** The pagination object without `totalCount`. */
export const page = (total: number, skip = 0, limit = 25): Shape =>
  only({ skip, limit, total, totalPages: Math.ceil(total / limit) });

export const countedPage = (total: number, skip = 0, limit = 25): Shape =>
  only({ skip, limit, total, totalPages: Math.ceil(total / limit), totalCount: total });

/** What no application has. */
export const UNKNOWN = '11111111-1111-4111-8111-111111111111';

/** Values that the examples of the API document share, so that they refer to each other. */
export const ID = {
  application: '0b9f2a4e-7c1d-4d8e-9f3a-5e6b7c8d9e01',
  task: '1f4e7c2a-9b3d-4e5f-8a6b-7c8d9e0f1a02',
  example: 'c3e46c7f-8091-4dbe-8fc0-3b4c5d6e7f1c',
  run: '2a5b8c3d-0e1f-4a2b-9c3d-4e5f6a7b8c03',
  runSet: '3b6c9d4e-1f2a-4b3c-8d4e-5f6a7b8c9d04',
  test: '3f0d7b0e-5c43-4a0b-9a53-6c1c8f3f5a10',
  tag: '4c7d0e1f-2a3b-4c4d-8e5f-6a7b8c9d0e05',
  topic: '5d8e1f2a-3b4c-4d5e-9f6a-7b8c9d0e1f06',
  key: '6e9f2a3b-4c5d-4e6f-8a7b-8c9d0e1f2a07',
  webhook: '7fa03b4c-5d6e-4f7a-9b8c-9d0e1f2a3b08',
  delivery: '80b14c5d-6e7f-4a8b-8c9d-0e1f2a3b4c09',
  trace: '91c25d6e-7f80-8b9c-9dae-1f2a3b4c5d0a',
  definition: 'a2d36e7f-8091-4cad-8ebf-2a3b4c5d6e0b',
  quickstart: 'b3e47f80-91a2-4dbe-9fc0-3b4c5d6e7f0c',
  eval: 'c4f58091-a2b3-4ecf-80d1-4c5d6e7f800d',
  styleGuide: 'd50691a2-b3c4-4fd0-91e2-5d6e7f80910e',
  document: 'e617a2b3-c4d5-40e1-a2f3-6e7f8091a20f',
  version: 'f728b3c4-d5e6-41f2-b304-7f8091a2b310',
  experiment: '0839c4d5-e6f7-4203-8415-8091a2b3c411',
  variant: '194ad5e6-f708-4314-9526-91a2b3c4d512',
  step: '2a5be6f7-0819-4425-a637-a2b3c4d5e613',
  queue: '3b6cf708-192a-4536-b748-b3c4d5e6f714',
  queueItem: '4c7d0819-2a3b-4647-8859-c4d5e6f70815',
  annotation: '5d8e192a-3b4c-4758-996a-d5e6f7081916',
  conversation: '90b1394c-5d6e-4a8b-8c9d-08192a3b4c19',
  scrapeJob: '7fa0293b-4c5d-497a-bb8c-f708192a3b18',
  user: 'a1c24a5d-6e7f-4b9c-8dae-192a3b4c5d1a',
  invitation: 'b2d35b6e-7f80-4cad-9ebf-2a3b4c5d6e1b',
  view: 'c3e46c7f-8091-4dbe-8fc0-3b4c5d6e7f1d',
  note: 'd4f57d80-91a2-4ece-8fd0-4c5d6e7f801e',
  issue: 'e5068e91-a2b3-4fdf-90e1-5d6e7f80911f',
  issueLink: 'f6179fa2-b3c4-40e0-a1f2-6e7f8091a220',
  issueWebhook: '0728a0b3-b3c4-41f1-82a3-7f8091a2b322',
  issueMessage: '0728a0b3-b3c4-41f1-82a3-7f8091a2b323',
  erasure: '7f8e2a3b-4c5d-4869-aa7b-e6f708192a18',
  upload: '6e9f2a3b-4c5d-4869-aa7b-e6f708192a17',
} as const;

export const SPAN_ID = '00f067aa0ba902b7';
export const OTEL_TRACE_ID = '91c25d6e7f80cb9c1dae1f2a3b4c5d0a';
export const AT = '2026-01-31T12:00:00.000Z';
export const LATER = '2026-01-31T12:00:04.250Z';

export const owner = { orgId: 'org-1', applicationId: ID.application };
export const dates = { createdAt: AT, modifiedAt: AT };

/** Returns a page that contains all entries. */
export const page = (data: readonly unknown[]): { data: readonly unknown[]; pagination: object } => ({
  data,
  pagination: { skip: 0, limit: 25, total: data.length, totalPages: 1 },
});

/** Returns a page that contains all entries, with its total under both names. */
export const pageWithCount = (data: readonly unknown[]): ReturnType<typeof page> => {
  const { pagination } = page(data);
  return { data, pagination: { ...pagination, totalCount: data.length } };
};

/** Every line of the interface of which something can be asked: the section, and the lines in it. */
export const LINES: Readonly<Record<string, readonly string[]>> = {
  Conventions: ['uuid', 'the uuids of all zeros and of all f', 'date-time', 'bodies are JSON'],
  Tag: words('id name color createdAt modifiedAt orgId applicationId description status').concat('closed'),
  CreatedKey: words('id key name'),
  ListedKey: words('id keyId name applicationId createdAt updatedAt').concat('no plaintext'),
  Document: words(
    `id createdAt modifiedAt orgId applicationId type optimized isVerified status versions title content assignee
     scrapeJob scrapeJobId fileProcessingId topicId`,
  ),
  DocumentVersion: words(
    `id createdAt modifiedAt orgId applicationId title content metadata originalSentences language status type
     versionNumber documentId`,
  ),
  ScrapeJob: words(
    `id createdAt modifiedAt orgId applicationId initiatedBy name url status quickstartStatus pages failedPages`,
  ),
  Definition: words(
    'id createdAt modifiedAt type name globalConfig criterion styleGuideId application topics',
  ).concat('status', 'scope'),
  Application: words(
    `id orgId title slug description context language type environment humanAnnotationEnabled createdAt modifiedAt`,
  ),
  QueueItem: words('id orgId applicationId queueId traceId completedAt expiresAt createdAt'),
  Experiment: words('id createdAt modifiedAt title description status inferenceStepIds taskIds assignee'),
  Run: words('id orgId createdAt modifiedAt taskId threadId evals'),
  PolicyCounts: words('topicsCount applicationEvalCount topicEvalCounts topicId evalCount').concat(
    'drafts and active ones',
    'only of the quickstart',
  ),
  AssigneeCount: words('assignee count'),
  Upload: words('id fileName fileSize status materialType createdAt modifiedAt errorMessage'),
  ColumnValue: words('id name'),
  Pagination: words('skip limit total totalPages totalCount').concat('totalCount nowhere else'),
  Webhook: words('prompt testId metadata experiment experimentId experimentVariantId overrides').concat(
    'testId is unique',
    'no metadata',
    'no experiment',
    'more fields',
  ),
  States: [
    'tag',
    'experiment',
    'definition',
    'eval',
    'document',
    'task',
    'queue item',
    'quickstart POLICIES_REVIEW',
    'quickstart COMPLETE',
    'confirming completes',
    'linked to the application applies to all tasks',
    'an answer but 200 fails the test',
  ],
  Lists: ['skip', 'limit', 'orderBy', 'orderDir', 'default order'],
  GetTag: ['id', 'answer', '400', '401', '403', '404', '422', '500'],
  CreateKey: ['name', 'answer', 'plaintext once', 'of the application'],
  ListKeys: ['answer', 'of the application'],
  LinkApplication: ['evalIds', 'effect', 'unlink'],
  UpdateDocument: ['id', 'topicId', 'null removes it', 'answer'],
  ListDefinitions: words('createdAt modifiedAt name type id').concat(
    words('taskId traceId quickstartId definitionStatus status evalType scopeType topicId').map(
      (name) => `filter ${name}`,
    ),
    'default definitionStatus',
    'topicId over scopeType',
    'answer',
  ),
  ListQueueItems: words('createdAt completedAt expiresAt traceId id').concat(
    'filter queueId',
    'filter completion',
    'filter traceId',
    'answer',
  ),
  ListExperiments: words('createdAt modifiedAt title status assignee id').concat(
    'filter status',
    'filter excludeStatus',
    'answer',
  ),
  ListRuns: words('createdAt modifiedAt type id').concat('filter startDate', 'filter endDate', 'answer'),
  ValidateWebhook: ['signature', 'timestamp', 'body', 'answer', 'valid', 'not valid'],
  PolicyCountsOf: ['id', 'answer'],
  CountByAssignee: ['type', 'status', 'answer', 'of the organization'],
  ConfirmStyleScores: ['quickstartId', 'effect', 'answer'],
  ColumnValues: [
    ...words('task test eval topic tag human_annotation').map((name) => `datasource ${name}`),
    'unknown datasource',
    'columnId',
    'answer',
    'relations',
  ],
  ListUploads: ['quickstartId', 'answer', 'version 1'],
  TaskIds: [
    ...words(
      'topicId status evalDefinitionId tagId search confidence stability healthScore scheduleCriticality',
    ),
    'several values',
    'answer',
  ],
  TestWebhook: ['effect', 'success', 'failure', 'no answer'],
  Ingest: words('events type timestamp testId input output traceId').concat(
    'traceId generated',
    'traceId is not the testId',
    'called after a test',
  ),
  Authentication: [
    'x-api-key',
    'x-application-id',
    'of the application that issued the key',
    'validation needs both',
    'created through the API',
    'wrong credentials',
    'insufficient rights',
  ],
  Events: [
    'POST',
    'x-service-signature',
    'x-service-timestamp',
    'signature covers the body',
    'started by hand',
    'sample',
    'forwarded whole',
    'false for a changed body',
    'refused by the app',
    'trace by ingest',
    '200 is success',
    'overrides by step',
    'trace ingestion unchanged',
  ],
  Errors: words('message issues code issue-message path').concat(
    'ErrorResponse closed',
    'ValidationErrorResponse closed',
    'invalid_string',
    'failed webhook test',
  ),
  Limits: ['key name', 'evalIds', 'limit', 'skip', 'timestamp', 'plaintext key'],
  Versioning: ['v0', 'v1', '0.1.0', 'webhook may gain fields'],
};

function words(text: string): string[] {
  return text.split(/\s+/);
}

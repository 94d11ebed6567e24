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

/** What goes beyond the interface: the fields of the other records. */
export const FURTHER_RECORDS: Readonly<Record<string, readonly string[]>> = {
  Task: words(
    `id orgId applicationId createdAt modifiedAt title description type status inputExamples exampleCount metadata
     simulatedPromptSchema topicId quickstartId isVerified evalDefinitions taskSchedule tags lastTest latestTest
     synthetic monitoring combined passRate
     passRateInterval errorRate monitoringPassRate health confidence stability`,
  ),
  Example: words(
    `id orgId applicationId createdAt modifiedAt taskId position key input expected rubric metadata tags split
     weight status version traceId`,
  ),
  View: words(
    'id orgId applicationId createdAt modifiedAt name screen filter columns sort isShared createdBy',
  ),
  Schedule: words('applicationId taskId criticality cron timezone enabled nextRunAt lastRunAt'),
  Test: words(
    `id orgId applicationId createdAt modifiedAt taskId runId status phase failure prompt exampleIndex exampleId metadata
     experimentId experimentVariantId traceId task timeline traceIds input output inputSpanId outputSpanId evals result`,
  ),
  TestDiagnosis: words('testId status phase cause cure deadline attempts meanwhile spans'),
  Login: words('user apiKey csrf expiresAt applications'),
  OwnLogin: words('id createdAt usedAt expiresAt address userAgent isCurrent'),
  Member: words('id name email role createdAt modifiedAt'),
  Invitation: words('id email role createdAt expiresAt'),
  System: words('version startedAt store process jobs maintenance checks'),
  ApplicationHealth: words(
    'checkedAt checks lastSpan lastRejection lastDelivery lastUnauthorized traces clockDifferenceMs',
  ),
  AuditEntry: words('id createdAt actor action resourceId requestId detail'),
  Result: words('passed failed total passRate averageScore'),
  WholeRun: words('type experimentVariantId result evals'),
  Eval: words(
    `id orgId applicationId createdAt modifiedAt definition definitionVersion testId traceId runId status score passed
     results version superseded inputHash reason judge cost latencyMs`,
  ),
  WholeDefinition: words('orgId applicationId status version repeats'),
  Trace: words(
    `id orgId applicationId createdAt modifiedAt timestamp referenceId metadata testId testIds input output inputSpanId
     outputSpanId steps stepsTruncated rootName services sessionId userId models usage cost durationMs spanCount
     errorCount hasError stepCount totalPromptTokens totalCompletionTokens totalCost totalDurationMs flags`,
  ),
  TraceFacets: words('traces isTruncated facets'),
  Step: words('id traceId parentId name timestamp endTime durationMs status'),
  Span: words('id parentId name kind type startTime durationMs status').concat(
    words('attributes events links scope resource'),
  ),
  SpanDetail: words('id traceId parentId attributes'),
  Topic: words(
    `id orgId applicationId createdAt modifiedAt title description baseline status quickstartId assignedTo isInScope
     isTasksVerified isDocumentsVerified isKnowledgeBaseVerified isPoliciesVerified evalDefinitions`,
  ),
  Variant: words(
    `id orgId applicationId createdAt modifiedAt experimentId title description status configPatch config parentId
     result progress`,
  ),
  InferenceStep: words('id orgId applicationId createdAt modifiedAt type externalId title description'),
  StyleGuide: words('id orgId applicationId createdAt modifiedAt quickstartId content heading approved'),
  Queue: words(
    'id orgId applicationId createdAt modifiedAt topicId title assigneeId pendingCount completedCount',
  ),
  Annotation: words(
    'id orgId applicationId createdAt modifiedAt traceId verdict critique annotatorId source queueItemId correctedOutput',
  ),
  Conversation: words(
    'id orgId applicationId createdAt quickstartId uploadId externalId taskId turns role content',
  ),
  Session: words(
    `id orgId applicationId userIds traceCount firstAt lastAt durationMs usage cost errorCount models input output testIds
     traces tracesTruncated`,
  ),
  Quickstart: words('id orgId applicationId createdAt modifiedAt name status styleGuideId uploads'),
  WebhookConfig: words(
    'id orgId applicationId url headers timeoutMs enabled createdAt modifiedAt webhookSecret',
  ),
  LedgerRow: words('hour keyId requests received stored duplicate replaced rejected reasons'),
};

// Generated from the routes by `npm run openapi`.
// biome-ignore-all format: generated
/* eslint-disable max-lines */

export type AcceptInvitationBody = {
  /** The part of the link after `=`. */
  token: string;
  /** Without effect if the account exists already. */
  name: string;
  /** If an account with the invited email address exists, its password. Otherwise the password of the new account: 12 to 256 characters. */
  password: string;
};

export type AnnotationQueue = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  topicId: string | null;
  title: string;
  assigneeId: string | null;
  /** Items that are neither completed nor expired. */
  pendingCount: number;
  /** Items that are completed. */
  completedCount: number;
};

export type AnswerDeliveryBody = {
  /** HTTP status with which the app answered. */
  status: number;
  /** Headers of its answer. */
  headers?: Record<string, string>;
  /** The first 16 KiB of its answer, as text. */
  body?: string;
} | {
  error: {
    /** Why there is none: no connection, no answer in time, a name without address, or a connection that broke. */
    kind: "refused" | "timeout" | "dns" | "lost";
    message: string;
  };
};

export type Application = {
  id: string;
  orgId: string;
  title: string;
  slug: string;
  description: string;
  context: string;
  language: string;
  type: "CHATBOT" | "AGENT";
  environment: "DEV" | "PROD";
  humanAnnotationEnabled: boolean;
  createdAt: string;
  modifiedAt: string;
};

export type ArchiveTopicBody = {
  /** Archive its tasks too. */
  cascade?: boolean;
};

export type AssigneeCount = {
  assignee: string;
  count: number;
};

export type AuditEntry = {
  id: number;
  createdAt: string;
  actor: {
    type: "user" | "key";
    /** Id of the user, or `keyId` of the API key. */
    id: string;
    /** Name of the user or of the key at that time. */
    name: string;
  };
  /** The `operationId` of the call. */
  action: string;
  /** The ids in the path of the call, separated by slashes, or the id of the created record. */
  resourceId: string | null;
  /** The `x-request-id` of the call. */
  requestId: string;
};

export type ChangePasswordBody = {
  currentPassword: string;
  /** 12 to 256 characters. */
  newPassword: string;
};

export type ChangeTaskTagsBody = {
  /** The tasks to change. */
  taskIds: (string)[];
  /** Tags that all of them get. */
  addTagIds?: (string)[];
  /** Tags that none of them keeps. */
  removeTagIds?: (string)[];
};

export type Column = {
  /** What reports call it. */
  id: string;
  title: string;
  type: "string" | "number" | "boolean" | "date" | "enum" | "relation";
  description: string;
  /** Of its numbers; null = they have none. */
  unit: string | null;
  /** Whether a row may have several values: it then counts in the group of each of them. */
  isMany: boolean;
  isGroupable: boolean;
  /** To what a group by it may be cut. */
  truncations: ("hour" | "day" | "week" | "month" | "quarter" | "year")[];
  /** What filters may ask of it. */
  operators: ("eq" | "ne" | "in" | "notIn" | "lt" | "lte" | "gt" | "gte" | "between" | "contains" | "isNull" | "isNotNull")[];
  /** What measurements may ask of it. */
  aggregations: ("count" | "countDistinct" | "sum" | "avg" | "min" | "max" | "median" | "p90" | "p95" | "p99" | "passRate")[];
  /** All values there may be; null = they are not listed. */
  values: (string)[] | null;
};

export type ColumnValue = {
  /** The value as text; of a relation the id of the record. */
  id: string;
  /** The value as text; of a relation the name of the record, if it has one. */
  name: string;
};

export type CompareRunsBody = {
  baseline: {
    /** All tests of these runs together. */
    runIds?: (string)[];
    /** All tests of this variant of an experiment. */
    variantId?: string;
  };
  candidates: ({
    /** All tests of these runs together. */
    runIds?: (string)[];
    /** All tests of this variant of an experiment. */
    variantId?: string;
  })[];
  /** Compare by the evals of this evaluation definition alone. Default: by all of them. */
  definitionId?: string;
  /** Of the intervals, 0 to 1. What it leaves of 1 is also what p values are to be held against. */
  confidence?: number;
};

export type ConfirmStyleScoresBody = {
  quickstartId: string;
};

export type Conversation = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  quickstartId: string;
  uploadId: string;
  /** What the rows of the file call it. */
  externalId: string | null;
  /** The task that it became an example of, which may have been changed or deleted since; null when the user says nothing in it. */
  taskId: string | null;
  /** What was said, in order: at most 1000 turns and 200000 characters. */
  turns: ({
    role: "user" | "assistant" | "system";
    content: string;
  })[];
};

export type CountedPagination = {
  skip: number;
  limit: number;
  total: number;
  totalPages: number;
  /** There are more than the 10 000 that `total` says. */
  totalExceeded?: true;
};

export type CreateAnnotationBody = {
  /** A UUID, or the 32 hex digits of OpenTelemetry. */
  traceId: string;
  /** Whether the trace passes. */
  verdict: boolean;
  /** What is good or bad about it, in 1 to 2048 characters. Of a trace that does not pass it is needed, with at least 20. */
  critique?: string | null;
  /** Who judged: an identifier of a user. Default: the `keyId` of the API key. Somebody who is signed in always judges under the own user id. */
  annotatorId?: string;
  /** Where the person was when judging. */
  source: "REVIEW_QUEUE" | "TRACE_PAGE" | "TEST_PAGE";
  /** With `REVIEW_QUEUE` only: the item of this trace that this completes. */
  queueItemId?: string | null;
};

export type CreateAnnotationQueueBody = {
  title: string;
  topicId?: string | null;
  /** Who is to judge: an identifier of a user. */
  assigneeId?: string | null;
};

export type CreateApiKeyBody = {
  /** A name for people. */
  name: string;
  /** What the key may do; at most what the key that makes it may. Default: the same without `admin`. */
  scopes?: ("ingest" | "read" | "annotate" | "write" | "admin")[];
  /** The key is of no use from then on. Default: never. */
  expiresAt?: string | null;
};

export type CreateApplicationBody = {
  title: string;
  /** Default: made from the title. */
  slug?: string;
  description?: string;
  /** What the application does, for judges to know. */
  context?: string;
  /** Language tag, such as `en` or `pt-BR`. */
  language?: string;
  type: "CHATBOT" | "AGENT";
  environment?: "DEV" | "PROD";
  humanAnnotationEnabled?: boolean;
  /** Put it into a new organisation instead of the own one. */
  newOrganisation?: boolean;
};

export type CreateDefinitionBody = {
  name: string;
  /** How it judges. */
  type: "NATURALNESS" | "STYLE" | "RECALL" | "FACT" | "CUSTOM" | "OUTPUT_MATCH" | "ASSERT";
  status?: "DRAFT" | "ACTIVE";
  /** What it judges by. With any type: `criterion` (text), `judge` (the name of one of the judges in the settings; the default one where it is left out) and `monitoring` `{ sampleRate }` (0 to 1: the share of traces without a test that are judged). Keys that have no meaning are kept. `FACT`: `groundTruth` (text), for tests whose link has no `expected`. `CUSTOM`: `criterion`, required. `OUTPUT_MATCH`: `type` (`string` or `list`, required), `extract` `{ pattern, flags, group }` (a regular expression, some of the flags `gimsu`, 0 to 99), `matchMode` (`exact_unordered` or `contains`), `scoreMetric` (`f1`, `precision` or `recall`), `passThreshold` (0 to 1), `ignoreCase`. `ASSERT`: `assertions` (1 to 100 of `{ type, value, threshold, weight, not }`, required), `threshold` (0 to 1; none: all of them must hold). */
  globalConfig?: Record<string, unknown>;
  /** The style guide to judge by; required with `STYLE`. */
  styleGuideId?: string | null;
  /** How often a judge model is asked; the majority of its answers counts. */
  repeats?: 1 | 3 | 5 | 7 | 9;
  quickstartId?: string | null;
};

export type CreateDocumentBody = {
  title: string;
  content: string;
  /** `KNOWLEDGE`: facts; `POLICY`: rules that outputs must follow. */
  type: "KNOWLEDGE" | "POLICY";
  /** The first version of a `DRAFT` is a draft too, else approved. */
  status?: "DRAFT" | "ACTIVE";
  assignee?: string | null;
  isVerified?: boolean;
  topicId?: string | null;
  quickstartId?: string | null;
  /** Default: that of the application. */
  language?: string;
  metadata?: Record<string, unknown>;
};

export type CreateDocumentVersionBody = {
  content: string;
  /** Default: that of the document. */
  title?: string;
  /** Default: that of the version before. */
  language?: string;
  /** Default: that of the version before. */
  metadata?: Record<string, unknown>;
};

export type CreateExperimentBody = {
  title: string;
  description?: string;
  /** The steps whose settings its variants may change. Empty: any step. */
  inferenceStepIds?: (string)[];
  /** The tasks that each variant is tested with. */
  taskIds?: (string)[];
  /** Who takes care of it: an identifier of a user. */
  assignee?: string | null;
};

export type CreateInferenceStepBody = {
  type: "LLM" | "RETRIEVER";
  /** The name of the step in the customer's app. No other step of the application may have it. */
  externalId: string;
  title: string;
  description?: string | null;
};

export type CreateInvitationBody = {
  email: string;
  /** `viewer` reads, `annotator` also gives verdicts, `editor` also changes everything else, `admin` also manages the application, its members and keys. */
  role: "viewer" | "annotator" | "editor" | "admin";
};

export type CreateQueueItemBody = {
  queueId: string;
  /** A UUID, or the 32 hex digits of OpenTelemetry. */
  traceId: string;
  /** Default: in 90 days. */
  expiresAt?: string;
  /** How the trace was chosen: at random, by hand, or because evals of it failed. Only what was drawn at random tells how reliable a judge is. */
  selection?: "RANDOM" | "MANUAL" | "FAILED";
};

export type CreateQuickstartBody = {
  name: string;
  /** Confirming the style scores approves all its sections. */
  styleGuideId?: string | null;
};

export type CreateScrapeJobBody = {
  name: string;
  /** Where to begin. Only pages of its host and port are fetched. */
  url: string;
  /** How many pages to fetch at most, those that fail included. */
  maxPages?: number;
  /** How many links away from `url` a page may be. A page of the sitemap counts as one link away. */
  maxDepth?: number;
  /** Only pages whose path begins so are fetched; `url` is to be one of them. */
  pathPrefix?: string | null;
  /** Of the documents. */
  type?: "KNOWLEDGE" | "POLICY";
  /** Of the documents. */
  topicId?: string | null;
  /** The quickstart it belongs to; its documents are drafts until that completes. */
  quickstartId?: string | null;
  /** Of the documents: an identifier of a user. */
  assignee?: string | null;
  /** An identifier of a user. Default: the `keyId` of the API key. */
  initiatedBy?: string;
};

export type CreateStyleGuideBody = {
  /** How answers are to sound, section by section. */
  content: ({
    heading: string;
    content: string;
    /** Whether a person has agreed to it. */
    approved?: boolean;
  })[];
  quickstartId?: string | null;
};

export type CreateTagBody = {
  name: string;
  /** Hex color code. */
  color?: string;
  description?: string | null;
  status?: "ACTIVE" | "ARCHIVED";
};

export type CreateTaskBody = {
  title: string;
  description?: string;
  /** `STATIC`: the input examples in turn are the prompts. `NORMAL`: prompts are written from the description and the examples. */
  type: "STATIC" | "NORMAL";
  /** `DRAFT` tasks run by hand, not by schedule; archived ones not at all. */
  status?: "DRAFT" | "ACTIVE" | "ARCHIVED";
  /** Prompts, which the tests of a run take in turn. */
  inputExamples?: (string)[];
  /** Sent along with each test. */
  metadata?: Record<string, unknown> | null;
  /** JSON Schema of the prompts, when these are objects: each example is the JSON text of one. */
  simulatedPromptSchema?: Record<string, unknown> | null;
  topicId?: string | null;
  isVerified?: boolean;
  quickstartId?: string | null;
  /** Takes the place of all that were linked to it directly. */
  evalDefinitions?: ({
    evalDefinitionId: string;
    config?: {
      /** What the right output is, for definitions that compare. */
      expected?: unknown;
    };
  })[];
};

export type CreateTopicBody = {
  title: string;
  baseline?: string | null;
  status?: "DRAFT" | "ACTIVE" | "ARCHIVED";
  /** Who takes care of it: an identifier of a user. */
  assignedTo?: string | null;
  isTasksVerified?: boolean;
  isDocumentsVerified?: boolean;
  isKnowledgeBaseVerified?: boolean;
  isPoliciesVerified?: boolean;
  quickstartId?: string | null;
  /** Takes the place of all that were linked to it directly. */
  evalDefinitions?: ({
    evalDefinitionId: string;
    config?: {
      /** What the right output is, for definitions that compare. */
      expected?: unknown;
    };
  })[];
};

export type CreateVariantBody = {
  title: string;
  description?: string | null;
  /** `PENDING`: ready to be run. */
  status?: "DRAFT" | "PENDING";
  /** Step → parameter → value, over the settings of the parent: of each step the parameters named here, whole. */
  configPatch: Record<string, Record<string, unknown>>;
  /** Another variant of the experiment. Null for the first one, the baseline, and for no other. */
  parentId?: string | null;
};

export type CreatedApiKey = {
  id: string;
  /** The key itself, shown only in this answer. */
  key: string;
  name: string;
};

export type Datasource = {
  id: "task" | "test" | "eval" | "topic" | "tag" | "human_annotation";
  title: string;
  description: string;
};

export type Delivery = {
  id: string;
  orgId: string;
  applicationId: string;
  testId: string;
  /** 1 = the first sending of this test. */
  attempt: number;
  isSample: boolean;
  /** The delivery whose body was sent again. */
  replayOf: string | null;
  url: string;
  /** null = under way; `not_sent` = it surely never reached the app; `lost` and `unknown` = nobody knows. */
  outcome: "answered" | "not_sent" | "timeout" | "lost" | "cancelled" | "unknown" | null;
  statusCode: number | null;
  /** What went wrong; null = the app answered 200. */
  message: string | null;
  sentAt: string;
  finishedAt: string | null;
  /** Milliseconds each step took: `dnsMs`, `connectMs`, `tlsMs`, `headersMs`, `totalMs`. */
  timings: Record<string, number> | null;
  /** As it was sent; values of configured headers are hidden. */
  request: {
    headers: Record<string, string>;
    body: string;
    /** How the bytes of the body are written in `body`. */
    encoding: "utf8" | "base64";
  };
  /** The first 16 KiB of the answer; null = there was none. */
  response: {
    headers: Record<string, string>;
    body: string;
    /** How the bytes of the body are written in `body`. */
    encoding: "utf8" | "base64";
  } | null;
};

export type Document = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  /** `KNOWLEDGE`: facts; `POLICY`: rules that outputs must follow. */
  type: "KNOWLEDGE" | "POLICY";
  optimized: boolean;
  isVerified: boolean;
  /** Of the document as a whole: only what is `ACTIVE` is answered in chunks. */
  status: "DRAFT" | "ACTIVE";
  /** Of the approved version, or of the newest while none is approved. */
  title: string;
  /** Who takes care of it: an identifier of a user. */
  assignee: string | null;
  scrapeJobId: string | null;
  /** The upload it came with. */
  fileProcessingId: string | null;
  topicId: string | null;
  quickstartId: string | null;
  /** The scrape job it came from, as `GET /v0/scrape-jobs/{id}` answers it. */
  scrapeJob?: ScrapeJob;
  /** Of the version that gives the title. */
  content: string;
  /** The newest first, as many as have 4 MiB of text together; the others by their own route. */
  versions: (DocumentVersion)[];
};

export type DocumentChunk = {
  documentId: string;
  versionNumber: number;
  /** From 0, within the document. */
  index: number;
  /** Of the document. */
  title: string;
  /** At most 1200 characters. */
  text: string;
  /** Where in the content it begins, in UTF-16 units. */
  start: number;
  /** Where in the content it ends, in UTF-16 units. */
  end: number;
};

export type DocumentUploadReport = {
  /** What all documents of this upload carry. */
  fileProcessingId: string;
  created: number;
  /** Of the first 1000 documents. */
  documentIds: (string)[];
  /** The first 100 rows that made no document. */
  rejected: ({
    /** Where the row begins in the file. */
    line: number;
    error: string;
  })[];
  rejectedCount: number;
};

export type DocumentVersion = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  title: string;
  /** Language tag, such as `en` or `pt-BR`. */
  language: string;
  /** `DRAFT` to `REVIEW`, from there back or to `APPROVED`; approving one archives the one approved before. */
  status: "DRAFT" | "REVIEW" | "APPROVED" | "ARCHIVED";
  /** `KNOWLEDGE`: facts; `POLICY`: rules that outputs must follow. */
  type: "KNOWLEDGE" | "POLICY";
  /** From 1, in the order in which they were made. */
  versionNumber: number;
  documentId: string;
  content: string;
  metadata: Record<string, unknown>;
  /** The first 1000 sentences of the content. */
  originalSentences: (string)[];
};

export type DrawQueueItemsBody = {
  queueId: string;
  /** How many traces to draw at most. */
  count: number;
  /** Among all traces, or among those of which an eval has failed. */
  selection?: "RANDOM" | "FAILED";
  /** Among traces that began at this time or later. */
  startDate?: string;
  /** Among traces that began at this time or earlier. */
  endDate?: string;
  /** Of the items. Default: in 90 days. */
  expiresAt?: string;
};

export type ErrorResponse = {
  /** Description of the error, in plain English. */
  message: string;
};

export type Eval = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  /** The definition as it is now. */
  definition: EvaluationDefinition;
  /** The version of the definition that it was judged by. */
  definitionVersion: number;
  /** The test that was judged; null: it was a trace without a test. */
  testId: string | null;
  /** The trace that was judged; of a test its first one. */
  traceId: string | null;
  taskId: string | null;
  runId: string | null;
  /** `COMPLETED`: there is a verdict. `SKIPPED`: there was nothing to judge by, or nobody to judge. `FAILED`: it could not be judged. */
  status: "PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "SKIPPED";
  /** On the scale of the definition's type: 1 to 5, or 0 to 1. */
  score: number | null;
  /** The score on a scale from 0 to 1. */
  normalisedScore: number | null;
  passed: boolean | null;
  /** Grows by one each time the same test or trace is judged by the same definition again; from 1. */
  version: number;
  /** Whether a newer version took its place: it does not count any more. */
  superseded: boolean;
  /** Of all that the verdict depends on: equal hashes need no new verdict. */
  inputHash: string;
  /** Why, in words. In lists its first 300 characters. */
  reason: string | null;
  /** Of the judge, in US dollars. */
  cost: number | null;
  /** How long the judging took, in milliseconds. */
  latencyMs: number | null;
  /** What the score is made of; its fields depend on the type. Null once the trace was deleted. */
  results: Record<string, unknown> | null;
  /** All that is needed to do it again: the `definition` as it judged, with what was expected; of judge models also who was asked, how, and the raw answers. Null until it is judged, and once the trace was deleted. */
  judge: Record<string, unknown> | null;
};

export type EvaluateRunBody = {
  /** Judge again what would be judged by the same as before, too. */
  force?: boolean;
};

export type EvaluateTaskBody = {
  /** Judge again what would be judged by the same as before, too. */
  force?: boolean;
};

export type EvaluateTestBody = {
  /** Judge again what would be judged by the same as before, too. */
  force?: boolean;
};

export type EvaluationDefinition = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  /** How it judges. */
  type: "NATURALNESS" | "STYLE" | "RECALL" | "FACT" | "CUSTOM" | "OUTPUT_MATCH" | "ASSERT";
  name: string;
  /** Only `ACTIVE` ones judge. `ARCHIVED` is final: results refer to it, and nothing else does. */
  status: "DRAFT" | "ACTIVE" | "ARCHIVED";
  /** Grows by one when `type`, `globalConfig` or `styleGuideId` changes; begins at 1. */
  version: number;
  /** How often a judge model is asked; the majority of its answers counts. */
  repeats: 1 | 3 | 5 | 7 | 9;
  globalConfig: Record<string, unknown>;
  styleGuideId: string | null;
  quickstartId: string | null;
  /** Set when a failure of it may stop a release. `OUTPUT_MATCH` and `ASSERT` may always be gates, the others once `GET /v0/definitions/{id}/reliability` tells a kappa of at least `minKappa`. A new version of these others is none until it is set again. */
  gate: {
    /** Cohen’s kappa with people, 0 to 1, that the current version has to have reached. */
    minKappa: number;
  } | null;
  /** Its `description` and `context` are cut at 2000 characters each; the application itself has all of them. */
  application: Application;
  /** The topics it is linked to, in the order in which they were linked. */
  topics: (string)[];
};

export type Experiment = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  title: string;
  description: string;
  /** Follows from its variants, except for `COMPLETED` and `ARCHIVED`. */
  status: "DRAFT" | "BASELINE_PENDING" | "BASELINE_RUNNING" | "BASELINE_COMPLETED" | "BASELINE_FAILED" | "VARIANT_RUNNING" | "IDLE" | "COMPLETED" | "ARCHIVED";
  inferenceStepIds: (string)[];
  taskIds: (string)[];
  assignee: string | null;
};

export type HumanAnnotation = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  traceId: string;
  /** Whether the trace passes. */
  verdict: boolean;
  critique: string | null;
  /** Who judged. */
  annotatorId: string;
  /** Where the person was when judging. */
  source: "REVIEW_QUEUE" | "TRACE_PAGE" | "TEST_PAGE";
  /** The queue item that it completed. */
  queueItemId: string | null;
};

export type InferenceStep = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  type: "LLM" | "RETRIEVER";
  /** The name of the step in the customer's app: what `overrides` call it. */
  externalId: string;
  title: string;
  description: string | null;
};

export type IngestEventsBody = {
  events: (TraceEvent | StepEvent)[];
};

export type Invitation = {
  id: string;
  email: string;
  /** `viewer` reads, `annotator` also gives verdicts, `editor` also changes everything else, `admin` also manages the application, its members and keys. */
  role: "viewer" | "annotator" | "editor" | "admin";
  createdAt: string;
  expiresAt: string;
};

export type LinkDefinitionsBody = {
  /** The evaluation definitions. */
  evalIds: (string)[];
  taskIds?: (string)[];
  topicIds?: (string)[];
  /** For each of these links. Left out: new links have none, the others keep theirs. */
  config?: {
    /** What the right output is, for definitions that compare. */
    expected?: unknown;
  };
};

export type LinkDefinitionsToApplicationBody = {
  /** The evaluation definitions. */
  evalIds: (string)[];
};

export type ListedApiKey = {
  id: string;
  /** Short public identifier of the key. */
  keyId: string;
  name: string;
  applicationId: string;
  createdAt: string;
  updatedAt: string;
};

export type ListedDelivery = {
  id: string;
  orgId: string;
  applicationId: string;
  testId: string;
  /** 1 = the first sending of this test. */
  attempt: number;
  isSample: boolean;
  /** The delivery whose body was sent again. */
  replayOf: string | null;
  url: string;
  /** null = under way; `not_sent` = it surely never reached the app; `lost` and `unknown` = nobody knows. */
  outcome: "answered" | "not_sent" | "timeout" | "lost" | "cancelled" | "unknown" | null;
  statusCode: number | null;
  /** What went wrong; null = the app answered 200. */
  message: string | null;
  sentAt: string;
  finishedAt: string | null;
  /** Milliseconds each step took: `dnsMs`, `connectMs`, `tlsMs`, `headersMs`, `totalMs`. */
  timings: Record<string, number> | null;
};

export type ListedDocument = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  /** `KNOWLEDGE`: facts; `POLICY`: rules that outputs must follow. */
  type: "KNOWLEDGE" | "POLICY";
  optimized: boolean;
  isVerified: boolean;
  /** Of the document as a whole: only what is `ACTIVE` is answered in chunks. */
  status: "DRAFT" | "ACTIVE";
  /** Of the approved version, or of the newest while none is approved. */
  title: string;
  /** Who takes care of it: an identifier of a user. */
  assignee: string | null;
  scrapeJobId: string | null;
  /** The upload it came with. */
  fileProcessingId: string | null;
  topicId: string | null;
  quickstartId: string | null;
  /** Its first 1000 characters. */
  content: string;
  /** The newest ten, without their contents. */
  versions: (ListedDocumentVersion)[];
};

export type ListedDocumentVersion = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  title: string;
  /** Language tag, such as `en` or `pt-BR`. */
  language: string;
  /** `DRAFT` to `REVIEW`, from there back or to `APPROVED`; approving one archives the one approved before. */
  status: "DRAFT" | "REVIEW" | "APPROVED" | "ARCHIVED";
  /** `KNOWLEDGE`: facts; `POLICY`: rules that outputs must follow. */
  type: "KNOWLEDGE" | "POLICY";
  /** From 1, in the order in which they were made. */
  versionNumber: number;
  documentId: string;
};

export type ListedEval = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  /** The definition as it is now. */
  definition: EvaluationDefinition;
  /** The version of the definition that it was judged by. */
  definitionVersion: number;
  /** The test that was judged; null: it was a trace without a test. */
  testId: string | null;
  /** The trace that was judged; of a test its first one. */
  traceId: string | null;
  taskId: string | null;
  runId: string | null;
  /** `COMPLETED`: there is a verdict. `SKIPPED`: there was nothing to judge by, or nobody to judge. `FAILED`: it could not be judged. */
  status: "PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "SKIPPED";
  /** On the scale of the definition's type: 1 to 5, or 0 to 1. */
  score: number | null;
  /** The score on a scale from 0 to 1. */
  normalisedScore: number | null;
  passed: boolean | null;
  /** Grows by one each time the same test or trace is judged by the same definition again; from 1. */
  version: number;
  /** Whether a newer version took its place: it does not count any more. */
  superseded: boolean;
  /** Of all that the verdict depends on: equal hashes need no new verdict. */
  inputHash: string;
  /** Why, in words. In lists its first 300 characters. */
  reason: string | null;
  /** Of the judge, in US dollars. */
  cost: number | null;
  /** How long the judging took, in milliseconds. */
  latencyMs: number | null;
};

export type ListedQuickstart = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  name: string;
  /** Confirming the style scores approves all its sections. */
  styleGuideId: string | null;
  status: "UPLOADING" | "PROCESSING" | "TASKS_TOPICS_REVIEW" | "KNOWLEDGE_BASE_REVIEW" | "POLICIES_REVIEW" | "STYLE_REVIEW" | "COMPLETING" | "COMPLETE" | "FAILED";
  /** Why it is `FAILED`, else null. */
  reason: string | null;
  /** The newest first. */
  uploads: (QuickstartUpload)[];
};

export type ListedTest = {
  /** The test id: what spans carry as `service.test.id`. */
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  taskId: string;
  runId: string;
  runType: "MANUAL" | "SCHEDULED" | "EXPERIMENT" | "MONITORING";
  status: "PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED";
  phase: "queued" | "delivering" | "delivered" | "trace_received" | "evaluating" | "done";
  failure: {
    code: "webhook_not_configured" | "webhook_unreachable" | "webhook_blocked_address" | "webhook_timeout" | "webhook_status" | "delivery_unknown" | "trace_missing" | "evaluation_error" | "cancelled";
    message: string;
    /** What to do about it. */
    hint: string;
  } | null;
  /** In lists its first 300 characters. */
  prompt: string;
  /** Which input example of the task it was, from 0. */
  exampleIndex: number | null;
  experimentId: string | null;
  experimentVariantId: string | null;
  result: Result;
};

export type ListedTrace = {
  id: string;
  orgId: string;
  applicationId: string;
  /** When its first span was stored. */
  createdAt: string;
  modifiedAt: string;
  /** With all nine digits of the fraction where they say more than milliseconds. */
  timestamp: string;
  /** Native traces: the sender's id of the conversation. */
  referenceId?: string;
  testId: string | null;
  testIds: (string)[];
  /** The 32 hex digits of OpenTelemetry. */
  otelTraceId?: string;
  rootName: string;
  services: (string)[];
  environment: string | null;
  sessionId: string | null;
  userId: string | null;
  tags: (string)[];
  models: (string)[];
  /** Each call of a model counted once. */
  usage: Usage;
  /** In US dollars. */
  cost: number | null;
  /** Whether it was worked out from tokens and the price table. */
  costEstimated: boolean;
  durationMs: number;
  spanCount: number;
  /** Spans that failed. */
  errorCount: number;
  /** Version of the rules that mapped it. */
  ruleSet: number;
  metadata: unknown;
  /** The first 300 characters. */
  input: string | null;
  /** The first 300 characters. */
  output: string | null;
  /** What is odd about it: `replaced`, `unpaired`, `skew`, `redacted`, `dropped`, `oddTokens`, `sample`, and of a single trace also `orphans` and `cycle`. */
  flags: (string)[];
};

export type LlmEndEvent = {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  metadata?: Record<string, unknown> | null;
  type: "llm";
  modelId: string;
  event: "end";
  output?: string | Record<string, unknown> | (unknown)[] | null;
  usage?: {
    promptTokens?: number | null;
    completionTokens?: number | null;
  } | null;
};

export type LlmStartEvent = {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  metadata?: Record<string, unknown> | null;
  type: "llm";
  modelId: string;
  event: "start";
  input: string | Record<string, unknown> | (unknown)[];
};

export type Login = {
  /** Null when signed in with an API key. */
  user: {
    id: string;
    name: string;
    email: string;
  } | null;
  /** The API key that was used to sign in; the login ends with it. */
  apiKey: {
    id: string;
    name: string;
  } | null;
  /** Every call with the cookie must send this in the header `x-csrf`. */
  csrf: string;
  /** When the login ends if it is not used: after 12 hours without a call, and after 7 days at the latest. */
  expiresAt: string;
  /** The applications that calls may name in `x-application-id`. */
  applications: ({
    id: string;
    /** The title of the application. */
    name: string;
    /** Null when signed in with an API key. */
    role: "viewer" | "annotator" | "editor" | "admin" | null;
    scopes: ("ingest" | "read" | "annotate" | "write" | "admin")[];
  })[];
};

export type Member = {
  /** Id of the user. */
  id: string;
  name: string;
  email: string;
  /** `viewer` reads, `annotator` also gives verdicts, `editor` also changes everything else, `admin` also manages the application, its members and keys. */
  role: "viewer" | "annotator" | "editor" | "admin";
  createdAt: string;
  modifiedAt: string;
};

export type Pagination = {
  skip: number;
  limit: number;
  total: number;
  totalPages: number;
};

export type PolicyCounts = {
  /** Topics of the quickstart that are not archived. */
  topicsCount: number;
  /** Evaluation definitions of the quickstart that are linked to no topic. */
  applicationEvalCount: number;
  /** Its topics, the oldest first: at most 10000 of them. */
  topicEvalCounts: ({
    topicId: string;
    evalCount: number;
  })[];
};

export type PutTaskScheduleBody = {
  /** How often the task runs: `HIGH` daily, `MEDIUM` weekly, `LOW` every two weeks. */
  criticality: "HIGH" | "MEDIUM" | "LOW";
  /** The moment: of the day for `HIGH` (`30 9 * * *`), of the week for `MEDIUM` and `LOW` (`30 9 * * MON`; `LOW` takes every second week). The task starts within five minutes after it. Null: a moment that the server chooses. */
  cron?: string | null;
  /** IANA time zone of `cron`. Default: `UTC`. */
  timezone?: string;
  /** Default: true. */
  enabled?: boolean;
};

export type QueryReportBody = {
  datasource: "task" | "test" | "eval" | "topic" | "tag" | "human_annotation";
  /** All of which a row must meet. */
  filters?: ({
    /** The id of a column of the datasource. */
    column: string;
    /** `ne` and `notIn` take rows without a value too; `between` takes both ends. */
    operator: "eq" | "ne" | "in" | "notIn" | "lt" | "lte" | "gt" | "gte" | "between" | "contains" | "isNull" | "isNotNull";
    /** What the operator compares with: text, number, true or false, an ISO 8601 time, an id. `in` and `notIn` take a list, `between` a pair, `isNull` and `isNotNull` nothing. */
    value?: string | number | boolean | (string | number | boolean)[];
  })[];
  /** Without it all rows are one group. */
  groupBy?: ({
    /** The id of a column of the datasource. */
    column: string;
    /** Of dates: by the clocks of `timeZone`. Weeks begin on Monday. */
    truncate?: "hour" | "day" | "week" | "month" | "quarter" | "year";
  })[];
  /** IANA time zone by whose clocks dates are cut. */
  timeZone?: string;
  measurements: ({
    /** `count` counts rows, with a column those that have a value. `passRate`, in percent, takes no column: it is the mean of the datasource’s own. Percentiles interpolate. */
    aggregation: "count" | "countDistinct" | "sum" | "avg" | "min" | "max" | "median" | "p90" | "p95" | "p99" | "passRate";
    /** The id of a column of the datasource. */
    column?: string;
    /** What the answer calls it. Default: the aggregation, or `aggregation_column`. */
    as?: string;
  })[];
  /** Then by the groups, as is the default. Relations go by their names; what is empty comes last. */
  orderBy?: ({
    /** A column of `groupBy`, or what a measurement is called. */
    by: string;
    direction?: "asc" | "desc";
  })[];
  limit?: number;
  skip?: number;
};

export type QueueItem = {
  id: string;
  orgId: string;
  applicationId: string;
  queueId: string;
  traceId: string;
  /** How the trace was chosen: at random, by hand, or because evals of it failed. Only what was drawn at random tells how reliable a judge is. */
  selection: "RANDOM" | "MANUAL" | "FAILED";
  /** When the trace was judged; null until then. */
  completedAt: string | null;
  /** From then on an item that is not completed counts as `EXPIRED`. */
  expiresAt: string;
  createdAt: string;
};

export type Quickstart = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  name: string;
  /** Confirming the style scores approves all its sections. */
  styleGuideId: string | null;
  status: "UPLOADING" | "PROCESSING" | "TASKS_TOPICS_REVIEW" | "KNOWLEDGE_BASE_REVIEW" | "POLICIES_REVIEW" | "STYLE_REVIEW" | "COMPLETING" | "COMPLETE" | "FAILED";
  /** Why it is `FAILED`, else null. */
  reason: string | null;
  /** The newest first. */
  uploads: (QuickstartUpload)[];
  /** What belongs to the quickstart, drafts and archived ones too. */
  counts: {
    topics: number;
    tasks: number;
    definitions: number;
    documents: number;
  };
};

export type QuickstartUpload = {
  id: string;
  quickstartId: string;
  fileName: string;
  /** In bytes. */
  fileSize: number;
  status: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
  /** `conversations` become topics and tasks, `knowledge_base` and `policy` become documents; all of them drafts. */
  materialType: "conversations" | "knowledge_base" | "policy";
  createdAt: string;
  modifiedAt: string;
  /** What is wrong with the file as a whole: with `FAILED` only. */
  errorMessage?: string;
};

export type QuickstartUploadReport = {
  /** Rows read so far, without the header. */
  rows: number;
  /** What was made of them. Topics and tasks of the quickstart that have the title of a row are taken up. */
  created: {
    topics: number;
    tasks: number;
    /** Prompts added to tasks. Those a task has already, or has no room for, are left out. */
    inputExamples: number;
    conversations: number;
    documents: number;
    definitions: number;
  };
  /** The first 100 rows of which nothing was made. */
  rejected: ({
    /** Where the row begins; the header is on line 1. */
    line: number;
    error: string;
  })[];
  rejectedCount: number;
};

export type QuickstartUploadWithReport = {
  id: string;
  quickstartId: string;
  fileName: string;
  /** In bytes. */
  fileSize: number;
  status: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
  /** `conversations` become topics and tasks, `knowledge_base` and `policy` become documents; all of them drafts. */
  materialType: "conversations" | "knowledge_base" | "policy";
  createdAt: string;
  modifiedAt: string;
  /** What is wrong with the file as a whole: with `FAILED` only. */
  errorMessage?: string;
  report: QuickstartUploadReport;
};

export type Rejection = {
  id: string;
  at: string;
  keyId: string;
  source: string;
  reason: string;
  message: string;
  /** How many spans, events or log records it stands for; 0 = a request that was refused whole. */
  spans: number;
  /** As it was sent, in hex. */
  traceId: string | null;
  spanId: string | null;
};

export type RelayedRequest = {
  id: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
};

export type Reliability = {
  definitionId: string;
  /** The version of the definition whose evals these are. */
  version: number;
  /** The human verdict is that of the majority; of each person the newest annotation of the trace counts. */
  verdicts: {
    /** Evals with a human verdict: what all figures here are made of. */
    compared: number;
    /** Evals on which as many people said pass as fail; they don’t count. */
    tied: number;
    /** Annotated traces that this version has no completed eval of. */
    unjudged: number;
    /** Of those compared, on traces that a queue drew at random. */
    random: number;
    /** How many more on traces drawn at random it takes to have 30, so that the pass rate can be corrected. */
    missing: number;
  };
  /** Evals by what the definition and what people say. */
  confusion: {
    /** Both say pass. */
    truePositives: number;
    /** The definition says pass, people say fail. */
    falsePositives: number;
    /** The definition says fail, people say pass. */
    falseNegatives: number;
    /** Both say fail. */
    trueNegatives: number;
  };
  /** How often both say the same. Null without verdicts. */
  agreement: {
    rate: number;
    low: number;
    high: number;
  } | null;
  /** Cohen’s kappa: agreement beyond what chance would bring, 0 none, 1 perfect, with its 95 % confidence interval. Null without verdicts, and when both say pass always, or fail always. */
  kappa: {
    value: number;
    low: number;
    high: number;
  } | null;
  /** Of what people let pass, how much the definition lets pass. Null when there is none. */
  truePositiveRate: {
    rate: number;
    low: number;
    high: number;
  } | null;
  /** Of what people let fail, how much the definition lets fail. Null when there is none. */
  trueNegativeRate: {
    rate: number;
    low: number;
    high: number;
  } | null;
  /** In percent: how much would pass if people judged it all, with the 95 % confidence interval (Rogan and Gladen; Lang and Reiczigel). The rates of true positives and negatives are taken from traces drawn at random alone. */
  correctedPassRate: {
    rate: number;
    low: number;
    high: number;
    /** The correction led out of 0 to 100 and was cut there. */
    isClamped: boolean;
    /** Evals of this version on traces other than those drawn at random. */
    judged: number;
    /** In percent: how many of these passed. */
    judgedPassRate: number;
  } | null;
  /** Why there is no corrected pass rate. */
  refusal: {
    code: "TOO_FEW_VERDICTS" | "ONE_SIDED_VERDICTS" | "WEAK_JUDGE" | "NOTHING_ELSE_JUDGED";
    message: string;
  } | null;
};

export type Report = {
  data: ({
    /** By the id of the column. */
    groups: Record<string, string | number | boolean | {
      id: string;
      name: string;
    } | null>;
    /** By what the measurement is called. Null when no row has a value. */
    values: Record<string, number | string | null>;
  })[];
  columns: ({
    /** What `groups` or `values` call it. */
    id: string;
    role: "group" | "measurement";
    column: string | null;
    title: string;
    type: "string" | "number" | "boolean" | "date" | "enum" | "relation";
    /** Of its numbers; null = they have none. */
    unit: string | null;
  })[];
  /** `total` counts groups. */
  pagination: Pagination;
};

/** Of the current evals with a verdict of tests that are completed. A test that failed by the fault of the app (`webhook_status`, `webhook_timeout`, `trace_missing`) counts as one eval that did not pass; others that failed count not at all. */
export type Result = {
  /** Evals that passed. */
  passed: number;
  /** Evals that did not pass. */
  failed: number;
  total: number;
  /** In percent: the mean over tests of the share of their evals that passed; null when nothing counts. */
  passRate: number | null;
  /** The mean of the scores, each on a scale from 0 to 1; null when there is none. */
  averageScore: number | null;
};

/** `google.rpc.Status`. */
export type RpcStatus = {
  /** Status code of gRPC. */
  code: number;
  message: string;
  details?: (Record<string, unknown>)[];
};

export type Run = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  taskId: string;
  type: "MANUAL" | "SCHEDULED" | "EXPERIMENT" | "MONITORING";
  experimentVariantId: string | null;
  /** The session of the first trace that has one, of the first test that has such a trace. */
  threadId: string | null;
  /** How many tests it has, and how far they are. */
  tests: {
    total: number;
    pending: number;
    inProgress: number;
    completed: number;
    failed: number;
  };
  /** What each definition says, by its id. */
  evals: ({
    id: string;
    name: string;
    type: string;
    /** Evals that passed. */
    passed: number;
    /** Evals that did not pass. */
    failed: number;
    total: number;
    /** In percent: the mean over tests of the share of their evals that passed; null when nothing counts. */
    passRate: number | null;
    /** The mean of the scores, each on a scale from 0 to 1; null when there is none. */
    averageScore: number | null;
  })[];
  result: Result;
  /** Of tests that count, by input example; a test passes when all of its evals do. Only where the record is asked for alone, and something was tested twice. */
  repeats?: {
    /** Input examples that were tested twice or more. */
    groups: number;
    /** As many tests as each of these has, at most 8. */
    k: number;
    /** In percent: the chance that all of `k` tests of an input example pass. */
    passPowK: number;
    /** In percent: the chance that at least one of `k` tests of an input example passes. */
    passAtK: number;
    /** In percent: how many of the groups have tests that passed and tests that did not. */
    flakiness: number;
  };
};

export type RunComparison = {
  confidence: number;
  definitionId: string | null;
  baseline: {
    /** That count: completed with a verdict, or failed by the fault of the app, which counts as 0. With `definitionId` only those that it judged. */
    tests: number;
    /** Not over yet; they don’t count. */
    unfinished: number;
    /** Failed, and not by the fault of the app; they don’t count. */
    errors: number;
    /** In percent: the mean over all its tests of the share of their evals that passed. */
    passRate: number | null;
    /** In percent: the interval of the pass rate (Wilson), each test one observation. */
    passRateInterval: {
      low: number;
      high: number;
    } | null;
  };
  /** In the order in which they were asked for. */
  candidates: ({
    /** That count: completed with a verdict, or failed by the fault of the app, which counts as 0. With `definitionId` only those that it judged. */
    tests: number;
    /** Not over yet; they don’t count. */
    unfinished: number;
    /** Failed, and not by the fault of the app; they don’t count. */
    errors: number;
    /** In percent: the mean over all its tests of the share of their evals that passed. */
    passRate: number | null;
    /** In percent: the interval of the pass rate (Wilson), each test one observation. */
    passRateInterval: {
      low: number;
      high: number;
    } | null;
    /** Tasks and input examples that were tested on both sides: only these are compared. */
    pairs: number;
    /** Tasks and input examples that the candidate was not tested with. */
    onlyInBaseline: number;
    /** Tasks and input examples that the baseline was not tested with. */
    onlyInCandidate: number;
    /** Null when there is no pair. */
    difference: {
      /** In percent: the pass rate of the baseline over the pairs. */
      baseline: number;
      /** In percent: the pass rate of the candidate over the pairs. */
      candidate: number;
      /** In percentage points: how much higher that of the candidate is. */
      estimate: number;
      low: number;
      /** In percentage points: with `low` the interval of the difference. */
      high: number;
      /** How p value and interval were found. */
      method: "MCNEMAR_EXACT" | "MCNEMAR_CORRECTED" | "CLUSTER_BOOTSTRAP" | "NEWCOMBE_INDEPENDENT";
      /** Why in this way. */
      reason: string;
      /** Of there being no difference; two-sided. */
      pValue: number;
      /** The p value adjusted for the number of candidates (Holm): hold this one against the limit. */
      adjustedPValue: number;
    } | null;
    effectSize: {
      /** The difference, from −1 to 1. */
      riskDifference: number;
      /** The odds of passing by those of the baseline; null when a side passes always or never. */
      oddsRatio: number | null;
      /** By how many standard deviations the scores of the pairs are higher; null with fewer than two pairs that have scores on both sides, or when these don’t vary. */
      cohensD: number | null;
    } | null;
    tasks: {
      better: number;
      worse: number;
      same: number;
      /** The largest difference first, at most 50. */
      mostImproved: ({
        taskId: string;
        title: string;
        pairs: number;
        baseline: number;
        candidate: number;
        difference: number;
      })[];
      /** The largest difference first, at most 50. */
      mostWorsened: ({
        taskId: string;
        title: string;
        pairs: number;
        baseline: number;
        candidate: number;
        difference: number;
      })[];
    };
    /** By the evals of each definition that judged both sides, by its id. For an interval ask with `definitionId`. */
    definitions: ({
      id: string;
      name: string;
      type: string;
      pairs: number;
      baseline: number;
      candidate: number;
      difference: number;
    })[];
  })[];
};

export type RunVariantBody = {
  /** Tests of each task. Its input examples are taken in turn. */
  repeat?: number;
};

export type SaveWebhookBody = {
  /** Where tests are sent. Required the first time. */
  url?: string;
  headers?: Record<string, string> | null;
  /** How long the app may take to answer, in milliseconds. */
  timeoutMs?: number;
  /** Whether tests are sent. Default: true. */
  enabled?: boolean;
};

export type ScrapeJob = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  /** A user, or the `keyId` of the API key. */
  initiatedBy: string;
  name: string;
  url: string;
  /** `MAPPING`: its pages are being found; `PENDING`: they are, and it waits for its turn; `IN_PROGRESS`: they are being made documents; `COMPLETED`, or `FAILED` with a `reason`. */
  status: "MAPPING" | "PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED";
  /** Why it failed. */
  reason: string | null;
  /** Whether the quickstart it belongs to, if any, has got its documents. */
  quickstartStatus: "NOT_ASSOCIATED" | "PENDING" | "COMPLETED";
  quickstartId: string | null;
  topicId: string | null;
  /** `KNOWLEDGE`: facts; `POLICY`: rules that outputs must follow. */
  type: "KNOWLEDGE" | "POLICY";
  assignee: string | null;
  maxPages: number;
  maxDepth: number;
  pathPrefix: string | null;
  /** The pages found so far; once it is over, those that were made documents. In lists the first 10. */
  pages: ({
    url: string;
    title?: string;
    description?: string;
    /** The first part of its path, if the path has several. */
    category?: string;
  })[];
  /** The pages of which no document was made. In lists the first 10. */
  failedPages: ({
    url: string;
    error: string;
  })[];
};

export type Session = {
  id: string;
  orgId: string;
  applicationId: string;
  /** At most 20. */
  userIds: (string)[];
  traceCount: number;
  /** When its first trace began. */
  firstAt: string;
  /** When its last trace began. */
  lastAt: string;
  /** From the beginning of the first trace to the last end. */
  durationMs: number;
  usage: {
    promptTokens: number;
    completionTokens: number;
    totalTokens: number;
  };
  /** In US dollars. */
  cost: number | null;
  /** Traces with an error. */
  errorCount: number;
  /** At most 64. */
  models: (string)[];
  /** Of its first trace. */
  input: string | null;
  /** Of its last trace. */
  output: string | null;
  /** At most 20. */
  testIds: (string)[];
};

export type SetUpAccountBody = {
  /** The part of the link after `=`. */
  token: string;
  name: string;
  email: string;
  /** 12 to 256 characters. */
  password: string;
};

export type SignInBody = {
  email: string;
  password: string;
} | {
  apiKey: string;
};

export type Span = {
  id: string;
  parentId?: string;
  /** Named as a parent and not stored: id, depth and childCount are all. */
  placeholder?: true;
  depth: number;
  childCount: number;
  name?: string;
  kind?: "SPAN" | "LLM" | "EMBEDDING" | "TOOL" | "RETRIEVER" | "RERANKER" | "AGENT" | "CHAIN" | "GUARDRAIL" | "EVALUATOR";
  /** The type of step it is shown as. */
  type?: string;
  /** With all nine digits of the fraction where they say more than milliseconds. */
  startTime?: string;
  durationMs?: number;
  status?: {
    code: "UNSET" | "OK" | "ERROR";
    message?: string;
  };
  testId?: string;
  orphan?: true;
  /** Its parents form a loop, cut here. */
  cycle?: true;
  /** Started before its parent, or with corrected times. */
  skew?: true;
  /** OpenTelemetry's SpanKind. */
  spanKind?: string | number;
  traceState?: string;
  traceFlags?: number;
  attributes?: Record<string, unknown>;
  droppedAttributesCount?: number;
  events?: (Record<string, unknown>)[];
  droppedEventsCount?: number;
  links?: (Record<string, unknown>)[];
  droppedLinksCount?: number;
  /** Log records that name the span. */
  logs?: (Record<string, unknown>)[];
  scope?: Record<string, unknown>;
  resource?: Record<string, unknown>;
  /** The span in the words of our model. */
  mapped?: {
    ruleSet: number;
    /** Each field of our model, with the vocabulary and the key that gave it. */
    fields: Record<string, {
      value: unknown;
      vocabulary: string;
      from: string;
    }>;
    unmapped: (string)[];
    redacted: (string)[];
    truncated: (string)[];
    warnings: (string)[];
  };
};

export type SpanDetail = {
  id: string;
  traceId: string;
  parentId: string | null;
  name: string;
  kind: "SPAN" | "LLM" | "EMBEDDING" | "TOOL" | "RETRIEVER" | "RERANKER" | "AGENT" | "CHAIN" | "GUARDRAIL" | "EVALUATOR";
  /** The type of step it is shown as. */
  type: string;
  /** With all nine digits of the fraction where they say more than milliseconds. */
  startTime: string;
  /** With all nine digits of the fraction where they say more than milliseconds. */
  endTime: string;
  durationMs: number;
  status: {
    code: "UNSET" | "OK" | "ERROR";
    message?: string;
  };
  service: string;
  /** The test id of the span or of its resource. */
  testId: string | null;
  model: string | null;
  usage: Usage | null;
  /** In US dollars. */
  cost: number | null;
  costEstimated: boolean;
  /** OpenTelemetry's SpanKind. */
  spanKind: string | number;
  traceState: string;
  traceFlags: number;
  attributes: Record<string, unknown>;
  droppedAttributesCount: number;
  events: (Record<string, unknown>)[];
  droppedEventsCount: number;
  links: (Record<string, unknown>)[];
  droppedLinksCount: number;
  /** Log records that name the span. */
  logs?: (Record<string, unknown>)[];
  scope: Record<string, unknown>;
  resource: Record<string, unknown>;
  /** The span in the words of our model. */
  mapped: {
    ruleSet: number;
    /** Each field of our model, with the vocabulary and the key that gave it. */
    fields: Record<string, {
      value: unknown;
      vocabulary: string;
      from: string;
    }>;
    unmapped: (string)[];
    redacted: (string)[];
    truncated: (string)[];
    warnings: (string)[];
  };
};

export type StartedRun = {
  runId: string;
  taskId: string;
  testIds: (string)[];
};

export type Step = {
  /** `llm`, `tool`, `retriever`, `reranker`, `embedding`, `agent`, `guardrail`, `evaluator`, `group`, `log`, `request` or `response`; which fields there are depends on it. */
  type: string;
  id: string;
  traceId: string;
  parentId?: string;
  name: string;
  /** With all nine digits of the fraction where they say more than milliseconds. */
  timestamp: string;
  durationMs: number;
  status: {
    code: "UNSET" | "OK" | "ERROR";
    message?: string;
  };
  /** `llm`: `start` while it is open. */
  event?: "start" | "end";
  /** `llm`: an end without its start. */
  unpaired?: boolean;
  input?: unknown;
  output?: unknown;
  inputMessages?: (unknown)[];
  outputMessages?: (unknown)[];
  /** `llm`: the tools it was offered. */
  tools?: unknown;
  /** `llm`: such as `temperature`. */
  parameters?: unknown;
  finishReasons?: unknown;
  modelId?: string | null;
  provider?: string;
  /** In US dollars. */
  cost?: number;
  usage?: Usage;
  toolName?: string;
  toolCallId?: string;
  toolInput?: unknown;
  toolOutput?: unknown;
  /** `retriever`. */
  query?: unknown;
  /** `retriever`: documents. */
  result?: unknown;
  /** `log`, `request`, `response`. */
  content?: unknown;
  /** `group`. */
  key?: string;
  group?: string;
  params?: unknown;
  metadata?: unknown;
};

export type StepEvent = LlmStartEvent | LlmEndEvent | {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  metadata?: Record<string, unknown> | null;
  type: "tool";
  toolInput?: string | Record<string, unknown> | (unknown)[] | null;
  toolOutput?: string | Record<string, unknown> | (unknown)[] | null;
} | {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  metadata?: Record<string, unknown> | null;
  type: "retriever";
  query: string | Record<string, unknown> | (unknown)[];
  result: string | Record<string, unknown> | (unknown)[];
} | {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  metadata?: Record<string, unknown> | null;
  input?: string | Record<string, unknown> | (unknown)[] | null;
  output?: string | Record<string, unknown> | (unknown)[] | null;
  type: "reranker";
} | {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  metadata?: Record<string, unknown> | null;
  input?: string | Record<string, unknown> | (unknown)[] | null;
  output?: string | Record<string, unknown> | (unknown)[] | null;
  type: "embedding";
} | {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  metadata?: Record<string, unknown> | null;
  input?: string | Record<string, unknown> | (unknown)[] | null;
  output?: string | Record<string, unknown> | (unknown)[] | null;
  type: "agent";
} | {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  metadata?: Record<string, unknown> | null;
  input?: string | Record<string, unknown> | (unknown)[] | null;
  output?: string | Record<string, unknown> | (unknown)[] | null;
  type: "guardrail";
} | {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  metadata?: Record<string, unknown> | null;
  input?: string | Record<string, unknown> | (unknown)[] | null;
  output?: string | Record<string, unknown> | (unknown)[] | null;
  type: "evaluator";
} | {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  metadata?: Record<string, unknown> | null;
  type: "group";
  key: string;
} | {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  metadata?: Record<string, unknown> | null;
  type: "log";
  content: string | Record<string, unknown> | (unknown)[];
} | {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  metadata?: Record<string, unknown> | null;
  type: "request";
  content: string | Record<string, unknown> | (unknown)[];
} | {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  metadata?: Record<string, unknown> | null;
  type: "response";
  content: string | Record<string, unknown> | (unknown)[];
};

export type StyleGuide = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  quickstartId: string | null;
  content: ({
    heading: string;
    content: string;
    /** Whether a person has agreed to it. */
    approved: boolean;
  })[];
};

export type Tag = {
  id: string;
  name: string;
  /** Hex color code. */
  color: string;
  createdAt: string;
  modifiedAt: string;
  orgId: string;
  applicationId: string;
  description: string | null;
  status: "ACTIVE" | "ARCHIVED";
};

export type Task = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  title: string;
  description: string;
  /** `STATIC`: the input examples in turn are the prompts. `NORMAL`: prompts are written from the description and the examples. */
  type: "STATIC" | "NORMAL";
  /** `DRAFT` tasks run by hand, not by schedule; archived ones not at all. */
  status: "DRAFT" | "ACTIVE" | "ARCHIVED";
  inputExamples: (string)[];
  metadata: Record<string, unknown> | null;
  simulatedPromptSchema: Record<string, unknown> | null;
  topicId: string | null;
  quickstartId: string | null;
  isVerified: boolean;
  /** The evaluation definitions linked to it directly, in the order in which they were linked. */
  evalDefinitions: ({
    evalDefinition: EvaluationDefinition;
    config: {
      expected?: unknown;
    };
  })[];
  taskSchedule: TaskSchedule | null;
  /** The test that was started last, with its prompt cut short. */
  lastTest: ListedTest | null;
  /** In percent: the mean over its tests of the share of evals that passed. Of tests started by hand or by schedule in the last 30 days; one that failed by the fault of the app counts as 0, one that failed otherwise or was not judged does not count. Null when none counts. Lists show it, and all that follows, up to a second or so late. */
  passRate: number | null;
  /** In percent: the 95 % confidence interval of the pass rate (Wilson), each test one observation. */
  passRateInterval: {
    low: number;
    high: number;
  } | null;
  /** In percent: tests that failed, not by the fault of the app, among these and the tests that count. */
  errorRate: number | null;
  /** In percent: as the pass rate, of what was judged by monitoring in the last 30 days. */
  monitoringPassRate: number | null;
  /** The pass rate in whole percent with each test weighing half as much for every 7 days of its age. `HIGH` from 90, `MEDIUM` from 60. */
  health: {
    score: number;
    level: "HIGH" | "MEDIUM" | "LOW";
  } | null;
  /** How well the pass rate is known: the width of its interval, from 0 to 1. `HIGH` up to 0.15, `MEDIUM` up to 0.35. */
  confidence: {
    width: number;
    level: "HIGH" | "MEDIUM" | "LOW";
  } | null;
  /** How much scores (each normalised to 0 to 1) vary between tests of the same input example by the same version of a definition: their pooled standard deviation. `HIGH` up to 0.10, `MEDIUM` up to 0.25. Null when nothing was tested twice. */
  stability: {
    deviation: number;
    level: "HIGH" | "MEDIUM" | "LOW";
  } | null;
  /** Of tests that count, by input example; a test passes when all of its evals do. Only where the record is asked for alone, and something was tested twice. */
  repeats?: {
    /** Input examples that were tested twice or more. */
    groups: number;
    /** As many tests as each of these has, at most 8. */
    k: number;
    /** In percent: the chance that all of `k` tests of an input example pass. */
    passPowK: number;
    /** In percent: the chance that at least one of `k` tests of an input example passes. */
    passAtK: number;
    /** In percent: how many of the groups have tests that passed and tests that did not. */
    flakiness: number;
  };
};

export type TaskSchedule = {
  taskId: string;
  /** How often the task runs: `HIGH` daily, `MEDIUM` weekly, `LOW` every two weeks. */
  criticality: "HIGH" | "MEDIUM" | "LOW";
  cron: string | null;
  timezone: string;
  enabled: boolean;
  /** Null when it will not run: it, or its task, is not active. */
  nextRunAt: string | null;
  lastRunAt: string | null;
};

export type Test = {
  /** The test id: what spans carry as `service.test.id`. */
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  taskId: string;
  runId: string;
  runType: "MANUAL" | "SCHEDULED" | "EXPERIMENT" | "MONITORING";
  status: "PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED";
  phase: "queued" | "delivering" | "delivered" | "trace_received" | "evaluating" | "done";
  failure: {
    code: "webhook_not_configured" | "webhook_unreachable" | "webhook_blocked_address" | "webhook_timeout" | "webhook_status" | "delivery_unknown" | "trace_missing" | "evaluation_error" | "cancelled";
    message: string;
    /** What to do about it. */
    hint: string;
  } | null;
  /** In lists its first 300 characters. */
  prompt: string;
  /** Which input example of the task it was, from 0. */
  exampleIndex: number | null;
  experimentId: string | null;
  experimentVariantId: string | null;
  result: Result;
  /** Of the task when the test was started. */
  metadata: unknown;
  timeline: ({
    at: string;
    phase: "queued" | "delivering" | "delivered" | "trace_received" | "evaluating" | "done";
    detail: string;
  })[];
  /** Its traces, the earliest first; at most 100. */
  traceIds: (string)[];
  /** What went into the app, as its spans tell. */
  input: unknown;
  /** What came out of the app, as its spans tell. */
  output: unknown;
  inputSpanId: string | null;
  outputSpanId: string | null;
  /** The current ones, the earliest first; at most 200. `GET /v0/evals?testId=` has all. */
  evals: (Eval)[];
};

export type Topic = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  title: string;
  baseline: string | null;
  status: "DRAFT" | "ACTIVE" | "ARCHIVED";
  quickstartId: string | null;
  assignedTo: string | null;
  isTasksVerified: boolean;
  isDocumentsVerified: boolean;
  isKnowledgeBaseVerified: boolean;
  isPoliciesVerified: boolean;
  /** The evaluation definitions linked to it directly, in the order in which they were linked. */
  evalDefinitions: ({
    evalDefinition: EvaluationDefinition;
    config: {
      expected?: unknown;
    };
  })[];
};

export type Trace = {
  id: string;
  orgId: string;
  applicationId: string;
  /** When its first span was stored. */
  createdAt: string;
  modifiedAt: string;
  /** With all nine digits of the fraction where they say more than milliseconds. */
  timestamp: string;
  /** Native traces: the sender's id of the conversation. */
  referenceId?: string;
  testId: string | null;
  testIds: (string)[];
  /** The 32 hex digits of OpenTelemetry. */
  otelTraceId?: string;
  rootName: string;
  services: (string)[];
  environment: string | null;
  sessionId: string | null;
  userId: string | null;
  tags: (string)[];
  models: (string)[];
  /** Each call of a model counted once. */
  usage: Usage;
  /** In US dollars. */
  cost: number | null;
  /** Whether it was worked out from tokens and the price table. */
  costEstimated: boolean;
  durationMs: number;
  spanCount: number;
  /** Spans that failed. */
  errorCount: number;
  /** Version of the rules that mapped it. */
  ruleSet: number;
  metadata: unknown;
  input: unknown;
  output: unknown;
  /** The span that gave the input. */
  inputSpanId: string | null;
  /** The span that gave the output. */
  outputSpanId: string | null;
  /** What is odd about it: `replaced`, `unpaired`, `skew`, `redacted`, `dropped`, `oddTokens`, `sample`, and of a single trace also `orphans` and `cycle`. */
  flags: (string)[];
  /** At most 1000, those near the root first; `/spans` has all. */
  steps: (Step)[];
  stepsTruncated: boolean;
};

export type TraceEvent = {
  type: "trace";
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  testId?: string | null;
  traceId?: string | null;
  input?: string | Record<string, unknown> | (unknown)[] | null;
  output?: string | Record<string, unknown> | (unknown)[] | null;
  referenceId?: string | null;
  metadata?: Record<string, unknown> | null;
  steps?: (StepEvent)[] | null;
};

export type TriggerTasksBody = {
  taskIds: (string)[];
  /** Tests of each task. Its input examples are taken in turn. */
  repeat?: number;
};

export type UnlinkDefinitionsBody = {
  /** The evaluation definitions. */
  evalIds: (string)[];
  taskIds?: (string)[];
  topicIds?: (string)[];
};

export type UnlinkDefinitionsFromApplicationBody = {
  /** The evaluation definitions. */
  evalIds: (string)[];
};

export type UpdateAnnotationBody = {
  /** Whether the trace passes. */
  verdict?: boolean;
  /** What is good or bad about it, in 1 to 2048 characters. Of a trace that does not pass it is needed, with at least 20. */
  critique?: string | null;
};

export type UpdateAnnotationQueueBody = {
  title?: string;
  topicId?: string | null;
  /** Who is to judge: an identifier of a user. */
  assigneeId?: string | null;
};

export type UpdateApplicationBody = {
  title?: string;
  /** Default: made from the title. */
  slug?: string;
  description?: string;
  /** What the application does, for judges to know. */
  context?: string;
  /** Language tag, such as `en` or `pt-BR`. */
  language?: string;
  type?: "CHATBOT" | "AGENT";
  environment?: "DEV" | "PROD";
  humanAnnotationEnabled?: boolean;
};

export type UpdateDefinitionBody = {
  name?: string;
  /** How it judges. */
  type?: "NATURALNESS" | "STYLE" | "RECALL" | "FACT" | "CUSTOM" | "OUTPUT_MATCH" | "ASSERT";
  /** Only `ACTIVE` ones judge. `ARCHIVED` is final: results refer to it, and nothing else does. */
  status?: "DRAFT" | "ACTIVE" | "ARCHIVED";
  /** What it judges by. With any type: `criterion` (text), `judge` (the name of one of the judges in the settings; the default one where it is left out) and `monitoring` `{ sampleRate }` (0 to 1: the share of traces without a test that are judged). Keys that have no meaning are kept. `FACT`: `groundTruth` (text), for tests whose link has no `expected`. `CUSTOM`: `criterion`, required. `OUTPUT_MATCH`: `type` (`string` or `list`, required), `extract` `{ pattern, flags, group }` (a regular expression, some of the flags `gimsu`, 0 to 99), `matchMode` (`exact_unordered` or `contains`), `scoreMetric` (`f1`, `precision` or `recall`), `passThreshold` (0 to 1), `ignoreCase`. `ASSERT`: `assertions` (1 to 100 of `{ type, value, threshold, weight, not }`, required), `threshold` (0 to 1; none: all of them must hold). */
  globalConfig?: Record<string, unknown>;
  /** The style guide to judge by; required with `STYLE`. */
  styleGuideId?: string | null;
  /** How often a judge model is asked; the majority of its answers counts. */
  repeats?: 1 | 3 | 5 | 7 | 9;
  /** Set when a failure of it may stop a release. `OUTPUT_MATCH` and `ASSERT` may always be gates, the others once `GET /v0/definitions/{id}/reliability` tells a kappa of at least `minKappa`. A new version of these others is none until it is set again. */
  gate?: {
    /** Cohen’s kappa with people, 0 to 1, that the current version has to have reached. */
    minKappa: number;
  } | null;
};

export type UpdateDocumentBody = {
  /** Null takes it out of its topic. */
  topicId?: string | null;
  assignee?: string | null;
  isVerified?: boolean;
  /** Of the document as a whole: only what is `ACTIVE` is answered in chunks. */
  status?: "DRAFT" | "ACTIVE";
};

export type UpdateDocumentVersionBody = {
  /** `DRAFT` to `REVIEW`, from there back or to `APPROVED`; approving one archives the one approved before. */
  status?: "DRAFT" | "REVIEW" | "APPROVED" | "ARCHIVED";
  content?: string;
  title?: string;
  language?: string;
  metadata?: Record<string, unknown>;
};

export type UpdateExperimentBody = {
  title?: string;
  description?: string;
  /** The steps whose settings its variants may change. Empty: any step. */
  inferenceStepIds?: (string)[];
  /** The tasks that each variant is tested with. */
  taskIds?: (string)[];
  /** Who takes care of it: an identifier of a user. */
  assignee?: string | null;
  /** `COMPLETED` or `ARCHIVED`, or what it is; all others follow from the variants. */
  status?: "DRAFT" | "BASELINE_PENDING" | "BASELINE_RUNNING" | "BASELINE_COMPLETED" | "BASELINE_FAILED" | "VARIANT_RUNNING" | "IDLE" | "COMPLETED" | "ARCHIVED";
};

export type UpdateMemberBody = {
  /** `viewer` reads, `annotator` also gives verdicts, `editor` also changes everything else, `admin` also manages the application, its members and keys. */
  role: "viewer" | "annotator" | "editor" | "admin";
};

export type UpdateQuickstartBody = {
  name?: string;
  /** Confirming the style scores approves all its sections. */
  styleGuideId?: string | null;
  /** The next review, or the one before. */
  status?: "UPLOADING" | "PROCESSING" | "TASKS_TOPICS_REVIEW" | "KNOWLEDGE_BASE_REVIEW" | "POLICIES_REVIEW" | "STYLE_REVIEW" | "COMPLETING" | "COMPLETE" | "FAILED";
};

export type UpdateStyleGuideBody = {
  /** How answers are to sound, section by section. */
  content?: ({
    heading: string;
    content: string;
    /** Whether a person has agreed to it. */
    approved?: boolean;
  })[];
};

export type UpdateTagBody = {
  name?: string;
  /** Hex color code. */
  color?: string;
  description?: string | null;
  status?: "ACTIVE" | "ARCHIVED";
};

export type UpdateTaskBody = {
  title?: string;
  description?: string;
  /** `STATIC`: the input examples in turn are the prompts. `NORMAL`: prompts are written from the description and the examples. */
  type?: "STATIC" | "NORMAL";
  /** `DRAFT` tasks run by hand, not by schedule; archived ones not at all. */
  status?: "DRAFT" | "ACTIVE" | "ARCHIVED";
  /** Prompts, which the tests of a run take in turn. */
  inputExamples?: (string)[];
  /** Sent along with each test. */
  metadata?: Record<string, unknown> | null;
  /** JSON Schema of the prompts, when these are objects: each example is the JSON text of one. */
  simulatedPromptSchema?: Record<string, unknown> | null;
  topicId?: string | null;
  isVerified?: boolean;
  /** Takes the place of all that were linked to it directly. */
  evalDefinitions?: ({
    evalDefinitionId: string;
    config?: {
      /** What the right output is, for definitions that compare. */
      expected?: unknown;
    };
  })[];
};

export type UpdateTopicBody = {
  title?: string;
  baseline?: string | null;
  status?: "DRAFT" | "ACTIVE" | "ARCHIVED";
  /** Who takes care of it: an identifier of a user. */
  assignedTo?: string | null;
  isTasksVerified?: boolean;
  isDocumentsVerified?: boolean;
  isKnowledgeBaseVerified?: boolean;
  isPoliciesVerified?: boolean;
  /** Takes the place of all that were linked to it directly. */
  evalDefinitions?: ({
    evalDefinitionId: string;
    config?: {
      /** What the right output is, for definitions that compare. */
      expected?: unknown;
    };
  })[];
};

export type UpdateVariantBody = {
  title?: string;
  description?: string | null;
  /** Step → parameter → value, over the settings of the parent: of each step the parameters named here, whole. */
  configPatch?: Record<string, Record<string, unknown>>;
  parentId?: string | null;
  /** `DRAFT`, `PENDING` or `REJECTED`, or what it is; all others follow from the tests. */
  status?: "DRAFT" | "PENDING" | "RUNNING" | "COMPLETED" | "FAILED" | "REJECTED";
};

export type Usage = {
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  reasoningTokens: number;
};

export type ValidateWebhookBody = {
  /** The header `x-service-signature`. */
  signature: string;
  /** The header `x-service-timestamp`: Unix milliseconds; a number or its text. */
  timestamp: number;
  /** The body of the webhook as it came. */
  body: {
    [name: string]: unknown;
  };
};

export type ValidationErrorResponse = {
  message: string;
  issues: ({
    code: string;
    message: string;
    path: (string)[];
  })[];
};

export type Variant = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  experimentId: string;
  title: string;
  description: string | null;
  /** Follows from its tests, except for `DRAFT`, `PENDING` and `REJECTED`. */
  status: "DRAFT" | "PENDING" | "RUNNING" | "COMPLETED" | "FAILED" | "REJECTED";
  /** What it changes of the settings of its parent: step → parameter → value. */
  configPatch: Record<string, Record<string, unknown>>;
  /** Its settings together with those of all its parents: what its tests are sent. */
  config: Record<string, Record<string, unknown>>;
  /** Null: it is the baseline. */
  parentId: string | null;
  /** Of all its tests. */
  result: Result;
  /** How far its tests are. */
  progress: {
    /** Tests that are over, however they ended. */
    completed: number;
    total: number;
  };
};

export type Webhook = {
  id: string;
  orgId: string;
  applicationId: string;
  url: string;
  /** The configured headers; their values are hidden. */
  headers: Record<string, "***">;
  /** How long the app may take to answer, in milliseconds. */
  timeoutMs: number;
  enabled: boolean;
  createdAt: string;
  modifiedAt: string;
  /** Signs the deliveries. Only in the answer that makes it. */
  webhookSecret?: string;
};

type BadRequestAnswer = { headers: Record<string, unknown>; content: { 'application/json': ErrorResponse } };
type UnauthorizedAnswer = { headers: Record<string, unknown>; content: { 'application/json': ErrorResponse } };
type ForbiddenAnswer = { headers: Record<string, unknown>; content: { 'application/json': ErrorResponse } };
type NotFoundAnswer = { headers: Record<string, unknown>; content: { 'application/json': ErrorResponse } };
type ConflictAnswer = { headers: Record<string, unknown>; content: { 'application/json': ErrorResponse } };
type TooLargeAnswer = { headers: Record<string, unknown>; content: { 'application/json': ErrorResponse } };
type UnsupportedMediaTypeAnswer = { headers: Record<string, unknown>; content: { 'application/json': ErrorResponse } };
type MisdirectedAnswer = { headers: Record<string, unknown>; content: { 'application/json': ErrorResponse } };
type InvalidAnswer = { headers: Record<string, unknown>; content: { 'application/json': ValidationErrorResponse } };
type RateLimitedAnswer = { headers: Record<string, unknown>; content: { 'application/json': ErrorResponse } };
type InternalAnswer = { headers: Record<string, unknown>; content: { 'application/json': ErrorResponse } };
type UnavailableAnswer = { headers: Record<string, unknown>; content: { 'application/json': ErrorResponse } };
type RequestTimeoutAnswer = { headers: Record<string, unknown>; content: { 'application/json': ErrorResponse } };
type HeadersTooLargeAnswer = { headers: Record<string, unknown>; content: { 'application/json': ErrorResponse } };

export interface paths {
  '/healthz': {
    get: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          status: "ok";
        } } };
        400: BadRequestAnswer;
        408: RequestTimeoutAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
      };
    };
  };
  '/metrics': {
    get: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'text/plain': string } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/readyz': {
    get: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          status: "ok";
        } } };
        400: BadRequestAnswer;
        408: RequestTimeoutAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/api-keys': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateApiKeyBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: CreatedApiKey;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    get: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (ListedApiKey)[];
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/api-keys/{id}': {
    delete: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        204: { headers: Record<string, unknown>; content?: never };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/applications': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateApplicationBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Application;
          apiKey: CreatedApiKey;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "title" | "id"; orderDir?: "asc" | "desc" }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Application)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/applications/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Application;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    put: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': UpdateApplicationBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Application;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/applications/{id}/invitations': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateInvitationBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Invitation;
          /** The link to give to the invited person. It is shown only in this response. */
          link: string;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Invitation)[];
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/applications/{id}/invitations/{invitationId}': {
    delete: {
      parameters: { path: { id: string; invitationId: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        204: { headers: Record<string, unknown>; content?: never };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/applications/{id}/members': {
    get: {
      parameters: { path: { id: string }; query?: { skip?: number; limit?: number }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Member)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/applications/{id}/members/{userId}': {
    put: {
      parameters: { path: { id: string; userId: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': UpdateMemberBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Member;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    delete: {
      parameters: { path: { id: string; userId: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        204: { headers: Record<string, unknown>; content?: never };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/audit': {
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt"; orderDir?: "asc" | "desc"; actorId?: (string)[]; action?: (string)[]; startDate?: string; endDate?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (AuditEntry)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/definitions': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateDefinitionBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: EvaluationDefinition;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "name" | "type" | "id"; orderDir?: "asc" | "desc"; taskId?: (string)[]; traceId?: (string)[]; quickstartId?: (string)[]; definitionStatus?: ("DRAFT" | "ACTIVE" | "ARCHIVED")[]; status?: ("PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "SKIPPED")[]; type?: (string)[]; scopeType?: "topic" | "application"; topicId?: (string)[] }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (EvaluationDefinition)[];
          pagination: {
            skip: number;
            limit: number;
            total: number;
            totalPages: number;
            /** The same as `total`. */
            totalCount: number;
          };
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/definitions/link': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': LinkDefinitionsBody } };
      responses: {
        204: { headers: Record<string, unknown>; content?: never };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/definitions/link-application': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': LinkDefinitionsToApplicationBody } };
      responses: {
        204: { headers: Record<string, unknown>; content?: never };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/definitions/unlink': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': UnlinkDefinitionsBody } };
      responses: {
        204: { headers: Record<string, unknown>; content?: never };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/definitions/unlink-application': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': UnlinkDefinitionsFromApplicationBody } };
      responses: {
        204: { headers: Record<string, unknown>; content?: never };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/definitions/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: EvaluationDefinition;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    put: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': UpdateDefinitionBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: EvaluationDefinition;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    delete: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        204: { headers: Record<string, unknown>; content?: never };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/definitions/{id}/reliability': {
    get: {
      parameters: { path: { id: string }; query?: { version?: number }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Reliability;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/documents': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateDocumentBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          document: Document;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "title" | "type" | "status" | "id"; orderDir?: "asc" | "desc"; type?: ("KNOWLEDGE" | "POLICY")[]; topicId?: (string)[]; quickstartId?: (string)[]; status?: ("DRAFT" | "ACTIVE")[]; assignee?: (string)[]; isVerified?: boolean; search?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (ListedDocument)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/documents/chunked': {
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; type?: ("KNOWLEDGE" | "POLICY")[]; topicId?: (string)[]; quickstartId?: (string)[]; documentId?: (string)[] }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (DocumentChunk)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/documents/count-by-assignee': {
    get: {
      parameters: { path?: never; query?: { type?: "KNOWLEDGE" | "POLICY"; status?: "DRAFT" | "ACTIVE" }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (AssigneeCount)[];
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/documents/upload': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'multipart/form-data': {
          /** `KNOWLEDGE`: facts; `POLICY`: rules that outputs must follow. */
          type: "KNOWLEDGE" | "POLICY";
          topicId?: string | null;
          quickstartId?: string | null;
          assignee?: string | null;
          /** Of text and Markdown. Default: the first heading, else the name of the file. */
          title?: string;
          /** Its name ends in .csv, .txt, .md, .markdown. */
          file: Blob;
        } } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: DocumentUploadReport;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/documents/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          document: Document;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    put: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': UpdateDocumentBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          document: Document;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    delete: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        204: { headers: Record<string, unknown>; content?: never };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/documents/{id}/versions': {
    get: {
      parameters: { path: { id: string }; query?: { skip?: number; limit?: number; orderBy?: "versionNumber"; orderDir?: "asc" | "desc" }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (ListedDocumentVersion)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateDocumentVersionBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: DocumentVersion;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/documents/{id}/versions/{n}': {
    get: {
      parameters: { path: { id: string; n: number }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: DocumentVersion;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    put: {
      parameters: { path: { id: string; n: number }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': UpdateDocumentVersionBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: DocumentVersion;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/evals': {
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "status" | "id"; orderDir?: "asc" | "desc"; taskId?: (string)[]; testId?: (string)[]; traceId?: (string)[]; runId?: (string)[]; evalDefinitionId?: (string)[]; type?: (string)[]; status?: ("PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "SKIPPED")[]; passed?: boolean; superseded?: boolean }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (ListedEval)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/evals/costs': {
    get: {
      parameters: { path?: never; query?: { groupBy?: "day" | "definition"; startDate?: string; endDate?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: ({
            /** `2026-03-31`; null when grouped by definition. */
            day: string | null;
            /** Null when grouped by day. */
            evalDefinitionId: string | null;
            /** Of the definition. */
            name: string | null;
            /** Evals that a judge model was asked for, superseded ones too. */
            evals: number;
            inputTokens: number;
            outputTokens: number;
            /** In US dollars, of the evals whose model has a known price; null when none has. */
            cost: number | null;
            /** Evals whose cost is not known, and not in `cost`. */
            unpricedEvals: number;
          })[];
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/evals/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Eval;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/experiments': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateExperimentBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Experiment;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "title" | "status" | "assignee" | "id"; orderDir?: "asc" | "desc"; status?: ("DRAFT" | "BASELINE_PENDING" | "BASELINE_RUNNING" | "BASELINE_COMPLETED" | "BASELINE_FAILED" | "VARIANT_RUNNING" | "IDLE" | "COMPLETED" | "ARCHIVED")[]; excludeStatus?: ("DRAFT" | "BASELINE_PENDING" | "BASELINE_RUNNING" | "BASELINE_COMPLETED" | "BASELINE_FAILED" | "VARIANT_RUNNING" | "IDLE" | "COMPLETED" | "ARCHIVED")[] }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Experiment)[];
          pagination: {
            skip: number;
            limit: number;
            total: number;
            totalPages: number;
            /** The same as `total`. */
            totalCount: number;
          };
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/experiments/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Experiment;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    put: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': UpdateExperimentBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Experiment;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/experiments/{id}/variants': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateVariantBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Variant;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    get: {
      parameters: { path: { id: string }; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "title" | "status" | "id"; orderDir?: "asc" | "desc" }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Variant)[];
          pagination: {
            skip: number;
            limit: number;
            total: number;
            totalPages: number;
            /** The same as `total`. */
            totalCount: number;
          };
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/experiments/{id}/variants/{variantId}': {
    get: {
      parameters: { path: { id: string; variantId: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Variant;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    put: {
      parameters: { path: { id: string; variantId: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': UpdateVariantBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Variant;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/experiments/{id}/variants/{variantId}/run': {
    post: {
      parameters: { path: { id: string; variantId: string }; query?: never; header?: never; };
      requestBody?: { content: { 'application/json': RunVariantBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Variant;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/human-annotation-queue-items': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateQueueItemBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: QueueItem;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "completedAt" | "expiresAt" | "traceId" | "id"; orderDir?: "asc" | "desc"; queueId?: (string)[]; completion?: ("PENDING" | "COMPLETED" | "EXPIRED" | "ACTIVE")[]; traceId?: (string)[] }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (QueueItem)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/human-annotation-queue-items/draw': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': DrawQueueItemsBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (QueueItem)[];
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/human-annotation-queue-items/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: QueueItem;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/human-annotation-queues': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateAnnotationQueueBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: AnnotationQueue;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "title" | "id"; orderDir?: "asc" | "desc" }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (AnnotationQueue)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/human-annotation-queues/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: AnnotationQueue;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    put: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': UpdateAnnotationQueueBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: AnnotationQueue;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/human-annotations': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateAnnotationBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: HumanAnnotation;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "id"; orderDir?: "asc" | "desc"; traceId?: (string)[]; verdict?: boolean; annotatorId?: (string)[]; source?: ("REVIEW_QUEUE" | "TRACE_PAGE" | "TEST_PAGE")[]; queueItemId?: (string)[]; startDate?: string; endDate?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (HumanAnnotation)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/human-annotations/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: HumanAnnotation;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    put: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': UpdateAnnotationBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: HumanAnnotation;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    delete: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        204: { headers: Record<string, unknown>; content?: never };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/inference-steps': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateInferenceStepBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: InferenceStep;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "title" | "type" | "externalId" | "id"; orderDir?: "asc" | "desc" }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (InferenceStep)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/inference-steps/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: InferenceStep;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/ingest': {
    post: {
      parameters: { path?: never; query?: never; header?: { 'idempotency-key'?: string }; };
      requestBody: { content: { 'application/json': IngestEventsBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          /** One entry per event. */
          data: ({
            success: true;
            /** Id of the trace, for `trace` events. */
            id?: string;
          } | {
            success: false;
            error: string;
          })[];
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        422: InvalidAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/ingest/ledger': {
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; keyId?: string; startDate?: string; endDate?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: ({
            /** Beginning of the hour. */
            hour: string;
            /** The key the requests came with. */
            keyId: string;
            requests: number;
            /** Spans, or native events; = stored + duplicate + replaced + rejected. */
            received: number;
            stored: number;
            /** The same span again. */
            duplicate: number;
            /** Another version of a span. */
            replaced: number;
            rejected: number;
            /** Why spans were rejected. */
            reasons: Record<string, number>;
            /** What else was seen: test ids that are no uuid, log records (kept, again, dropped, rejected), requests refused whole. */
            notices: Record<string, number>;
          })[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/ingest/ledger/rejected': {
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Rejection)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/ingest/lookup': {
    get: {
      parameters: { path?: never; query: { traceId: string; spanId?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: {
            traceId: string;
            spanId: string | null;
            stored: boolean;
            traceSpanCount: number;
            traceUpdatedAt: string | null;
            deletedAt: string | null;
            /** The newest refusals under this trace id. */
            rejections: (Rejection)[];
          };
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/login': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': SignInBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': Login } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    get: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': Login } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    delete: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        204: { headers: Record<string, unknown>; content?: never };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/login/invitation': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': AcceptInvitationBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': Login } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/login/password': {
    put: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': ChangePasswordBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': Login } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/login/setup': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': SetUpAccountBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': Login } };
        400: BadRequestAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/otel/traces': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': Record<string, unknown>; 'application/x-protobuf': Blob } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          partialSuccess?: {
            /** An integer. */
            rejectedSpans?: string;
            errorMessage?: string;
          };
        }; 'application/x-protobuf': Blob } };
        400: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        401: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        403: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        408: RequestTimeoutAnswer;
        413: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        415: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        431: HeadersTooLargeAnswer;
        500: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        503: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
      };
    };
  };
  '/v0/otel/v1/traces': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': Record<string, unknown>; 'application/x-protobuf': Blob } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          partialSuccess?: {
            /** An integer. */
            rejectedSpans?: string;
            errorMessage?: string;
          };
        }; 'application/x-protobuf': Blob } };
        400: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        401: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        403: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        408: RequestTimeoutAnswer;
        413: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        415: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        431: HeadersTooLargeAnswer;
        500: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        503: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
      };
    };
  };
  '/v0/quickstarts': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateQuickstartBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Quickstart;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "name" | "status" | "id"; orderDir?: "asc" | "desc"; status?: ("UPLOADING" | "PROCESSING" | "TASKS_TOPICS_REVIEW" | "KNOWLEDGE_BASE_REVIEW" | "POLICIES_REVIEW" | "STYLE_REVIEW" | "COMPLETING" | "COMPLETE" | "FAILED")[] }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (ListedQuickstart)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/quickstarts/confirm-style-scores': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': ConfirmStyleScoresBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: {
            quickstartId: string;
            applicationId: string;
          };
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/quickstarts/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Quickstart;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    put: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': UpdateQuickstartBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Quickstart;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/quickstarts/{id}/conversations': {
    get: {
      parameters: { path: { id: string }; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "id"; orderDir?: "asc" | "desc"; taskId?: (string)[] }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Conversation)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/quickstarts/{id}/policy-counts': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: PolicyCounts;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/reporting/datasources': {
    get: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Datasource)[];
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/reporting/datasources/{id}/columns': {
    get: {
      parameters: { path: { id: "task" | "test" | "eval" | "topic" | "tag" | "human_annotation" }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Column)[];
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/reporting/datasources/{id}/columns/{columnId}/values': {
    get: {
      parameters: { path: { id: "task" | "test" | "eval" | "topic" | "tag" | "human_annotation"; columnId: string }; query?: { search?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (ColumnValue)[];
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/reporting/query': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': QueryReportBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': Report } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/runs': {
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "type" | "id"; orderDir?: "asc" | "desc"; taskId?: (string)[]; type?: ("MANUAL" | "SCHEDULED" | "EXPERIMENT" | "MONITORING")[]; startDate?: string; endDate?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Run)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/runs/compare': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CompareRunsBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: RunComparison;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/runs/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          run: Run;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/runs/{id}/evaluate': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: { content: { 'application/json': EvaluateRunBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: {
            /** Tests that were looked at. */
            tests: number;
            /** Evals that are made anew, or for the first time. */
            evals: number;
          };
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/scrape-jobs': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateScrapeJobBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: ScrapeJob;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "name" | "status" | "id"; orderDir?: "asc" | "desc"; status?: ("MAPPING" | "PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED")[]; quickstartId?: (string)[] }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (ScrapeJob)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/scrape-jobs/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: ScrapeJob;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/scrape-jobs/{id}/cancel': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: ScrapeJob;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/sessions': {
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "lastAt" | "firstAt"; orderDir?: "asc" | "desc"; userId?: (string)[]; search?: string; startDate?: string; endDate?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Session)[];
          pagination: CountedPagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/sessions/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: {
            id: string;
            orgId: string;
            applicationId: string;
            /** At most 20. */
            userIds: (string)[];
            traceCount: number;
            /** When its first trace began. */
            firstAt: string;
            /** When its last trace began. */
            lastAt: string;
            /** From the beginning of the first trace to the last end. */
            durationMs: number;
            usage: {
              promptTokens: number;
              completionTokens: number;
              totalTokens: number;
            };
            /** In US dollars. */
            cost: number | null;
            /** Traces with an error. */
            errorCount: number;
            /** At most 64. */
            models: (string)[];
            /** Of its first trace. */
            input: string | null;
            /** Of its last trace. */
            output: string | null;
            /** At most 20. */
            testIds: (string)[];
            /** In order of time, at most 1000. */
            traces: (ListedTrace)[];
            tracesTruncated: boolean;
          };
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/style-guides': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateStyleGuideBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: StyleGuide;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "id"; orderDir?: "asc" | "desc"; quickstartId?: (string)[] }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (StyleGuide)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/style-guides/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: StyleGuide;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    put: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': UpdateStyleGuideBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: StyleGuide;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/tags': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateTagBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Tag;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "name" | "status" | "id"; orderDir?: "asc" | "desc"; status?: ("ACTIVE" | "ARCHIVED")[] }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Tag)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/tags/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Tag;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    put: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': UpdateTagBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Tag;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    delete: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        204: { headers: Record<string, unknown>; content?: never };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/tasks': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateTaskBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          task: Task;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "title" | "type" | "status" | "id"; orderDir?: "asc" | "desc"; topicId?: (string)[]; tagId?: (string)[]; search?: string; scheduleCriticality?: ("HIGH" | "MEDIUM" | "LOW")[]; evalDefinitionId?: (string)[]; taskStatus?: ("DRAFT" | "ACTIVE" | "ARCHIVED")[]; status?: ("success" | "warning" | "error" | "no-tests")[]; confidence?: ("HIGH" | "MEDIUM" | "LOW")[]; stability?: ("HIGH" | "MEDIUM" | "LOW")[]; healthScore?: ("HIGH" | "MEDIUM" | "LOW")[] }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Task)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/tasks/ids': {
    get: {
      parameters: { path?: never; query?: { topicId?: (string)[]; tagId?: (string)[]; search?: string; scheduleCriticality?: ("HIGH" | "MEDIUM" | "LOW")[]; evalDefinitionId?: (string)[]; taskStatus?: ("DRAFT" | "ACTIVE" | "ARCHIVED")[]; status?: ("success" | "warning" | "error" | "no-tests")[]; confidence?: ("HIGH" | "MEDIUM" | "LOW")[]; stability?: ("HIGH" | "MEDIUM" | "LOW")[]; healthScore?: ("HIGH" | "MEDIUM" | "LOW")[] }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          taskIds: (string)[];
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/tasks/tags': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': ChangeTaskTagsBody } };
      responses: {
        204: { headers: Record<string, unknown>; content?: never };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/tasks/trigger': {
    post: {
      parameters: { path?: never; query?: never; header?: { prefer?: string }; };
      requestBody: { content: { 'application/json': TriggerTasksBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (StartedRun)[];
        } } };
        204: { headers: Record<string, unknown>; content?: never };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/tasks/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          task: Task;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    put: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': UpdateTaskBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          task: Task;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    delete: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        204: { headers: Record<string, unknown>; content?: never };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/tasks/{id}/evaluate': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: { content: { 'application/json': EvaluateTaskBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: {
            /** Tests that were looked at. */
            tests: number;
            /** Evals that are made anew, or for the first time. */
            evals: number;
          };
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/tasks/{id}/schedule': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': TaskSchedule } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    put: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': PutTaskScheduleBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': TaskSchedule } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    delete: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        204: { headers: Record<string, unknown>; content?: never };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/tasks/{id}/tags': {
    get: {
      parameters: { path: { id: string }; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "name" | "status" | "id"; orderDir?: "asc" | "desc" }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Tag)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/tests': {
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "id"; orderDir?: "asc" | "desc"; taskId?: (string)[]; runId?: (string)[]; status?: ("PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED")[]; phase?: ("queued" | "delivering" | "delivered" | "trace_received" | "evaluating" | "done")[]; runType?: ("MANUAL" | "SCHEDULED" | "EXPERIMENT" | "MONITORING")[]; evalDefinitionId?: (string)[]; experimentVariantId?: (string)[]; startDate?: string; endDate?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (ListedTest)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/tests/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          test: Test;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/tests/{id}/cancel': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          test: Test;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/tests/{id}/evaluate': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: { content: { 'application/json': EvaluateTestBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: {
            /** Tests that were looked at. */
            tests: number;
            /** Evals that are made anew, or for the first time. */
            evals: number;
          };
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/tests/{id}/stream': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'text/event-stream': string } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/topics': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateTopicBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Topic;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "title" | "status" | "id"; orderDir?: "asc" | "desc"; status?: ("DRAFT" | "ACTIVE" | "ARCHIVED")[] }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Topic)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/topics/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Topic;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    put: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': UpdateTopicBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Topic;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/topics/{id}/archive': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: { content: { 'application/json': ArchiveTopicBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Topic;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/traces': {
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "timestamp"; orderDir?: "asc" | "desc"; testId?: (string)[]; sessionId?: (string)[]; userId?: (string)[]; model?: (string)[]; kind?: ("LLM" | "EMBEDDING" | "TOOL" | "RETRIEVER" | "RERANKER" | "AGENT" | "CHAIN" | "GUARDRAIL" | "EVALUATOR")[]; tag?: (string)[]; environment?: (string)[]; provider?: (string)[]; metadataKey?: string; metadataValue?: string; includeSamples?: boolean; hasErrors?: boolean; minDurationMs?: number; maxDurationMs?: number; minCost?: number; maxCost?: number; minTokens?: number; maxTokens?: number; search?: string; startDate?: string; endDate?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (ListedTrace)[];
          pagination: CountedPagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/traces/by-test/{testId}': {
    get: {
      parameters: { path: { testId: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Trace;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/traces/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Trace;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    delete: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        204: { headers: Record<string, unknown>; content?: never };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/traces/{id}/span-index': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: { 'if-none-match'?: string }; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/vnd.touchstone.span-index': Blob } };
        304: { headers: Record<string, unknown>; content?: never };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/traces/{id}/spans': {
    get: {
      parameters: { path: { id: string }; query?: { subtree?: string; spanId?: (string)[]; include?: "payload"; skip?: number; limit?: number }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Span)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/traces/{id}/spans/{spanId}': {
    get: {
      parameters: { path: { id: string; spanId: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: SpanDetail;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/traces/{id}/spans/{spanId}/media/{index}': {
    get: {
      parameters: { path: { id: string; spanId: string; index: number }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/octet-stream': Blob } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/validate-webhook': {
    post: {
      parameters: { path?: never; query?: never; header?: { 'x-explain'?: string }; };
      requestBody: { content: { 'application/json': ValidateWebhookBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          valid: boolean;
          /** Why it is not valid. Only with the header `x-explain: true` and the scope `admin`. */
          reason?: "stale" | "other_secret" | "body_changed" | "malformed";
          /** With `body_changed`: JSON pointer of the first difference within the body. */
          pointer?: string;
          /** With `malformed`: what is wrong, for people. */
          detail?: string;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/webhook': {
    get: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Webhook;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': SaveWebhookBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Webhook;
        } } };
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Webhook;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    delete: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        204: { headers: Record<string, unknown>; content?: never };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/webhook/deliveries': {
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "sentAt" | "testId" | "attempt" | "id"; orderDir?: "asc" | "desc"; testId?: (string)[]; outcome?: ("answered" | "not_sent" | "timeout" | "lost" | "cancelled" | "unknown")[]; isSample?: boolean }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (ListedDelivery)[];
          pagination: Pagination;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/webhook/deliveries/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Delivery;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/webhook/deliveries/{id}/replay': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Delivery;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/webhook/listen': {
    get: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'text/event-stream': string } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/webhook/listen/{deliveryId}': {
    post: {
      parameters: { path: { deliveryId: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': AnswerDeliveryBody } };
      responses: {
        204: { headers: Record<string, unknown>; content?: never };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/webhook/rotate-secret': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Webhook;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v0/webhook/test': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          /** Whether the app answered 200. */
          success: boolean;
          /** HTTP status of the answer; 0 when there was none. */
          statusCode: number;
          /** What went wrong, and what helps. */
          error?: string;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v1/logs': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': Record<string, unknown>; 'application/x-protobuf': Blob } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          partialSuccess?: {
            /** An integer. */
            rejectedLogRecords?: string;
            errorMessage?: string;
          };
        }; 'application/x-protobuf': Blob } };
        400: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        401: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        403: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        408: RequestTimeoutAnswer;
        413: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        415: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        431: HeadersTooLargeAnswer;
        500: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        503: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
      };
    };
  };
  '/v1/metrics': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': Record<string, unknown>; 'application/x-protobuf': Blob } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          partialSuccess?: {
            /** An integer. */
            rejectedDataPoints?: string;
            errorMessage?: string;
          };
        }; 'application/x-protobuf': Blob } };
        400: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        401: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        403: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        408: RequestTimeoutAnswer;
        413: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        415: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        431: HeadersTooLargeAnswer;
        500: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        503: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
      };
    };
  };
  '/v1/quickstarts/uploads': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'multipart/form-data': {
          quickstartId: string;
          /** `conversations` become topics and tasks, `knowledge_base` and `policy` become documents; all of them drafts. */
          materialType?: "conversations" | "knowledge_base" | "policy";
          /** Its name ends in .csv. */
          file: Blob;
        } } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: QuickstartUpload;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        413: TooLargeAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
    get: {
      parameters: { path?: never; query?: { quickstartId?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (QuickstartUpload)[];
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v1/quickstarts/uploads/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: QuickstartUploadWithReport;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        415: UnsupportedMediaTypeAnswer;
        421: MisdirectedAnswer;
        422: InvalidAnswer;
        429: RateLimitedAnswer;
        431: HeadersTooLargeAnswer;
        500: InternalAnswer;
        503: UnavailableAnswer;
      };
    };
  };
  '/v1/traces': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': Record<string, unknown>; 'application/x-protobuf': Blob } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          partialSuccess?: {
            /** An integer. */
            rejectedSpans?: string;
            errorMessage?: string;
          };
        }; 'application/x-protobuf': Blob } };
        400: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        401: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        403: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        408: RequestTimeoutAnswer;
        413: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        415: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        431: HeadersTooLargeAnswer;
        500: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
        503: { headers: Record<string, unknown>; content: { 'application/json': RpcStatus; 'application/x-protobuf': Blob } };
      };
    };
  };
}

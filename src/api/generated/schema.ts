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

export type AgentEvent = {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  /** An object, or a text with the JSON of one. Anything else is kept as the field `metadata`. */
  metadata?: Record<string, unknown> | (unknown)[] | string;
  /** Milliseconds. The `timestamp` of an `llm` end is its end, of all others the start. */
  durationMs?: number;
  /** Time of the end, in the forms of `timestamp`. */
  endTime?: string;
  /** `success`, `error`, `timeout` or `pending`. */
  status?: string;
  /** Status code. */
  statusCode?: string | number;
  /** Message of the error, which makes the step a failed one unless its `status` is `success`. */
  error?: string;
  /** Cost in US dollars. */
  costAmount?: number;
  input?: string | Record<string, unknown> | (unknown)[] | null;
  output?: string | Record<string, unknown> | (unknown)[] | null;
  type: "agent";
};

export type AgreementStep = {
  definitionId: string;
  /** What is missing until the definition is blocking. `NONE`: nothing. `SET_GATE`: a required agreement. `JUDGE`: a first verdict. `MEASURE`: verdicts of this version on what people have judged. `SAMPLE`: tests and traces drawn at random. `REVIEW`: verdicts of people on those. */
  step: "NONE" | "SET_GATE" | "JUDGE" | "MEASURE" | "SAMPLE" | "REVIEW";
  /** Number of verdicts, samples or reviews that are missing. */
  count: number;
  /** Queue to draw into, or to review; null if there is none yet. */
  queueId: string | null;
  /** Number of drawn tests and traces that no one has judged. */
  pending: number;
  reason: string;
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
  /** Number of people who judge each item. */
  reviewsPerItem: number;
  /** True if reviewers see no verdict on the trace of an item before it is settled: all routes then answer `withheld: true` to them. Until ten minutes after it, a review can be undone, and verdicts stay withheld. */
  isBlind: boolean;
  /** What reviewers judge by; empty for a single verdict on the trace. */
  criteria: ({
    /** Identifier of the criterion within the queue. */
    id: string;
    name: string;
    description: string;
    /** Evaluator that verdicts by this criterion verify; null for none. */
    evalDefinitionId: string | null;
  })[];
  /** Users or API keys who may review; empty for all who may annotate. */
  reviewerIds: (string)[];
  /** The same people, with their names. */
  reviewers: ({
    id: string;
    /** Name of the user with this id; null if there is none. */
    name: string | null;
  })[];
  /** Documents that are shown beside each item. */
  documentIds: (string)[];
  /** What becomes of an item on which reviewers differ. `THIRD`: one more person judges it, without seeing the other verdicts. `MAJORITY`: the majority counts. `NONE`: nothing. */
  disagreement: "THIRD" | "MAJORITY" | "NONE";
  /** Time by which the reviews are due. */
  dueAt: string | null;
  /** Number of items that are neither completed nor expired. */
  pendingCount: number;
  /** Number of completed items. */
  completedCount: number;
  progress: {
    /** Number of items that have not expired. */
    items: number;
    completed: number;
    /** Number of items that someone has judged or reserved, but that are not completed. */
    begun: number;
    /** Number of items on which reviewers differ and that are not completed. */
    disputed: number;
  };
  /** Number of items that the caller can review now. */
  mine: number;
  /** Agreement of the reviewers beyond chance: Krippendorff's alpha over all criteria, with its 95 % confidence interval. Null until two people have judged the same items and verdicts differ. */
  agreement: {
    alpha: number;
    low: number;
    high: number;
  } | null;
};

export type AnswerDeliveryBody = RelayedResponse | RelayedFailure;

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

export type ApplicationHealth = {
  checkedAt: string;
  /** What the facts below mean, and what to do about it. */
  checks: (Check)[];
  /** The span received last, among the 100 traces that began last; null if there is none. */
  lastSpan: {
    /** Time when the server received it. */
    at: string;
    traceId: string;
  } | null;
  /** The span or request that was rejected last. */
  lastRejection: Rejection | null;
  /** The webhook; null if there is none. */
  webhook: {
    enabled: boolean;
  } | null;
  /** The last request to the webhook. */
  lastDelivery: {
    id: string;
    testId: string;
    sentAt: string;
    outcome: "answered" | "not_sent" | "timeout" | "lost" | "cancelled" | "unknown" | null;
    statusCode: number | null;
    message: string | null;
  } | null;
  /** The last request with a wrong or missing key that named this application, since the start of the server. */
  lastUnauthorized: UnauthorizedRequest | null;
  /** Traces that began in the last 24 hours, at most 1000, and those of them without a test id. */
  traces: {
    from: string;
    total: number;
    withoutTest: number;
  };
  /** Milliseconds by which the clock of a sender is ahead of the server, at least: the greatest difference between the end of a trace and the arrival of its last span, among the 100 traces that began last. Negative values include the delay of the exporter. Null if there is no trace. */
  clockDifferenceMs: number | null;
};

export type ArchiveTopicBody = {
  /** True to archive its tasks too. */
  cascade?: boolean;
};

export type AssigneeCount = {
  assignee: string;
  count: number;
};

export type AttentionItem = {
  /** `SENDERS`: spans or API keys were rejected. `WEBHOOK`: the last delivery failed. `ISSUES`: open ones of high priority. `ISSUES_REOPENED`: in the last 7 days. `REVIEW`: items that the caller can review. `EVALUATOR`: a judge with a required agreement that it has not reached, or has lost. `ISSUE_WITHOUT_EVALUATOR`: an open issue with several traces that nothing detects. */
  kind: "SENDERS" | "WEBHOOK" | "ISSUES" | "ISSUES_REOPENED" | "REVIEW" | "EVALUATOR" | "ISSUE_WITHOUT_EVALUATOR";
  /** Number of records that it is about. */
  count: number;
  title: string;
  detail: string;
  /** Path of the page in the dashboard where something can be done about it. */
  href: string;
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
  /** The `operationId` of the call, or `backup` for the command of that name. */
  action: string;
  /** The ids in the path of the call, separated by slashes, or the id of the created record. */
  resourceId: string | null;
  /** The `x-request-id` of the call. */
  requestId: string;
  /** For failed sign-ins: where they came from, and how many they were. For `backup`: the name of the file. Null for other entries. */
  detail: string | null;
};

export type ChangePasswordBody = {
  currentPassword: string;
  /** 12 to 256 characters. */
  newPassword: string;
};

export type ChangeTaskTagsBody = {
  /** Tasks to change. */
  taskIds: (string)[];
  /** Tags to add to all of them. */
  addTagIds?: (string)[];
  /** Tags to remove from all of them. */
  removeTagIds?: (string)[];
};

export type Check = {
  /** What was checked. */
  name: string;
  level: "ok" | "warning" | "problem";
  /** What was found. */
  message: string;
  /** What to do about it; null if all is well. */
  advice: string | null;
};

export type Column = {
  /** Name of the column in reports. */
  id: string;
  title: string;
  type: "string" | "number" | "boolean" | "date" | "enum" | "relation";
  description: string;
  /** Unit of its numbers; null for none. */
  unit: string | null;
  /** True if a row may have several values; it then counts in the group of each of them. */
  isMany: boolean;
  isGroupable: boolean;
  /** Units to which a group by this column can be truncated. */
  truncations: ("hour" | "day" | "week" | "month" | "quarter" | "year")[];
  /** Operators that filters may use. */
  operators: ("eq" | "ne" | "in" | "notIn" | "lt" | "lte" | "gt" | "gte" | "between" | "contains" | "isNull" | "isNotNull")[];
  /** Aggregations that measurements may use. */
  aggregations: ("count" | "countDistinct" | "sum" | "avg" | "min" | "max" | "median" | "p90" | "p95" | "p99" | "passRate")[];
  /** All possible values; null when they are not listed. */
  values: (string)[] | null;
};

export type ColumnValue = {
  /** Value as text; for a relation, the id of the record. */
  id: string;
  /** Value as text; for a relation, the name of the record, if it has one. */
  name: string;
};

export type CompareRunsBody = {
  baseline: {
    /** All tests of these runs. */
    runIds?: (string)[];
    /** All tests of this variant of an experiment. */
    variantId?: string;
  };
  candidates: ({
    /** All tests of these runs. */
    runIds?: (string)[];
    /** All tests of this variant of an experiment. */
    variantId?: string;
  })[];
  /** Compare only evals of this evaluation definition. Default: all evals. */
  definitionId?: string;
  /** Confidence of the intervals, 0 to 1. Compare p values with 1 − confidence. */
  confidence?: number;
  /** What the interval says something about: `THESE_EXAMPLES` other tests of the same examples, `THESE_TASKS` other examples of the same tasks, `EXAMPLES_LIKE_THESE` other examples, of other tasks if there are at least five; of the same two to four tasks it says `THESE_TASKS`. */
  question?: "THESE_EXAMPLES" | "THESE_TASKS" | "EXAMPLES_LIKE_THESE";
  /** What the result of a test is: `VERDICTS`, the share of its evals that passed; `OUTCOME`, whether the test passed. With `OUTCOME`, `withAdvisory` has no effect, and `definitionId` is rejected. */
  by?: "VERDICTS" | "OUTCOME";
  /** Give each task the same weight, however many tests or pairs it has: how an app does on a task like these. By default each test (in a difference, each pair) weighs the same: how it does on an example like these. */
  equalTasks?: boolean;
  /** Let the verdicts of advisory definitions count: those of a judge model without a valid gate. With `definitionId`, that definition always counts. */
  withAdvisory?: boolean;
  /** Report too what changed in the app between the sides, as their traces show it: `changes` of each candidate. Reads the traces of at most 200 tests of each side. */
  withChanges?: boolean;
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
  /** Id of the conversation in the file. */
  externalId: string | null;
  /** Task that received the conversation as an example, which may have been changed or deleted since; null when it has no message of the user. */
  taskId: string | null;
  /** Messages in order, at most 1000 turns and 200000 characters. */
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
  /** True if there are more than the 10 000 in `total`. */
  totalExceeded?: true;
};

export type CreateAnnotationBody = {
  /** A UUID, or the 32 hex digits of OpenTelemetry. */
  traceId: string;
  /** Definition whose criterion the verdict is about; null for a verdict on the complete trace. */
  evalDefinitionId?: string | null;
  /** True if the trace passes; by the criterion if `evalDefinitionId` names one. Null for a note, and for a person who is unsure. */
  verdict?: boolean | null;
  /** Score on the scale of the definition: that of `CUSTOM` with a `scale`, or 1 to 5 for `STYLE` and `NATURALNESS`. The verdict follows from it. */
  score?: number | null;
  /** True if the person judged and could not decide: such a verdict counts half as pass and half as fail. */
  unsure?: boolean;
  /** Critique of the trace, with 1 to 2048 characters. Required, with at least 20, when the trace does not pass. */
  critique?: string | null;
  /** What the output should have been, any JSON. An example that is made of the trace expects it; null means none. */
  correctedOutput?: unknown;
  /** Who judged. Default: the `keyId` of the API key. A key with the scope `write` may name a person without an account, such as one of another system; naming a member or another key is rejected (403), as is any other name by a key without that scope. Someone who is signed in always judges under the own user id. */
  annotatorId?: string;
  /** Place where the person judged the trace. */
  source: "REVIEW_QUEUE" | "TRACE_PAGE" | "TEST_PAGE";
  /** Item of this trace that the annotation completes; for `REVIEW_QUEUE` only. */
  queueItemId?: string | null;
  /** Token of the reservation under which the item was judged; null without one. */
  leaseToken?: string | null;
  /** A verdict by each criterion of the queue, which requires them. The overall verdict follows: it fails if one does, is unsure if one is unsure and none fails, and passes otherwise. Those whose criterion names an evaluator are also stored as annotations of their own. */
  criteria?: ({
    /** Criterion of the queue. */
    criterionId: string;
    verdict: "PASS" | "FAIL" | "UNSURE";
    citations?: ({
      field?: "input" | "output";
      start: number;
      end: number;
      quote: string;
    })[];
  })[] | null;
};

export type CreateAnnotationQueueBody = {
  title: string;
  topicId?: string | null;
  /** Identifier of the user who judges the items. */
  assigneeId?: string | null;
  /** Number of people who judge each item. */
  reviewsPerItem?: number;
  /** True if reviewers see no verdict on the trace of an item before it is settled: all routes then answer `withheld: true` to them. Until ten minutes after it, a review can be undone, and verdicts stay withheld. */
  isBlind?: boolean;
  criteria?: ({
    /** Identifier of the criterion within the queue. */
    id: string;
    name: string;
    description?: string;
    /** Evaluator that verdicts by this criterion verify; null for none. */
    evalDefinitionId?: string | null;
  })[];
  reviewerIds?: (string)[];
  documentIds?: (string)[];
  /** What becomes of an item on which reviewers differ. `THIRD`: one more person judges it, without seeing the other verdicts. `MAJORITY`: the majority counts. `NONE`: nothing. */
  disagreement?: "THIRD" | "MAJORITY" | "NONE";
  dueAt?: string | null;
};

export type CreateApiKeyBody = {
  /** Name of the key for display. */
  name: string;
  /** Scopes of the key; only those of the key that creates it. Default: the same without `admin`. */
  scopes?: ("ingest" | "read" | "annotate" | "write" | "admin")[];
  /** Time from which the key is no longer valid. Default: never. */
  expiresAt?: string | null;
};

export type CreateApplicationBody = {
  title: string;
  /** Default: derived from the title. */
  slug?: string;
  description?: string;
  /** Description of the application for judges. */
  context?: string;
  /** Language tag, such as `en` or `pt-BR`. */
  language?: string;
  type: "CHATBOT" | "AGENT";
  environment?: "DEV" | "PROD";
  humanAnnotationEnabled?: boolean;
  /** True to create the application in a new organisation, where the operator allows it. Default: in that of the caller. */
  newOrganisation?: boolean;
};

export type CreateDefinitionBody = {
  name: string;
  /** Type of evaluation. */
  type: "NATURALNESS" | "STYLE" | "RECALL" | "FACT" | "CUSTOM" | "TOXICITY" | "SIMILARITY" | "CONVERSATION" | "PAIRWISE" | "OUTPUT_MATCH" | "ASSERT" | "HTTP";
  status?: "DRAFT" | "ACTIVE";
  /** Configuration by type. Every type accepts `criterion` (text), `judge` (name of a judge in the settings; default: the default judge) and `monitoring` `{ sampleRate }` (0 to 1: share of traces without a test that are evaluated; of sessions for `CONVERSATION`). Unknown keys are kept. `FACT`: `groundTruth` (text), for tests whose link has no `expected`. `RECALL`: `minimums` (0 to 1 by measure), `measures` (some of `contextPrecision`, `contextRelevancy`, `contextRecall`, `faithfulness`, `answerRelevancy`, to judge these alone). `CUSTOM`: `criterion`, required without a `preset`. Without `scale`, the judge answers yes or no. It sees what is expected, and the rubric of the example: that of its name or id in `rubrics`, else `rubric`. `scale` `{ min, max, anchors }` (whole numbers from -100 to 100; `anchors`: up to 21 of `{ score, description }`): the judge rates; `passThreshold`, required with it, is the lowest score that passes; `steps` (up to 20): what the judge examines before it rates. `preset`: `closed-qa`, `factuality` (with `categoryScores`), `tool-choice`, `trajectory`, or `g-eval` (with a `scale`). `exampleRubric`: `any` to judge only tests whose example has a rubric, `own` only those with one under the name of the definition. `PAIRWISE`: `baselineRunIds` (1 to 100 runs whose tests the tests of the same examples are compared with, required), `criterion` (what makes an output better), `selectBest` (true: the judge selects the best of the outputs in all of these runs). `CONVERSATION`: `criterion` (goal of the user; default: as the turns show it), `maxTurns` (1 to 50: most turns of a conversation that passes), `monitoring.idleTimeoutMs` (1000 to 604800000: time without new spans after which a live session is evaluated; default: 600000). `SIMILARITY`: `passThreshold` (0 to 1; default: 0.8), `exampleRubric` (`own` to compare with the text that the example has under the name of the definition in `rubrics`, in place of what is expected; tests of other examples are `SKIPPED`). `OUTPUT_MATCH`: `type` (`string` or `list`, required), `extract` `{ pattern, flags, group }` (a regular expression, some of the flags `gimsu`, 0 to 99 or a list of up to 10 groups), `matchMode` (`exact_unordered` or `contains`), `scoreMetric` (`f1`, `precision` or `recall`), `passThreshold` (0 to 1), `ignoreCase`. `ASSERT`: `assertions` (1 to 100 of `{ type, value, threshold, weight, not }`, required), `threshold` (0 to 1; default: all of them must pass). `HTTP`: `url` (endpoint that returns the score, required), `timeoutMs` (1000 to 60000, of all tries together; default: 10000), `passThreshold` (0 to 1; default: 0.5), `send` (parts of the test: `input`, `output`, `toolCalls`, `documents`, which are the default, `turns`, `spans`, `latencyMs`, `usage`, `cost`), `parameters` (an object that is sent too). */
  globalConfig?: Record<string, unknown>;
  /** Style guide to apply; required with `STYLE`. */
  styleGuideId?: string | null;
  /** Number of requests to the judge model; the majority of its answers counts. */
  repeats?: 1 | 3 | 5 | 7 | 9;
  /** True if verdicts of people on a complete trace, without an `evalDefinitionId`, are verdicts on this definition. Else only those that name it are. */
  isOverall?: boolean;
  quickstartId?: string | null;
  issueId?: string | null;
  /** Agreement with people that the judge must reach for its verdicts to decide; null when its verdicts are only shown. `GET /v0/definitions/{id}/reliability` reports whether the gate is valid. The rules `OUTPUT_MATCH` and `ASSERT`, and `HTTP`, always decide. */
  gate?: {
    /** Cohen’s kappa, 0 to 1, that the lower bound of its interval must reach. */
    minKappa: number;
    /** Number of human verdicts on tests and traces drawn at random at which the judge is first tested. */
    minAnnotations?: number;
    /** Days after which the gate expires: counted from the newest `minAnnotations` verdicts of people together. Default: 90. */
    maxAgeDays?: number;
    /** Number of judged tests and traces that are frozen and judged again with every run set, to notice a judge that has changed; 0 turns that off and forgets them. Default: 20. */
    canaries?: number;
  } | null;
};

export type CreateDocumentBody = {
  title: string;
  content: string;
  /** `KNOWLEDGE`: facts; `POLICY`: rules that outputs must follow. */
  type?: "KNOWLEDGE" | "POLICY";
  /** Status. The first version of a `DRAFT` document is a draft, that of an `ACTIVE` one is approved; `REVIEW` is a `DRAFT` whose version is in review, and `APPROVED` is another name of `ACTIVE`. */
  status?: "DRAFT" | "REVIEW" | "ACTIVE" | "APPROVED";
  assignee?: string | null;
  isVerified?: boolean;
  topicId?: string | null;
  quickstartId?: string | null;
  /** Default: that of the application. */
  language?: string;
  metadata?: Record<string, unknown>;
  /** Sentences of the content. Default: found by the rules of its language. */
  originalSentences?: (string)[];
  /** Scrape job that the content is from. */
  scrapeJobId?: string | null;
};

export type CreateDocumentVersionBody = {
  /** Default: that of the newest version. */
  content?: string;
  /** Default: that of the document. */
  title?: string;
  /** Default: that of the newest version. */
  language?: string;
  /** Default: that of the newest version. */
  metadata?: Record<string, unknown>;
  /** Default: those of the newest version, with its content. */
  originalSentences?: (string)[];
};

export type CreateErasureBody = {
  /** Deletes the traces of this user. */
  userId?: string;
  /** Deletes the traces of this session. */
  sessionId?: string;
};

export type CreateExampleBody = {
  /** Prompt: a text, or an object that meets the `simulatedPromptSchema` of the task. */
  input: string | Record<string, unknown>;
  /** Expected output, any JSON. It takes precedence over `expected` of a link; null means none. */
  expected?: unknown;
  /** What a good answer must contain. */
  rubric?: string | null;
  /** Rubrics of single criteria, such as `{"Tone":"Apologises once."}`: each member has the name or the id of a definition, which reads it in place of `rubric`. */
  rubrics?: Record<string, string> | null;
  /** Checks of the output and the trace, as in `globalConfig` of `ASSERT`. Definitions of that type with `exampleAssertions` apply them. */
  assertions?: (Record<string, unknown>)[] | null;
  /** Metadata that is sent with each test, in addition to that of the task. */
  metadata?: Record<string, unknown> | null;
  tags?: (string)[];
  /** Part of the data set, such as `train` or `test`. */
  split?: string | null;
  /** Importance of the example. It is kept and exported. */
  weight?: number;
  /** Identity of the example within its task: an import with the same key changes it. */
  key?: string | null;
};

export type CreateExamplesFromTracesBody = {
  /** What to act on: ids, or a query that is run when the request arrives. More than 10000 rows are rejected (409). */
  selection: {
    /** Traces with these ids. */
    ids?: (string)[];
    /** The traces of the last side of all results that `GET /v0/results` finds with these filters. */
    results?: {
      /** Filter line, such as `verdict:fail -model:gpt-4o output:/14 days/ last:24h`: terms that must all hold. docs/filters.md has its fields. A line that cannot be parsed is rejected (422); `issues` then has the place (`start`, `end`) and a `suggestion` for each fault. */
      q?: string;
      side: (string)[];
      outcome?: ("FAILED" | "APP_ERROR" | "NO_VERDICT" | "NOT_RUN" | "RUNNING" | "PASSED")[];
      change?: ("REGRESSED" | "FIXED" | "BOTH_FAILED" | "ONE_SIDE" | "BOTH_PASSED" | "OUTPUT_CHANGED")[];
      causeKey?: (string)[];
      issueId?: (string)[];
      definitionId?: string;
      passed?: boolean;
    };
    /** All traces that `GET /v0/traces` finds with this filter line. */
    traces?: {
      /** Filter line, such as `verdict:fail -model:gpt-4o output:/14 days/ last:24h`: terms that must all hold. docs/filters.md has its fields. A line that cannot be parsed is rejected (422); `issues` then has the place (`start`, `end`) and a `suggestion` for each fault. */
      q?: string;
    };
  };
  /** Expected output of each new example: that which a reviewer wrote (`CORRECTED`, nothing without one), that of the trace, or nothing. */
  expected?: "CORRECTED" | "OUTPUT" | "NONE";
  /** Part of the data set, such as `train` or `test`. */
  split?: string | null;
};

export type CreateExperimentBody = {
  title: string;
  description?: string;
  /** Steps whose settings its variants may change; empty for any step. */
  inferenceStepIds?: (string)[];
  /** Tasks with which each variant is tested. */
  taskIds?: (string)[];
  /** Identifier of the user who is responsible. */
  assignee?: string | null;
};

export type CreateInferenceStepBody = {
  type: "LLM" | "RETRIEVER";
  /** Name of the step in the customer's app, unique within the application. */
  externalId: string;
  title: string;
  description?: string | null;
};

export type CreateInvitationBody = {
  email: string;
  /** `viewer` reads, `annotator` also gives verdicts, `editor` also changes everything else, `admin` also manages the application, its members and keys. */
  role: "viewer" | "annotator" | "editor" | "admin";
};

export type CreateIssueBody = {
  /** Where the problem was noticed. */
  source: "TEST" | "TASK" | "TOPIC" | "SYSTEM" | "MONITORING" | "API" | "HUMAN_ANNOTATION";
  title: string;
  description?: string;
  type?: "BUG" | "HUMAN_ANNOTATION" | "SUGGESTED_TASK" | "USER_SIGNAL";
  priority?: "LOW" | "MEDIUM" | "HIGH";
  /** Issue that this one is a part of, which must not be a part of another (409). */
  parentId?: string | null;
  /** Test that shows the problem. Its trace is linked. */
  testId?: string | null;
  /** Trace that shows the problem. It is linked. */
  traceId?: string | null;
  taskId?: string | null;
  topicId?: string | null;
  /** Annotation that found the problem. Its trace is linked. */
  humanAnnotationId?: string | null;
  /** Evaluator that detects the problem. */
  evalDefinitionId?: string | null;
  experimentId?: string | null;
  /** Who takes care of it. */
  ownerId?: string | null;
  /** Filter line of traces that show the problem. */
  match?: string | null;
};

export type CreateNoteBody = {
  /** A UUID, or the 32 hex digits of OpenTelemetry. */
  traceId: string;
  /** Span that the note is about; null for the complete trace. */
  spanId?: string | null;
  /** Text that has the words; null if the note is about no words. Default: `OUTPUT` with words. */
  field?: "INPUT" | "OUTPUT" | null;
  /** Place of the first of the words in the text, in UTF-16 code units from 0. */
  start?: number | null;
  /** Place after the last of the words. */
  end?: number | null;
  /** The words, as they were shown to the person. The server does not compare them with the trace. */
  quote?: string | null;
  text: string;
  /** Users whom the note is for. */
  mentions?: (string)[];
};

export type CreateQueueItemBody = {
  queueId: string;
  /** A UUID, or the 32 hex digits of OpenTelemetry. */
  traceId: string;
  /** Default: in 90 days. */
  expiresAt?: string;
  /** How the trace was chosen. `RANDOM` is only what a draw chose (`POST …/draw`), so it cannot be given here. */
  selection?: "MANUAL" | "FAILED";
};

export type CreateQueueItemsBody = {
  queueId: string;
  /** What to act on: ids, or a query that is run when the request arrives. More than 10000 rows are rejected (409). */
  selection: {
    /** Traces with these ids. */
    ids?: (string)[];
    /** The traces of the last side of all results that `GET /v0/results` finds with these filters. */
    results?: {
      /** Filter line, such as `verdict:fail -model:gpt-4o output:/14 days/ last:24h`: terms that must all hold. docs/filters.md has its fields. A line that cannot be parsed is rejected (422); `issues` then has the place (`start`, `end`) and a `suggestion` for each fault. */
      q?: string;
      side: (string)[];
      outcome?: ("FAILED" | "APP_ERROR" | "NO_VERDICT" | "NOT_RUN" | "RUNNING" | "PASSED")[];
      change?: ("REGRESSED" | "FIXED" | "BOTH_FAILED" | "ONE_SIDE" | "BOTH_PASSED" | "OUTPUT_CHANGED")[];
      causeKey?: (string)[];
      issueId?: (string)[];
      definitionId?: string;
      passed?: boolean;
    };
    /** All traces that `GET /v0/traces` finds with this filter line. */
    traces?: {
      /** Filter line, such as `verdict:fail -model:gpt-4o output:/14 days/ last:24h`: terms that must all hold. docs/filters.md has its fields. A line that cannot be parsed is rejected (422); `issues` then has the place (`start`, `end`) and a `suggestion` for each fault. */
      q?: string;
    };
  };
};

export type CreateQuickstartBody = {
  name: string;
  /** Style guide; confirming the style scores approves all its sections. */
  styleGuideId?: string | null;
};

export type CreateRunSetBody = {
  /** Tasks to test. */
  taskIds?: (string)[];
  /** Further tasks: all active ones that match. An empty object selects all active ones. */
  filter?: {
    /** Tasks of one of these topics. */
    topicId?: (string)[];
    /** Tasks with one of these tags. */
    tagId?: (string)[];
  };
  /** Examples to test. Default: all active examples of the tasks, as an empty object. Null: `repeat` tests of each task, which take its examples in turn. */
  examples?: {
    /** Examples with these ids. */
    ids?: (string)[];
    /** Examples of these splits. */
    splits?: (string)[];
  } | null;
  /** Number of tests of each chosen example; of each task, if its tests take its examples in turn. */
  repeat?: number;
  /** Seed of the prompts that a model writes for `NORMAL` tasks. Tests with the same seed send the same prompts, until the task or the prompt model changes. */
  promptSeed?: number;
  title?: string | null;
  commit?: string | null;
  branch?: string | null;
  pullRequest?: string | null;
  buildUrl?: string | null;
  author?: string | null;
  metadata?: Record<string, unknown> | null;
  /** What to compare with: the id of a run set; `previous`, the newest completed run set of the same branch before this one; `branch:` with a name, the newest completed run set of that branch besides this one; or ids of runs, separated by commas. */
  baseline?: string;
  /** Test the examples in random order and in batches: the first one now, each further one by `POST /v0/run-sets/{id}/continue`. Decisions on such a run set hold at every look. Needs `repeat` 1, and tasks whose prompts no model writes. */
  untilSure?: {
    /** Number of examples of a batch. */
    batch?: number;
    /** Largest number of examples to test. */
    max?: number;
  };
};

export type CreateScrapeJobBody = {
  name: string;
  /** URL to begin with. Only pages of its host and port are fetched. */
  url: string;
  /** Largest number of pages to fetch, including those that fail. */
  maxPages?: number;
  /** Largest number of links between `url` and a page. A page of the sitemap counts as one link away. */
  maxDepth?: number;
  /** Path prefix of the pages to fetch, which `url` must have too. */
  pathPrefix?: string | null;
  /** Of the documents. */
  type?: "KNOWLEDGE" | "POLICY";
  /** Of the documents. */
  topicId?: string | null;
  /** Quickstart of the job; its documents are drafts until the quickstart completes. */
  quickstartId?: string | null;
  /** Assignee of the documents: identifier of a user. */
  assignee?: string | null;
  /** Identifier of a user. Default: the `keyId` of the API key. */
  initiatedBy?: string;
};

export type CreateStyleGuideBody = {
  /** Style rules for outputs, by section; or the text of a single section, with its `heading`. */
  content: ({
    heading: string;
    content: string;
    /** True if a person has approved it. */
    approved?: boolean;
  })[] | string;
  /** Heading of a single section. */
  heading?: string;
  /** True if a person has approved the single section. */
  approved?: boolean;
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
  /** `STATIC`: tests send the examples of the task in turn; a task without any cannot be tested. `NORMAL`: a prompt model writes a prompt for each test from the description and the examples; without such a model, the task cannot be tested. */
  type?: "STATIC" | "NORMAL";
  /** `DRAFT` tasks run only by hand, not by schedule; archived tasks do not run. */
  status?: "DRAFT" | "ACTIVE" | "ARCHIVED";
  /** Prompts of its active examples, in their order. Examples with one of these prompts keep their other fields; the others are removed. A task with more examples than are shown here is changed by `/v0/tasks/{id}/examples`. */
  inputExamples?: (string)[];
  /** Metadata that is sent with each test; null and an empty object are none. */
  metadata?: Record<string, unknown> | null;
  /** JSON Schema of the prompts, when these are objects: each example is the JSON text of one. */
  simulatedPromptSchema?: Record<string, unknown> | null;
  topicId?: string | null;
  isVerified?: boolean;
  quickstartId?: string | null;
  /** Replaces all definitions that are linked to it directly. */
  evalDefinitions?: ({
    evalDefinitionId: string;
    config?: {
      /** Expected output, for definitions that compare with it. */
      expected?: unknown;
    } | null;
  })[];
};

export type CreateTopicBody = {
  title: string;
  description?: string | null;
  baseline?: number | null;
  status?: "DRAFT" | "ACTIVE" | "ARCHIVED";
  /** Identifier of the user who is responsible. */
  assignedTo?: string | null;
  isInScope?: boolean;
  isTasksVerified?: boolean;
  isDocumentsVerified?: boolean;
  isKnowledgeBaseVerified?: boolean;
  isPoliciesVerified?: boolean;
  quickstartId?: string | null;
  /** Replaces all definitions that are linked to it directly. */
  evalDefinitions?: ({
    evalDefinitionId: string;
    config?: {
      /** Expected output, for definitions that compare with it. */
      expected?: unknown;
    } | null;
  })[];
};

export type CreateVariantBody = {
  title: string;
  description?: string | null;
  /** `PENDING`: ready to be run. */
  status?: "DRAFT" | "PENDING";
  /** Step → parameter → value, merged over the settings of the parent; the value of a parameter is replaced completely. */
  configPatch: Record<string, Record<string, unknown>>;
  /** Another variant of the experiment. Null only for the first one, the baseline. */
  parentId?: string | null;
};

export type CreateViewBody = {
  name: string;
  /** Screen that the view belongs to. */
  screen: "traces" | "tests" | "results" | "sessions";
  /** Filter of the screen: the parameters of its address, each with its values. `{ "q": ["error:yes"] }` is a filter line. */
  filter?: Record<string, (string)[]>;
  /** Columns that the list shows; null for the usual ones. */
  columns?: (string)[] | null;
  /** Field that the list is ordered by, after a minus for descending order; null for the usual one. */
  sort?: string | null;
  /** Everybody of the application sees a shared view; only its creator sees any other. */
  isShared?: boolean;
};

export type CreatedApiKey = {
  id: string;
  /** The key itself, shown only in this response. */
  key: string;
  name: string;
};

export type Datasource = {
  id: "task" | "test" | "eval" | "topic" | "tag" | "human_annotation";
  title: string;
  description: string;
};

export type Decision = {
  runSetId: string;
  /** `PASS`, `FAIL`, or `INCONCLUSIVE` if the results do not decide it; `touchstone test` exits with 0, 1 and 2. */
  outcome: "PASS" | "FAIL" | "INCONCLUSIVE";
  /** One sentence for each gate, the decisive ones first. */
  reasons: (string)[];
  gates: ({
    /** What decides: `LINE` the required pass rate, `REGRESSION` the comparison with the baseline, `RUN_SET` a fault of the run set that leaves it undecided, `CANARIES` whether a judge still gives the verdicts that it gave on frozen tests and traces. */
    of: "RUN_SET" | "CANARIES" | "LINE" | "REGRESSION";
    /** `PASS`, `FAIL`, or `INCONCLUSIVE` if the results do not decide it; `touchstone test` exits with 0, 1 and 2. */
    outcome: "PASS" | "FAIL" | "INCONCLUSIVE";
    message: string;
  })[];
  /** What was asked. */
  rule: {
    failUnder: number;
    strict: boolean;
    allowSkipped: number;
    /** What the interval says something about: `THESE_EXAMPLES` other tests of the same examples, `THESE_TASKS` other examples of the same tasks, `EXAMPLES_LIKE_THESE` other examples, of other tasks if there are at least five; of the same two to four tasks it says `THESE_TASKS`. */
    question: "THESE_EXAMPLES" | "THESE_TASKS" | "EXAMPLES_LIKE_THESE";
    equalTasks: boolean;
    withAdvisory: boolean;
    margin: number | null;
    minPaired: number;
    findLoss: number;
  };
  tests: number;
  /** Number of tests for which every definition gave a verdict. */
  judged: number;
  /** Pass rate with its interval; null when nothing counts. */
  rate: {
    rate: number;
    low: number;
    high: number;
    /** What the interval says something about: `THESE_EXAMPLES` other tests of the same examples, `THESE_TASKS` other examples of the same tasks, `EXAMPLES_LIKE_THESE` other examples, of other tasks if there are at least five; of the same two to four tasks it says `THESE_TASKS`. */
    question: "THESE_EXAMPLES" | "THESE_TASKS" | "EXAMPLES_LIKE_THESE";
    /** What counts as one observation: a test, an example with all its tests (examples of one task with the same input are one), or a task with all its examples. */
    clusteredBy: "TEST" | "EXAMPLE" | "TASK";
    /** Number of observations. */
    clusters: number;
    /** Number of different examples. */
    examples: number;
    /** Number of tests that count. */
    tests: number;
    /** Method of the interval; `ANYTIME` for a run set that tests until it is sure: bounds that hold at every look. */
    method: "GAFFKE" | "TWO_LEVEL" | "ANYTIME";
  } | null;
  /** Definitions whose verdicts are only shown, and why their gate is not valid; null without a gate. */
  advisory: ({
    id: string;
    name: string;
    reason: string | null;
  })[];
  /** Definitions whose canaries were judged again, unless their verdicts are only shown. */
  canaries: ({
    /** The definition. */
    id: string;
    name: string;
    /** Number of frozen tests and traces that were judged again. */
    canaries: number;
    /** Number of those that wait for their verdict. */
    open: number;
    /** Number of those with a verdict. */
    compared: number;
    /** Number of those that pass now and did not before. */
    toPassed: number;
    /** Number of those that passed before and do not now. */
    toFailed: number;
    /** Share of the verdicts that changed, with its 95 % interval (Wilson), in percent; null without a verdict. */
    changed: {
      rate: number;
      low: number;
      high: number;
    } | null;
    /** True if the changes are more than chance: the judge has changed, and the decision is unknown. */
    isShifted: boolean;
  })[];
  /** Definitions that judged tests of the run set again although nothing that they judge had changed: only their newest verdicts count. Each further try makes it more likely that an unsteady judge lets a run set pass. */
  judgedAgain: ({
    /** The definition. */
    id: string;
    name: string;
    /** How many times it judged one of the tests, at most. */
    times: number;
  })[];
  /** Definitions that judged the baseline and nothing of the run set, such as one that was unlinked: to evaluate the baseline again does not change that. */
  onlyInBaseline: ({
    id: string;
    name: string;
  })[];
  /** Run set that was compared with; null for none, or for single runs. */
  baselineId: string | null;
  /** Runs that were compared with. */
  baselineRunIds: (string)[];
  /** Comparison with the baseline, as `POST /v0/runs/compare` returns it; null without a baseline. */
  comparison: RunComparison | null;
};

export type DefinitionVersion = {
  version: number;
  isCurrent: boolean;
  type: "NATURALNESS" | "STYLE" | "RECALL" | "FACT" | "CUSTOM" | "TOXICITY" | "SIMILARITY" | "CONVERSATION" | "PAIRWISE" | "OUTPUT_MATCH" | "ASSERT" | "HTTP" | null;
  /** Configuration as it was applied. Null for an earlier version that gave no verdict, or whose verdicts have lost their texts. */
  globalConfig: Record<string, unknown> | null;
  repeats: number | null;
  firstVerdictAt: string | null;
  lastVerdictAt: string | null;
  /** Number of tests and traces that it has judged. */
  judged: number;
  /** Percentage of these that passed, with its 95 % confidence interval (Wilson); null without any. */
  passRate: {
    rate: number;
    low: number;
    high: number;
  } | null;
  /** Verdicts of this version and of `against` on what both have judged; null without `against`. */
  shared: {
    judged: number;
    bothPassed: number;
    onlyThisPassed: number;
    onlyOtherPassed: number;
    bothFailed: number;
  } | null;
};

export type Delivery = {
  id: string;
  orgId: string;
  applicationId: string;
  testId: string;
  /** Number of the attempt for this test, from 1. */
  attempt: number;
  isSample: boolean;
  /** Delivery whose body was sent again. */
  replayOf: string | null;
  url: string;
  /** Outcome; null while in progress. `not_sent`: it did not reach the app; `lost` and `unknown`: it may have reached the app. */
  outcome: "answered" | "not_sent" | "timeout" | "lost" | "cancelled" | "unknown" | null;
  statusCode: number | null;
  /** Error message; null when the app responded with 200. */
  message: string | null;
  sentAt: string;
  finishedAt: string | null;
  /** Duration of each step in milliseconds: `dnsMs`, `connectMs`, `tlsMs`, `headersMs`, `totalMs`. */
  timings: Record<string, number> | null;
  /** Request as sent, with hidden values of configured headers. */
  request: {
    headers: Record<string, string>;
    body: string;
    /** Encoding of the bytes in `body`. */
    encoding: "utf8" | "base64";
  };
  /** First 16 KiB of the response; null when there was none. */
  response: {
    headers: Record<string, string>;
    body: string;
    /** Encoding of the bytes in `body`. */
    encoding: "utf8" | "base64";
  } | null;
};

export type Disagreement = {
  testId: string | null;
  traceId: string;
  evalId: string;
  /** `HOLDOUT`: held out of a random sample, so that no criterion is tried on it. */
  half: "DRAFT" | "HOLDOUT";
  /** The first 400 characters. */
  input: string | null;
  /** The first 400 characters. */
  output: string | null;
  /** Verdict of the definition. */
  passed: boolean | null;
  reason: string | null;
  people: ({
    name: string;
    said: "PASS" | "FAIL" | "UNSURE";
    critique: string | null;
  })[];
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
  /** Status of the document: only `ACTIVE` documents are split into chunks. */
  status: "DRAFT" | "ACTIVE";
  /** Value of the approved version, or of the newest while none is approved. */
  title: string;
  /** Identifier of the user who is responsible. */
  assignee: string | null;
  scrapeJobId: string | null;
  /** Id of the upload that created it. */
  fileProcessingId: string | null;
  topicId: string | null;
  quickstartId: string | null;
  /** Scrape job that created it, in the form of `GET /v0/scrape-jobs/{id}`. */
  scrapeJob?: ScrapeJob;
  /** Value of the version that the title is from. */
  content: string;
  /** Versions, newest first, up to 4 MiB of text; their own route lists all of them. */
  versions: (DocumentVersion)[];
};

export type DocumentChunk = {
  documentId: string;
  versionNumber: number;
  /** Position within the document, from 0. */
  index: number;
  /** Title of the document. */
  title: string;
  /** Text of the chunk, at most 1200 characters. */
  text: string;
  /** Start in the content, in UTF-16 units. */
  start: number;
  /** End in the content, in UTF-16 units. */
  end: number;
};

export type DocumentHead = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  /** `KNOWLEDGE`: facts; `POLICY`: rules that outputs must follow. */
  type: "KNOWLEDGE" | "POLICY";
  optimized: boolean;
  isVerified: boolean;
  /** Status of the document: only `ACTIVE` documents are split into chunks. */
  status: "DRAFT" | "ACTIVE";
  /** Value of the approved version, or of the newest while none is approved. */
  title: string;
  /** Identifier of the user who is responsible. */
  assignee: string | null;
  scrapeJobId: string | null;
  /** Id of the upload that created it. */
  fileProcessingId: string | null;
  topicId: string | null;
  quickstartId: string | null;
};

export type DocumentUploadReport = {
  /** Id that all documents of this upload have. */
  fileProcessingId: string;
  created: number;
  /** Ids of the first 1000 documents. */
  documentIds: (string)[];
  /** First 100 rows without a document. */
  rejected: ({
    /** Line on which the row begins. */
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
  /** Status of the version: from `DRAFT` to `REVIEW`, from there back or to `APPROVED`. Approving a version archives the one approved before. */
  status: "DRAFT" | "REVIEW" | "APPROVED" | "ARCHIVED";
  /** `KNOWLEDGE`: facts; `POLICY`: rules that outputs must follow. */
  type: "KNOWLEDGE" | "POLICY";
  /** Number of the version, from 1, in order of creation. */
  versionNumber: number;
  documentId: string;
  content: string;
  metadata: Record<string, unknown>;
  /** First 1000 sentences of the content. */
  originalSentences: (string)[];
};

export type DraftEvaluatorBody = {
  /** True to return the expected cost only, without asking a model. */
  dryRun?: boolean;
};

export type DrawQueueItemsBody = {
  queueId: string;
  /** Largest number of traces to draw. */
  count: number;
  /** Draw from all traces, or from those with a failed eval. */
  selection?: "RANDOM" | "FAILED";
  /** Draw from traces of tests of this task. */
  taskId?: string;
  /** Draw from traces of tests of this run. */
  runId?: string;
  /** Draw from traces of tests of this run set. */
  runSetId?: string;
  /** Draw from traces that this definition has judged, or whose test it has judged, for people to judge by its criterion: such a draw counts for this definition only. Without one, a draw counts for all criteria on which people judge traces of such draws. */
  evalDefinitionId?: string;
  /** Draw more of what the definition failed than there is, which shows with fewer verdicts how far it agrees with people where it lets most pass. Each draw takes at least one that failed and one that passed, where there are such traces; each trace is weighted by how many it stands for. Requires `evalDefinitionId`, and a `count` of 2 or more. */
  strata?: {
    /** Share of the traces to draw that the definition has failed. Default: as there are, but at least 0.15 and at most 0.85, with which few verdicts prove a good judge. */
    failed?: number;
  };
  /** True to draw traces too that a draw has already put into another queue. */
  allowRepeats?: boolean;
  /** Draw from traces that began at this time or later. */
  startDate?: string;
  /** Draw from traces that began at this time or earlier. */
  endDate?: string;
  /** Expiry of the items. Default: in 90 days. */
  expiresAt?: string;
};

export type EmbeddingEvent = {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  /** An object, or a text with the JSON of one. Anything else is kept as the field `metadata`. */
  metadata?: Record<string, unknown> | (unknown)[] | string;
  /** Milliseconds. The `timestamp` of an `llm` end is its end, of all others the start. */
  durationMs?: number;
  /** Time of the end, in the forms of `timestamp`. */
  endTime?: string;
  /** `success`, `error`, `timeout` or `pending`. */
  status?: string;
  /** Status code. */
  statusCode?: string | number;
  /** Message of the error, which makes the step a failed one unless its `status` is `success`. */
  error?: string;
  /** Cost in US dollars. */
  costAmount?: number;
  input?: string | Record<string, unknown> | (unknown)[] | null;
  output?: string | Record<string, unknown> | (unknown)[] | null;
  type: "embedding";
};

export type Erasure = {
  id: string;
  orgId: string;
  applicationId: string;
  subjectType: "user" | "session";
  /** SHA-256 of the id in hex; the id itself is not kept. */
  subjectHash: string;
  /** `COMPLETED` once no file of the data folder has a text of the traces; with PostgreSQL, once their rows are deleted. */
  status: "PENDING" | "COMPLETED";
  /** What is left: traces to delete, or remains of them in the files, which a program that reads an older state of the store keeps there; null when completed. */
  pendingFor: "DELETION" | "READERS" | null;
  /** What was deleted so far. */
  counts: {
    traces: number;
    spans: number;
    logRecords: number;
    annotations: number;
    notes: number;
    queueItems: number;
    /** Examples that were made from the traces. */
    examples: number;
    /** Evals whose quotes, and requests to judges, were removed; the verdicts remain. */
    evals: number;
    /** Deliveries whose bodies were removed. */
    deliveries: number;
    /** Tests of examples that were made from the traces: their prompts and traces were removed. */
    tests: number;
    /** Tasks whose title was a text of a trace, which was removed. */
    tasks: number;
    /** Saved views and filter lines of issues that name the id. */
    views: number;
  };
  /** Backups, exports and snapshots that were made before, which the erasure does not change; null until completed. */
  copies: {
    total: number;
    /** The newest 100, newest first. */
    data: ({
      /** A backup by `touchstone backup`; a file that was downloaded from the API; a file of an earlier state in the data folder. */
      kind: "BACKUP" | "EXPORT" | "SNAPSHOT";
      /** Name of the file, or for an export the `operationId` of its call. */
      name: string;
      createdAt: string;
      /** Name of the user or the key; null if unknown. */
      createdBy: string | null;
    })[];
    /** What the server cannot know. */
    notListed: string;
  } | null;
  requestedBy: {
    type: "user" | "key";
    id: string;
    name: string;
  };
  createdAt: string;
  modifiedAt: string;
  completedAt: string | null;
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
  /** The current state of the definition. */
  definition: EvaluationDefinition;
  /** Version of the definition that was applied. */
  definitionVersion: number;
  /** Test that was judged; null for a trace without a test. */
  testId: string | null;
  /** Trace that was judged; for a test, its first one. */
  traceId: string | null;
  taskId: string | null;
  /** Example that the test sent. */
  exampleId: string | null;
  runId: string | null;
  /** `COMPLETED`: there is a verdict. `SKIPPED`: a judge or required data was missing. `FAILED`: the evaluation failed. */
  status: "PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "SKIPPED";
  /** Score on the scale of the definition's type: 1 to 5, or 0 to 1. */
  score: number | null;
  /** The score on a scale from 0 to 1. */
  normalisedScore: number | null;
  passed: boolean | null;
  /** Version of the eval, from 1. Increases each time the same definition is applied to the same test or trace again. */
  version: number;
  /** True if a newer version has replaced this one, which then no longer counts. */
  superseded: boolean;
  /** Hash of everything that the verdict depends on; equal hashes need no new verdict. */
  inputHash: string;
  /** Reason for the verdict. Lists show its first 300 characters. */
  reason: string | null;
  /** The same as `reason`. */
  message: string | null;
  /** Cost of the judge or the scorer, in US dollars. */
  cost: number | null;
  /** Duration of the evaluation, in milliseconds. */
  latencyMs: number | null;
  /** True if the caller reviews the trace, or a test that is counted, in a blind queue, so that what shows a verdict is withheld; absent otherwise. */
  withheld?: boolean;
  /** Details of the score, by type. Null after the trace was deleted. */
  results: Record<string, unknown> | null;
  /** Record for reproducing the eval: the `definition` as it was applied, with the expected output; for judge models also the model, its settings and the raw responses. Null until the eval is completed, and after the trace was deleted. */
  judge: Record<string, unknown> | null;
};

export type EvaluateResult = {
  /** Number of tests that were checked. */
  tests: number;
  /** Number of evals that run again or for the first time. */
  evals: number;
  /** Number of those tests whose trace, or that of the test they are compared with, was deleted: verdicts stay, and missing evals are `SKIPPED`. */
  tracesDeleted: number;
  /** The last test that was checked, if there are older ones: with it as `after`, the next call checks them. Null when all were checked. */
  next: string | null;
};

export type EvaluateReviewedBody = {
  /** True to count only. */
  dryRun?: boolean;
};

export type EvaluateReviewedResult = {
  /** Number of reviewed tests and traces without a verdict of the current version. */
  reviewed: number;
  /** Number of evals that run now. */
  evals: number;
  /** Expected cost in US dollars, by the mean of earlier verdicts; null when it is unknown. */
  cost: number | null;
};

export type EvaluateRunBody = {
  /** True to evaluate again even if nothing that the verdict depends on has changed. */
  force?: boolean;
  /** `next` of the call before, to check the tests after it. Absent for the newest ones. */
  after?: string;
  /** Most tests that are checked, the newest first. */
  limit?: number;
};

export type EvaluateSessionBody = {
  /** True to evaluate again even if nothing that the verdict depends on has changed. */
  force?: boolean;
};

export type EvaluateTaskBody = {
  /** True to evaluate again even if nothing that the verdict depends on has changed. */
  force?: boolean;
  /** `next` of the call before, to check the tests after it. Absent for the newest ones. */
  after?: string;
  /** Most tests that are checked, the newest first. */
  limit?: number;
};

export type EvaluateTestBody = {
  /** True to evaluate again even if nothing that the verdict depends on has changed. */
  force?: boolean;
};

export type EvaluationDefinition = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  /** Type of evaluation. */
  type: "NATURALNESS" | "STYLE" | "RECALL" | "FACT" | "CUSTOM" | "TOXICITY" | "SIMILARITY" | "CONVERSATION" | "PAIRWISE" | "OUTPUT_MATCH" | "ASSERT" | "HTTP";
  name: string;
  /** Only `ACTIVE` definitions are applied. `ARCHIVED` is final: such a definition is kept only for its results. */
  status: "DRAFT" | "ACTIVE" | "ARCHIVED";
  /** Version, from 1. Increases when `type`, `globalConfig` or `styleGuideId` changes. */
  version: number;
  /** Number of requests to the judge model; the majority of its answers counts. */
  repeats: 1 | 3 | 5 | 7 | 9;
  globalConfig: Record<string, unknown>;
  styleGuideId: string | null;
  quickstartId: string | null;
  /** Agreement with people that the judge must reach for its verdicts to decide; null when its verdicts are only shown. `GET /v0/definitions/{id}/reliability` reports whether the gate is valid. The rules `OUTPUT_MATCH` and `ASSERT`, and `HTTP`, always decide. */
  gate: {
    /** Cohen’s kappa, 0 to 1, that the lower bound of its interval must reach. */
    minKappa: number;
    /** Number of human verdicts on tests and traces drawn at random at which the judge is first tested. */
    minAnnotations: number;
    /** Days after which the gate expires: counted from the newest `minAnnotations` verdicts of people together. Default: 90. */
    maxAgeDays: number;
    /** Number of judged tests and traces that are frozen and judged again with every run set, to notice a judge that has changed; 0 turns that off and forgets them. Default: 20. */
    canaries: number;
  } | null;
  /** True if its verdicts can fail a test: those of a rule always, those of a judge model while its gate is valid. */
  isBlocking: boolean;
  /** True if verdicts of people on a complete trace, without an `evalDefinitionId`, are verdicts on this definition. Else only those that name it are. */
  isOverall: boolean;
  issueId: string | null;
  /** The application, with `description` and `context` truncated to 2000 characters each. */
  application: Application;
  /** Topics to which the definition is linked, in the order of linking. */
  topics: (string)[];
};

export type EvaluatorDraftResult = {
  /** Number of notes that the model is shown, and of those that stay sealed. */
  halves: {
    draft: number;
    holdout: number;
  };
  /** What the call is expected to take, by the lengths of the texts. */
  expected: {
    /** Name of the judge in the settings, else `promptModel`; null when neither is configured. */
    model: string | null;
    calls: number;
    inputTokens: number;
    outputTokens: number;
    /** US dollars; null when no price is configured. */
    cost: number | null;
    /** US dollars that the limits of the judges leave today; null without a limit. */
    leftToday: number | null;
  };
  /** What the call took; zeros in a dry run. */
  spent: {
    calls: number;
    inputTokens: number;
    outputTokens: number;
    cost: number | null;
  };
  /** Null in a dry run. */
  draft: {
    name: string;
    /** Criterion of a `CUSTOM` definition: what a response without the problem meets. */
    criterion: string;
    rationale: string;
  } | null;
};

export type EvaluatorEvent = {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  /** An object, or a text with the JSON of one. Anything else is kept as the field `metadata`. */
  metadata?: Record<string, unknown> | (unknown)[] | string;
  /** Milliseconds. The `timestamp` of an `llm` end is its end, of all others the start. */
  durationMs?: number;
  /** Time of the end, in the forms of `timestamp`. */
  endTime?: string;
  /** `success`, `error`, `timeout` or `pending`. */
  status?: string;
  /** Status code. */
  statusCode?: string | number;
  /** Message of the error, which makes the step a failed one unless its `status` is `success`. */
  error?: string;
  /** Cost in US dollars. */
  costAmount?: number;
  input?: string | Record<string, unknown> | (unknown)[] | null;
  output?: string | Record<string, unknown> | (unknown)[] | null;
  /** Name of the evaluator. */
  evaluatorName?: string;
  /** Score. */
  evaluationScore?: number;
  /** Label. */
  evaluationLabel?: string;
  /** Explanation. */
  evaluationExplanation?: string | Record<string, unknown> | (unknown)[];
  type: "evaluator";
};

export type EvaluatorMeasurement = {
  definitionId: string;
  /** Number of traces of the holdout that are judged: those with notes of the issue, and those that people passed. */
  cases: {
    shows: number;
    passed: number;
  };
  /** What the call is expected to take, by the lengths of the texts. */
  expected: {
    /** Name of the judge in the settings, else `promptModel`; null when neither is configured. */
    model: string | null;
    calls: number;
    inputTokens: number;
    outputTokens: number;
    /** US dollars; null when no price is configured. */
    cost: number | null;
    /** US dollars that the limits of the judges leave today; null without a limit. */
    leftToday: number | null;
  };
  /** What the call took; zeros in a dry run. */
  spent: {
    calls: number;
    inputTokens: number;
    outputTokens: number;
    cost: number | null;
  };
  /** Null in a dry run. */
  measured: {
    definitionId: string;
    version: number;
    /** Traces with notes of the issue that it failed. */
    found: {
      count: number;
      /** Number of those with a verdict. */
      of: number;
      /** Bounds of the 95 % confidence interval (Wilson) of the percentage; null without any. */
      low: number | null;
      high: number | null;
    };
    /** Traces that people passed, and that it passed. */
    kept: {
      count: number;
      /** Number of those with a verdict. */
      of: number;
      /** Bounds of the 95 % confidence interval (Wilson) of the percentage; null without any. */
      low: number | null;
      high: number | null;
    };
    /** Number of traces without a verdict. */
    unjudged: number;
  } | null;
  /** How often an evaluator was measured for this issue, with this call. Each further one with a changed criterion makes the result more optimistic. */
  measurements: number;
};

export type Example = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  taskId: string;
  /** Place in the order of the task. Examples with equal places are ordered by id. */
  position: number;
  /** Identity of the example within its task: an import with the same key changes it. */
  key: string | null;
  input: string | Record<string, unknown>;
  expected: unknown;
  rubric: string | null;
  /** Rubrics by the name or the id of the definition that reads it. */
  rubrics: Record<string, string> | null;
  /** Checks that belong to this example alone. */
  assertions: (Record<string, unknown>)[] | null;
  metadata: Record<string, unknown> | null;
  tags: (string)[];
  split: string | null;
  weight: number;
  /** Only tests of `ACTIVE` examples are started. `WRITTEN`: a prompt that a model wrote for tests of a `NORMAL` task. An example with tests is archived, not deleted. */
  status: "ACTIVE" | "ARCHIVED" | "WRITTEN";
  /** Number of the version, from 1. Grows with every change. */
  version: number;
  /** Trace that the example was made from. */
  traceId: string | null;
  /** True if the caller reviews the trace, or a test that is counted, in a blind queue, so that what shows a verdict is withheld; absent otherwise. */
  withheld?: boolean;
};

export type ExampleData = {
  /** `NONE`: the application has no example data. `FAILED`: loading or removing it stopped; what was made remains until it is removed. */
  status: "NONE" | "LOADING" | "READY" | "FAILED" | "REMOVING";
  /** The part that is being made; null otherwise. */
  step: "definitions" | "traces" | "tests" | "experiment" | "annotations" | null;
  /** Number of parts that are complete. */
  stepsDone: number;
  /** Number of all parts. */
  steps: number;
  /** Why loading or removing it stopped. */
  failure: string | null;
  startedAt: string | null;
};

export type ExampleImport = {
  dryRun: boolean;
  /** Number of rows read. */
  rows: number;
  created: number;
  /** Number of examples whose key was known and whose fields changed. */
  updated: number;
  /** Number of examples whose key was known and whose fields were the same. */
  unchanged: number;
  /** First 100 of the examples that were updated. Their former versions are kept. */
  replaced: ({
    /** Line on which the row begins. */
    line: number;
    key: string;
    /** Fields that have another value now. */
    fields: (string)[];
  })[];
  /** First 100 rows that could not be used. */
  rejected: ({
    /** Line on which the row begins. */
    line: number;
    error: string;
  })[];
  rejectedCount: number;
  /** Format of another tool that the rows have; null if they have none. */
  format: string | null;
  /** Column that each field was taken from; several are separated by commas. */
  mapping: Record<string, string>;
  /** Number of rows with checks of their own, which definitions of `ASSERT` with `exampleAssertions` apply. */
  assertions: number;
  /** Number of rows with a rubric. */
  rubrics: number;
  /** Definitions that apply the checks and rubrics of a file of promptfoo to the task. */
  definitions: ({
    /** Null if a dry run would create it. */
    id: string | null;
    name: string;
    type: string;
    /** `KEPT`: it applied to the task before. */
    action: "CREATED" | "LINKED" | "KEPT";
  })[];
  /** Columns that no field was taken from. */
  unusedColumns: (string)[];
  /** First 100 parts of rows that examples do not have, with their line, such as further assertions of promptfoo. */
  notCarried: (string)[];
  /** First three examples of the file. */
  preview: ({
    /** Identity of the example within its task: an import with the same key changes it. */
    key: string | null;
    input: string | Record<string, unknown>;
    expected: unknown;
    rubric: string | null;
    /** Rubrics by the name or the id of the definition that reads it. */
    rubrics: Record<string, string> | null;
    /** Checks that belong to this example alone. */
    assertions: (Record<string, unknown>)[] | null;
    metadata: Record<string, unknown> | null;
    tags: (string)[];
  })[];
};

export type ExampleVersion = {
  /** Number of the version, from 1. Grows with every change. */
  version: number;
  /** Time of the next version; null for the current one. */
  replacedAt: string | null;
  input: string | Record<string, unknown>;
  expected: unknown;
  rubric: string | null;
  /** Rubrics by the name or the id of the definition that reads it. */
  rubrics: Record<string, string> | null;
  /** Checks that belong to this example alone. */
  assertions: (Record<string, unknown>)[] | null;
  metadata: Record<string, unknown> | null;
  tags: (string)[];
  split: string | null;
  weight: number;
  /** Only tests of `ACTIVE` examples are started. `WRITTEN`: a prompt that a model wrote for tests of a `NORMAL` task. An example with tests is archived, not deleted. */
  status: "ACTIVE" | "ARCHIVED" | "WRITTEN";
};

export type Experiment = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  title: string;
  description: string;
  /** Status, which follows from the variants, except for `COMPLETED` and `ARCHIVED`. */
  status: "DRAFT" | "BASELINE_PENDING" | "BASELINE_RUNNING" | "BASELINE_COMPLETED" | "BASELINE_FAILED" | "VARIANT_RUNNING" | "IDLE" | "COMPLETED" | "ARCHIVED";
  inferenceStepIds: (string)[];
  taskIds: (string)[];
  assignee: string | null;
};

export type FilterSuggestion = {
  /** `FIELD`: the beginning of a term; `VALUE`: a complete term; `TEXT`: words to search for. */
  kind: "FIELD" | "VALUE" | "TEXT";
  /** Text in place of the characters from `start` to `end`. */
  insert: string;
  hint: string;
  /** Matches with the value, among the newest 2000 that meet the other terms; null if unknown. */
  count: number | null;
};

export type FoundRecord = {
  kind: "task" | "evaluator" | "run" | "experiment" | "issue" | "topic" | "document";
  id: string;
  title: string;
  /** What tells it from others with the same name, such as when a run started. */
  detail: string;
  /** Path of its page in the dashboard. */
  href: string;
};

export type GroupEvent = {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  /** An object, or a text with the JSON of one. Anything else is kept as the field `metadata`. */
  metadata?: Record<string, unknown> | (unknown)[] | string;
  /** Milliseconds. The `timestamp` of an `llm` end is its end, of all others the start. */
  durationMs?: number;
  /** Time of the end, in the forms of `timestamp`. */
  endTime?: string;
  /** `success`, `error`, `timeout` or `pending`. */
  status?: string;
  /** Status code. */
  statusCode?: string | number;
  /** Message of the error, which makes the step a failed one unless its `status` is `success`. */
  error?: string;
  /** Cost in US dollars. */
  costAmount?: number;
  input?: string | Record<string, unknown> | (unknown)[] | null;
  output?: string | Record<string, unknown> | (unknown)[] | null;
  /** What the guardrail did. */
  guardrailAction?: string;
  /** True if the guardrail was triggered. */
  guardrailTriggered?: boolean;
  /** Type of the guardrail. */
  guardrailType?: string;
  type: "group";
  key: string;
};

export type GuardrailEvent = {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  /** An object, or a text with the JSON of one. Anything else is kept as the field `metadata`. */
  metadata?: Record<string, unknown> | (unknown)[] | string;
  /** Milliseconds. The `timestamp` of an `llm` end is its end, of all others the start. */
  durationMs?: number;
  /** Time of the end, in the forms of `timestamp`. */
  endTime?: string;
  /** `success`, `error`, `timeout` or `pending`. */
  status?: string;
  /** Status code. */
  statusCode?: string | number;
  /** Message of the error, which makes the step a failed one unless its `status` is `success`. */
  error?: string;
  /** Cost in US dollars. */
  costAmount?: number;
  input?: string | Record<string, unknown> | (unknown)[] | null;
  output?: string | Record<string, unknown> | (unknown)[] | null;
  /** What the guardrail did. */
  guardrailAction?: string;
  /** True if the guardrail was triggered. */
  guardrailTriggered?: boolean;
  /** Type of the guardrail. */
  guardrailType?: string;
  type: "guardrail";
};

export type HumanAnnotation = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  traceId: string;
  /** Definition whose criterion the verdict is about; null for a verdict on the complete trace. */
  evalDefinitionId: string | null;
  /** True if the trace passes; by the criterion if `evalDefinitionId` names one. Null for a note, and for a person who is unsure. */
  verdict: boolean | null;
  /** Score on the scale of the definition: that of `CUSTOM` with a `scale`, or 1 to 5 for `STYLE` and `NATURALNESS`. The verdict follows from it. */
  score: number | null;
  /** True if the person judged and could not decide: such a verdict counts half as pass and half as fail. */
  unsure: boolean;
  critique: string | null;
  /** Identifier of the person who judged. */
  annotatorId: string;
  /** Name of the user with this id; null if there is none. */
  annotatorName: string | null;
  /** Place where the person judged the trace. */
  source: "REVIEW_QUEUE" | "TRACE_PAGE" | "TEST_PAGE";
  /** Queue item that the annotation completed. */
  queueItemId: string | null;
  /** What the output should have been, any JSON; null if the annotation has none. */
  correctedOutput: unknown;
  /** Verdicts by the criteria of the queue; null for an annotation without them. */
  criteria: ({
    /** Criterion of the queue. */
    criterionId: string;
    verdict: "PASS" | "FAIL" | "UNSURE";
    citations: ({
      field: "input" | "output";
      start: number;
      end: number;
      quote: string;
    })[];
  })[] | null;
  /** Annotation whose verdict by one criterion this is; null for one that was created by itself. */
  partOf: string | null;
  /** True if the caller reviews the trace, or a test that is counted, in a blind queue, so that what shows a verdict is withheld; absent otherwise. */
  withheld?: boolean;
};

export type InferenceStep = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  type: "LLM" | "RETRIEVER";
  /** Name of the step in the customer's app, which `overrides` use. */
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

export type Issue = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  /** Number in the application, which is never used again. */
  number: number;
  title: string;
  description: string;
  status: "OPEN" | "RESOLVED" | "REJECTED";
  type: "BUG" | "HUMAN_ANNOTATION" | "SUGGESTED_TASK" | "USER_SIGNAL";
  /** Where the problem was noticed. */
  source: "TEST" | "TASK" | "TOPIC" | "SYSTEM" | "MONITORING" | "API" | "HUMAN_ANNOTATION";
  priority: "LOW" | "MEDIUM" | "HIGH";
  /** Issue that this one is a part of. */
  parentId: string | null;
  testId: string | null;
  traceId: string | null;
  taskId: string | null;
  topicId: string | null;
  humanAnnotationId: string | null;
  /** The same as `humanAnnotationId`. */
  annotationId: string | null;
  /** Evaluator that detects the problem. */
  evalDefinitionId: string | null;
  experimentId: string | null;
  /** Who takes care of it. */
  ownerId: string | null;
  /** Name of the user with this id; null if there is none. */
  ownerName: string | null;
  /** Filter line of traces that show the problem. It links nothing by itself; a selection may use it. */
  match: string | null;
  /** Issue that has the links of this one now. */
  mergedInto: {
    id: string;
    number: number;
  } | null;
  reopenedAt: string | null;
  /** How it was resolved last; null when it never was, and after it was opened again. */
  resolution: {
    at: string;
    by: {
      type: "user" | "key";
      /** Id of the user, or `keyId` of the API key. */
      id: string;
      /** Name of the user or of the key at that time. */
      name: string;
    };
    reason: string | null;
    /** True if evidence was missing when it was resolved. */
    withoutEvidence: boolean;
    /** Evidence as it was then. */
    evidence: ({
      /** `EVALUATOR`: an evaluator detects the problem. `VERIFIED`: it needs no model, or reviewers have verified it. `EXAMPLES`: examples in the subset `issue-<number>`. `EXAMPLES_PASS`: the last 3 tests of each of them passed. `GONE`: none of the newest 150 traces that were drawn at random and completed is linked. */
      kind: "EVALUATOR" | "VERIFIED" | "EXAMPLES" | "EXAMPLES_PASS" | "GONE";
      isMet: boolean;
      /** Number of what there is. */
      have: number;
      /** Number of what is needed. */
      need: number;
      /** The evaluator, for `EVALUATOR` and `VERIFIED`. */
      evalDefinitionId: string | null;
      /** Tasks of the examples, at most 20. */
      taskIds: (string)[];
      /** Queue of the sample, for `GONE`. */
      queueId: string | null;
      /** State of the evidence in words. */
      message: string;
      /** True if the caller reviews the trace, or a test that is counted, in a blind queue, so that what shows a verdict is withheld; absent otherwise. */
      withheld?: boolean;
    })[];
  } | null;
  /** Why it was rejected; null if it is not. */
  rejection: {
    at: string;
    by: {
      type: "user" | "key";
      /** Id of the user, or `keyId` of the API key. */
      id: string;
      /** Name of the user or of the key at that time. */
      name: string;
    };
    reason: string;
  } | null;
  /** Number of traces that were linked, with those that are deleted now. */
  linkCount: number;
  /** Number of those of them that are deleted. */
  deletedCount: number;
  /** Start of the first linked trace. */
  firstSeenAt: string | null;
  /** Start of the last linked trace; the time of creation without any. */
  lastSeenAt: string;
  /** How often the problem occurs. `RATE`: a linked trace was drawn at random for a queue; the sample is the newest 1000 traces that this queue drew at random from everything and that people completed. Traces that were chosen otherwise give no rate: `COUNT`. */
  frequency: {
    kind: "RATE" | "COUNT";
    /** Number of traces: of the sample for a rate, otherwise of all that were linked. */
    count: number;
    /** Percentage of the sample; null for a count. */
    rate: number | null;
    /** Bounds of its 95 % confidence interval (Wilson). */
    low: number | null;
    high: number | null;
    /** Size of the sample. */
    of: number | null;
    /** Queue that drew the sample. */
    queueId: string | null;
  };
  /** Number of linked traces of each of the last 14 days, oldest first. */
  daily: ({
    /** Day in UTC, such as 2026-01-31. */
    date: string;
    count: number;
  })[];
  createdBy: {
    type: "user" | "key";
    /** Id of the user, or `keyId` of the API key. */
    id: string;
    /** Name of the user or of the key at that time. */
    name: string;
  };
  /** True if the caller reviews the trace, or a test that is counted, in a blind queue, so that what shows a verdict is withheld; absent otherwise. */
  withheld?: boolean;
};

export type IssueCounts = {
  open: number;
  resolved: number;
  rejected: number;
  /** Open issues of high priority. */
  openHigh: number;
};

export type IssueEvent = {
  id: string;
  kind: "CREATED" | "UPDATED" | "LINKED" | "UNLINKED" | "RESOLVED" | "REOPENED" | "REJECTED" | "MERGED" | "MEASURED";
  createdAt: string;
  by: {
    /** `system`: Touchstone itself, which reopens issues. */
    type: "user" | "key" | "system";
    /** Id of the user, or `keyId` of the API key. */
    id: string;
    /** Name of the user or of the key at that time. */
    name: string;
  };
  /** Names of the fields that were changed, for `UPDATED`. */
  fields: (string)[];
  /** Number of traces, for `LINKED` and `UNLINKED`. */
  count: number | null;
  reason: string | null;
  /** True if it was resolved although evidence was missing. */
  withoutEvidence: boolean;
  /** The other issue of a merge; `isTarget` if it has the links now. */
  issue: {
    id: string;
    number: number;
    isTarget: boolean;
  } | null;
  /** Why Touchstone opened the issue again; null if a person did, and for other events. */
  relapse: {
    /** `EXAMPLE`: a regression example failed again. `LIVE_RATE`: the evaluator lets more live responses fail than it does by its own errors. */
    kind: "EXAMPLE" | "LIVE_RATE";
    /** Time of the first failed run, or of the first of the live verdicts that count. */
    since: string;
    /** Number of failed runs of the example, or of failed live verdicts. */
    count: number;
    /** Number of its runs since the issue was resolved, or of live verdicts. */
    of: number;
    exampleId: string | null;
    /** Task of the example. */
    taskId: string | null;
    /** Run that decided. */
    runId: string | null;
    /** Failed test of the example in that run. */
    testId: string | null;
    /** Evaluator of the live verdicts. */
    evalDefinitionId: string | null;
    /** Percentage of live responses with the problem, corrected by the errors of the evaluator as far as they are measured; null for an example. */
    rate: number | null;
    /** Bounds of its 95 % confidence interval. */
    low: number | null;
    high: number | null;
  } | null;
  /** Verdicts of the evaluator on the holdout, for `MEASURED`; null for other events. */
  measured: {
    definitionId: string;
    version: number;
    /** Traces with notes of the issue that it failed. */
    found: {
      count: number;
      /** Number of those with a verdict. */
      of: number;
      /** Bounds of the 95 % confidence interval (Wilson) of the percentage; null without any. */
      low: number | null;
      high: number | null;
    };
    /** Traces that people passed, and that it passed. */
    kept: {
      count: number;
      /** Number of those with a verdict. */
      of: number;
      /** Bounds of the 95 % confidence interval (Wilson) of the percentage; null without any. */
      low: number | null;
      high: number | null;
    };
    /** Number of traces without a verdict. */
    unjudged: number;
  } | null;
  /** True if the caller reviews the trace, or a test that is counted, in a blind queue, so that what shows a verdict is withheld; absent otherwise. */
  withheld?: boolean;
};

export type IssueMessage = {
  /** Id of the message, which is in its header `webhook-id` in all attempts. */
  id: string;
  orgId: string;
  applicationId: string;
  /** `issue.` and the change in lower case, such as `issue.reopened`; or `issue.test` for a test message. */
  type: string;
  /** Issue that has changed; null for a test message. */
  issueId: string | null;
  /** Event in the activity of the issue; null for a test message. */
  eventId: string | null;
  /** `PENDING` until the receiver has accepted it, or all attempts have failed. */
  status: "PENDING" | "DELIVERED" | "FAILED";
  /** Attempts that have ended. */
  attempts: number;
  /** HTTP status of the last response; null when there was none. */
  statusCode: number | null;
  /** Why the last attempt failed, with advice; null if it did not. */
  error: string | null;
  /** Earliest time of the next attempt; null when there is none. */
  nextAttemptAt: string | null;
  finishedAt: string | null;
  createdAt: string;
};

export type IssuePareto = {
  /** Queue that drew the sample. */
  queueId: string;
  queueTitle: string;
  /** Time of the newest draw. */
  drawnAt: string;
  /** Traces of the sample that people completed, the newest 1000. */
  of: number;
  /** Issues of these traces that are not rejected, the most frequent first, at most 20. */
  issues: ({
    id: string;
    number: number;
    title: string;
    count: number;
    rate: number;
    low: number;
    high: number;
  })[];
  /** Further issues of these traces. */
  others: number;
  /** Traces that show no issue. */
  none: {
    count: number;
    rate: number;
    low: number;
    high: number;
  };
};

export type IssueSuggestions = {
  /** Number of notes that the model is shown. */
  notes: number;
  /** Number of notes that are too many or too long for one call. */
  leftOut: number;
  /** What the call is expected to take, by the lengths of the texts. */
  expected: {
    /** Name of the judge in the settings, else `promptModel`; null when neither is configured. */
    model: string | null;
    calls: number;
    inputTokens: number;
    outputTokens: number;
    /** US dollars; null when no price is configured. */
    cost: number | null;
    /** US dollars that the limits of the judges leave today; null without a limit. */
    leftToday: number | null;
  };
  /** What the call took; zeros in a dry run. */
  spent: {
    calls: number;
    inputTokens: number;
    outputTokens: number;
    cost: number | null;
  };
  /** Suggestions, the largest first; empty in a dry run. */
  groups: (SuggestedGroup)[];
  /** Notes that the model has put into no group. */
  ungrouped: (string)[];
};

export type IssueWebhook = {
  id: string;
  orgId: string;
  applicationId: string;
  url: string;
  /** Changes that are reported, named as in the activity of an issue. */
  events: ("CREATED" | "UPDATED" | "LINKED" | "UNLINKED" | "RESOLVED" | "REOPENED" | "REJECTED" | "MERGED" | "MEASURED")[];
  enabled: boolean;
  createdAt: string;
  modifiedAt: string;
  /** Secret that signs the messages. Only in the response that creates it. */
  webhookSecret?: string;
};

export type JudgeCall = {
  /** Number of the vote, from 0. */
  repeat: number;
  /** Name of the judge in the settings. */
  judge: string;
  /** Model, as the response reports it. */
  model: string;
  /** Identifier of the configuration that served the response (`system_fingerprint`), if it reports one. */
  fingerprint: string | null;
  /** Request without its settings, which the `judge` of the eval has. Null when it repeats the request of an earlier call in the list, and after the trace was deleted. */
  request: {
    /** Instructions and the schema of the answer. */
    system: string;
    /** Texts to judge, each between markers that are not shown here. */
    inputs: ({
      /** Name of the text, such as `output`. */
      label: string;
      /** Text as the judge saw it. */
      text: string;
      /** Number of characters of the complete text; it is truncated if `text` is shorter. */
      length: number;
    })[];
    /** Number of texts that were not sent. */
    leftOut: number;
    /** Earlier answer that could not be used; null in a first request. */
    mistake: {
      raw: string;
      problem: string;
    } | null;
  } | null;
  /** Answer as it arrived; null after the trace was deleted. */
  raw: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Cost in US dollars; null when no price is configured. */
  cost: number | null;
  /** Total duration of all attempts. */
  latencyMs: number;
  attempts: number;
  createdAt: string;
};

export type LinkDefinitionsBody = {
  /** The evaluation definitions. */
  evalIds: (string)[];
  taskIds?: (string)[];
  topicIds?: (string)[];
  /** Configuration of each of these links. If absent, new links have none and existing links keep theirs. */
  config?: {
    /** Expected output, for definitions that compare with it. */
    expected?: unknown;
  };
};

export type LinkDefinitionsToApplicationBody = {
  /** The evaluation definitions. */
  evalIds: (string)[];
};

export type LinkIssueBody = {
  /** What to act on: ids, or a query that is run when the request arrives. More than 10000 rows are rejected (409). */
  selection?: {
    /** Traces with these ids. */
    ids?: (string)[];
    /** The traces of the last side of all results that `GET /v0/results` finds with these filters. */
    results?: {
      /** Filter line, such as `verdict:fail -model:gpt-4o output:/14 days/ last:24h`: terms that must all hold. docs/filters.md has its fields. A line that cannot be parsed is rejected (422); `issues` then has the place (`start`, `end`) and a `suggestion` for each fault. */
      q?: string;
      side: (string)[];
      outcome?: ("FAILED" | "APP_ERROR" | "NO_VERDICT" | "NOT_RUN" | "RUNNING" | "PASSED")[];
      change?: ("REGRESSED" | "FIXED" | "BOTH_FAILED" | "ONE_SIDE" | "BOTH_PASSED" | "OUTPUT_CHANGED")[];
      causeKey?: (string)[];
      issueId?: (string)[];
      definitionId?: string;
      passed?: boolean;
    };
    /** All traces that `GET /v0/traces` finds with this filter line. */
    traces?: {
      /** Filter line, such as `verdict:fail -model:gpt-4o output:/14 days/ last:24h`: terms that must all hold. docs/filters.md has its fields. A line that cannot be parsed is rejected (422); `issues` then has the place (`start`, `end`) and a `suggestion` for each fault. */
      q?: string;
    };
  };
  /** Notes that become evidence for the issue. Their traces are linked. */
  noteIds?: (string)[];
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
  /** Number of the attempt for this test, from 1. */
  attempt: number;
  isSample: boolean;
  /** Delivery whose body was sent again. */
  replayOf: string | null;
  url: string;
  /** Outcome; null while in progress. `not_sent`: it did not reach the app; `lost` and `unknown`: it may have reached the app. */
  outcome: "answered" | "not_sent" | "timeout" | "lost" | "cancelled" | "unknown" | null;
  statusCode: number | null;
  /** Error message; null when the app responded with 200. */
  message: string | null;
  sentAt: string;
  finishedAt: string | null;
  /** Duration of each step in milliseconds: `dnsMs`, `connectMs`, `tlsMs`, `headersMs`, `totalMs`. */
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
  /** Status of the document: only `ACTIVE` documents are split into chunks. */
  status: "DRAFT" | "ACTIVE";
  /** Value of the approved version, or of the newest while none is approved. */
  title: string;
  /** Identifier of the user who is responsible. */
  assignee: string | null;
  scrapeJobId: string | null;
  /** Id of the upload that created it. */
  fileProcessingId: string | null;
  topicId: string | null;
  quickstartId: string | null;
  /** First 1000 characters. */
  content: string;
  /** The newest ten versions, with short texts. */
  versions: (ListedDocumentVersion)[];
  /** Its tags, by name. */
  tags: ({
    id: string;
    name: string;
    /** Hex color code. */
    color: string;
  })[];
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
  /** Status of the version: from `DRAFT` to `REVIEW`, from there back or to `APPROVED`. Approving a version archives the one approved before. */
  status: "DRAFT" | "REVIEW" | "APPROVED" | "ARCHIVED";
  /** `KNOWLEDGE`: facts; `POLICY`: rules that outputs must follow. */
  type: "KNOWLEDGE" | "POLICY";
  /** Number of the version, from 1, in order of creation. */
  versionNumber: number;
  documentId: string;
  /** First 1000 characters. */
  content: string;
  /** An empty object if it has more than 1000 characters as JSON. */
  metadata: Record<string, unknown>;
  /** Empty; get a single version for its sentences. */
  originalSentences: (string)[];
};

export type ListedEval = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  /** The current state of the definition. */
  definition: EvaluationDefinition;
  /** Version of the definition that was applied. */
  definitionVersion: number;
  /** Test that was judged; null for a trace without a test. */
  testId: string | null;
  /** Trace that was judged; for a test, its first one. */
  traceId: string | null;
  taskId: string | null;
  /** Example that the test sent. */
  exampleId: string | null;
  runId: string | null;
  /** `COMPLETED`: there is a verdict. `SKIPPED`: a judge or required data was missing. `FAILED`: the evaluation failed. */
  status: "PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "SKIPPED";
  /** Score on the scale of the definition's type: 1 to 5, or 0 to 1. */
  score: number | null;
  /** The score on a scale from 0 to 1. */
  normalisedScore: number | null;
  passed: boolean | null;
  /** Version of the eval, from 1. Increases each time the same definition is applied to the same test or trace again. */
  version: number;
  /** True if a newer version has replaced this one, which then no longer counts. */
  superseded: boolean;
  /** Hash of everything that the verdict depends on; equal hashes need no new verdict. */
  inputHash: string;
  /** Reason for the verdict. Lists show its first 300 characters. */
  reason: string | null;
  /** The same as `reason`. */
  message: string | null;
  /** Cost of the judge or the scorer, in US dollars. */
  cost: number | null;
  /** Duration of the evaluation, in milliseconds. */
  latencyMs: number | null;
  /** True if the caller reviews the trace, or a test that is counted, in a blind queue, so that what shows a verdict is withheld; absent otherwise. */
  withheld?: boolean;
};

export type ListedQuickstart = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  name: string;
  /** Style guide; confirming the style scores approves all its sections. */
  styleGuideId: string | null;
  status: "UPLOADING" | "PROCESSING" | "TASKS_TOPICS_REVIEW" | "KNOWLEDGE_BASE_REVIEW" | "POLICIES_REVIEW" | "STYLE_REVIEW" | "COMPLETING" | "COMPLETE" | "FAILED";
  /** Reason for the status `FAILED`, else null. */
  reason: string | null;
  /** Uploads, newest first. */
  uploads: (QuickstartUpload)[];
};

export type ListedTest = {
  /** Test id, which spans carry as `service.test.id`. */
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
    code: "prompt_not_written" | "webhook_not_configured" | "webhook_unreachable" | "webhook_blocked_address" | "webhook_timeout" | "webhook_status" | "delivery_unknown" | "trace_missing" | "trace_deleted" | "erased" | "evaluation_error" | "cancelled";
    message: string;
    /** Advice on how to fix the failure. */
    hint: string;
  } | null;
  /** Prompt of the test; empty until a model has written that of a `NORMAL` task. Lists show its first 300 characters. */
  prompt: string;
  /** Digest of the complete prompt: tests with the same sent the same input. */
  inputDigest: string;
  /** Place of the example in its task, from 0. */
  exampleIndex: number | null;
  /** Example that the test sent. */
  exampleId: string | null;
  /** Version of that example. */
  exampleVersion: number | null;
  experimentId: string | null;
  experimentVariantId: string | null;
  result: TestResult;
  /** What became of the test. `PASSED`: every blocking verdict passed, and none is missing. `FAILED`: a blocking verdict did not pass. `APP_ERROR`: the app rejected the test, took too long or sent no trace; it counts as failed. `NO_VERDICT`: a verdict is missing. `NOT_RUN`: the app was not tested. `RUNNING`: the test has not ended. `NO_VERDICT` and `NOT_RUN` count nowhere. */
  outcome: "FAILED" | "APP_ERROR" | "NO_VERDICT" | "NOT_RUN" | "RUNNING" | "PASSED";
  /** Verdicts that decided: the blocking ones, or all because none is blocking; null if no verdict decided. Verdicts are blocking unless a judge model gave them that people have not verified. */
  outcomeBasis: "BLOCKING" | "ALL" | null;
  /** Key of why the test did not pass: the failed check, or the error of the app. Tests with the same key did not pass for the same reason. Null if it passed or runs. */
  causeKey: string | null;
  /** True if the caller reviews the trace, or a test that is counted, in a blind queue, so that what shows a verdict is withheld; absent otherwise. */
  withheld?: boolean;
  /** Earliest trace of the app that carries the test id; null before it arrives. */
  traceId: string | null;
  /** The task, as it is now. */
  task: {
    id: string;
    title: string;
    topicId: string | null;
  };
  /** Current evals, earliest first, at most 20. */
  evals: ({
    id: string;
    orgId: string;
    createdAt: string;
    modifiedAt: string;
    definition: {
      id: string;
      createdAt: string;
      modifiedAt: string;
      name: string;
      /** Type of evaluation. */
      type: "NATURALNESS" | "STYLE" | "RECALL" | "FACT" | "CUSTOM" | "TOXICITY" | "SIMILARITY" | "CONVERSATION" | "PAIRWISE" | "OUTPUT_MATCH" | "ASSERT" | "HTTP";
    };
    status: "PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "SKIPPED";
    score: number | null;
    passed: boolean | null;
    /** First 300 characters of the reason for the verdict. */
    message: string | null;
  })[];
};

export type ListedTrace = {
  id: string;
  orgId: string;
  applicationId: string;
  /** Time when its first span was stored. */
  createdAt: string;
  modifiedAt: string;
  /** Time with nine fractional digits if milliseconds are not exact. */
  timestamp: string;
  /** Sender's id of the conversation; for native traces. */
  referenceId?: string;
  testId: string | null;
  testIds: (string)[];
  /** Trace id of OpenTelemetry, 32 hex digits. */
  otelTraceId?: string;
  rootName: string;
  services: (string)[];
  environment: string | null;
  sessionId: string | null;
  userId: string | null;
  tags: (string)[];
  models: (string)[];
  /** Usage, with each model call counted once. */
  usage: Usage;
  /** Cost in US dollars. */
  cost: number | null;
  /** True if it was computed from tokens and the price table. */
  costEstimated: boolean;
  durationMs: number;
  spanCount: number;
  /** Number of failed spans. */
  errorCount: number;
  /** True if a span failed. */
  hasError: boolean;
  /** The same as `spanCount`. */
  stepCount: number;
  totalPromptTokens: number;
  totalCompletionTokens: number;
  /** The same as `cost`. */
  totalCost: number | null;
  /** `durationMs`, rounded. */
  totalDurationMs: number;
  /** Version of the mapping rules. */
  ruleSet: number;
  metadata: Record<string, unknown> | (unknown)[] | null;
  /** First 300 characters. */
  input: string | null;
  /** First 300 characters. */
  output: string | null;
  /** Anomalies: `replaced`, `unpaired`, `skew`, `redacted`, `dropped`, `oddTokens`, `sample`, and of a single trace also `orphans` and `cycle`. */
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
  /** An object, or a text with the JSON of one. Anything else is kept as the field `metadata`. */
  metadata?: Record<string, unknown> | (unknown)[] | string;
  /** Milliseconds. The `timestamp` of an `llm` end is its end, of all others the start. */
  durationMs?: number;
  /** Time of the end, in the forms of `timestamp`. */
  endTime?: string;
  /** `success`, `error`, `timeout` or `pending`. */
  status?: string;
  /** Status code. */
  statusCode?: string | number;
  /** Message of the error, which makes the step a failed one unless its `status` is `success`. */
  error?: string;
  /** Cost in US dollars. */
  costAmount?: number;
  type: "llm";
  modelId: string;
  event: "end";
  output?: string | Record<string, unknown> | (unknown)[] | null;
  /** Reason why the model stopped. */
  finishReason?: string;
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
  /** An object, or a text with the JSON of one. Anything else is kept as the field `metadata`. */
  metadata?: Record<string, unknown> | (unknown)[] | string;
  /** Milliseconds. The `timestamp` of an `llm` end is its end, of all others the start. */
  durationMs?: number;
  /** Time of the end, in the forms of `timestamp`. */
  endTime?: string;
  /** `success`, `error`, `timeout` or `pending`. */
  status?: string;
  /** Status code. */
  statusCode?: string | number;
  /** Message of the error, which makes the step a failed one unless its `status` is `success`. */
  error?: string;
  /** Cost in US dollars. */
  costAmount?: number;
  type: "llm";
  modelId: string;
  event: "start";
  input: string | Record<string, unknown> | (unknown)[];
};

export type LogEvent = {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  /** An object, or a text with the JSON of one. Anything else is kept as the field `metadata`. */
  metadata?: Record<string, unknown> | (unknown)[] | string;
  /** Milliseconds. The `timestamp` of an `llm` end is its end, of all others the start. */
  durationMs?: number;
  /** Time of the end, in the forms of `timestamp`. */
  endTime?: string;
  /** `success`, `error`, `timeout` or `pending`. */
  status?: string;
  /** Status code. */
  statusCode?: string | number;
  /** Message of the error, which makes the step a failed one unless its `status` is `success`. */
  error?: string;
  /** Cost in US dollars. */
  costAmount?: number;
  type: "log";
  content: string | Record<string, unknown> | (unknown)[];
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

export type MakeTraceExampleBody = {
  /** Task that gets the example. Default: a new task, the same for each request about the trace. */
  taskId?: string;
  /** Expected output, any JSON. Default: the `correctedOutput` of the latest annotation that has one. */
  expected?: unknown;
  /** `true` to expect the output of the trace where neither `expected` nor a corrected output is given. */
  useOutput?: boolean;
};

export type MappingPreview = {
  traces: number;
  /** Spans that were read: of the newest 200 traces, up to 5000, for at most a second. */
  spans: number;
  rules: ({
    key: string;
    field: "kind" | "input" | "output" | "inputMessages" | "outputMessages" | "systemInstructions" | "toolDefinitions" | "documents" | "model" | "provider" | "responseId" | "finishReasons" | "inputTokens" | "outputTokens" | "totalTokens" | "cacheReadTokens" | "cacheWriteTokens" | "cacheWriteHourTokens" | "audioInputTokens" | "audioCacheReadTokens" | "audioOutputTokens" | "reasoningTokens" | "cost" | "serviceTier" | "toolName" | "toolCallId" | "toolDescription" | "agentName" | "promptName" | "promptVersion" | "promptTemplate" | "promptVariables" | "errorType" | "level" | "statusMessage" | "sessionId" | "userId" | "tags" | "environment" | "version" | "metadata" | "traceName" | "displayName" | "traceInput" | "traceOutput";
    /** Spans with the attribute. */
    spans: number;
    /** Spans that get the field from it. */
    given: number;
    /** Up to three values. */
    samples: (string)[];
  })[];
  /** Keys that no rule reads, the most frequent first; without those of other conventions of OpenTelemetry. */
  unread: ({
    key: string;
    spans: number;
    /** Up to three values. */
    samples: (string)[];
    /** Field that the key probably means. */
    proposed: "kind" | "input" | "output" | "inputMessages" | "outputMessages" | "systemInstructions" | "toolDefinitions" | "documents" | "model" | "provider" | "responseId" | "finishReasons" | "inputTokens" | "outputTokens" | "totalTokens" | "cacheReadTokens" | "cacheWriteTokens" | "cacheWriteHourTokens" | "audioInputTokens" | "audioCacheReadTokens" | "audioOutputTokens" | "reasoningTokens" | "cost" | "serviceTier" | "toolName" | "toolCallId" | "toolDescription" | "agentName" | "promptName" | "promptVersion" | "promptTemplate" | "promptVariables" | "errorType" | "level" | "statusMessage" | "sessionId" | "userId" | "tags" | "environment" | "version" | "metadata" | "traceName" | "displayName" | "traceInput" | "traceOutput" | null;
  })[];
};

export type MappingRule = {
  /** Key of the attribute; with a final `*`, every key that begins so. */
  key: string;
  /** Field that it gives. Own rules precede all others. */
  field: "kind" | "input" | "output" | "inputMessages" | "outputMessages" | "systemInstructions" | "toolDefinitions" | "documents" | "model" | "provider" | "responseId" | "finishReasons" | "inputTokens" | "outputTokens" | "totalTokens" | "cacheReadTokens" | "cacheWriteTokens" | "cacheWriteHourTokens" | "audioInputTokens" | "audioCacheReadTokens" | "audioOutputTokens" | "reasoningTokens" | "cost" | "serviceTier" | "toolName" | "toolCallId" | "toolDescription" | "agentName" | "promptName" | "promptVersion" | "promptTemplate" | "promptVariables" | "errorType" | "level" | "statusMessage" | "sessionId" | "userId" | "tags" | "environment" | "version" | "metadata" | "traceName" | "displayName" | "traceInput" | "traceOutput";
  /** Path into the value; a text is parsed as JSON first. */
  path?: string;
  /** Default: as the value was sent. */
  type?: "text" | "number" | "json";
  /** Kind of each span that has the attribute. */
  kind?: "SPAN" | "LLM" | "EMBEDDING" | "TOOL" | "RETRIEVER" | "RERANKER" | "AGENT" | "CHAIN" | "GUARDRAIL" | "EVALUATOR";
  /** For the field `kind`: the kind by value. Default: the names of kinds. */
  kinds?: Record<string, "SPAN" | "LLM" | "EMBEDDING" | "TOOL" | "RETRIEVER" | "RERANKER" | "AGENT" | "CHAIN" | "GUARDRAIL" | "EVALUATOR">;
};

export type MaskedValues = {
  /** Day of the request (UTC). */
  day: string;
  /** Detector, or name of an own pattern; `removed` for attributes that were removed. */
  detector: string;
  /** Key of the attribute, or name of the field. */
  attribute: string;
  count: number;
};

export type Masking = {
  /** Detectors whose findings are replaced by tokens. */
  detectors: ("email" | "phone" | "card" | "iban" | "secret")[];
  /** Own patterns, which precede the detectors. */
  patterns: ({
    /** Name in the tokens: `<name:3f9a1c20b7de>`. */
    name: string;
    /** Regular expression that runs in linear time. Case matters. */
    pattern: string;
  })[];
  /** Attributes that are removed, by key; a final `*` stands for any ending. Fields of native events by path: `metadata.email`. */
  removeAttributes: (string)[];
  /** The only attributes that are kept; null keeps all. `service.name`, `service.test.id` and `touchstone.*` always stay. */
  keepAttributes: (string)[] | null;
  /** Attributes whose values are stored as they are. */
  exemptAttributes: (string)[];
  /** Own patterns that are too slow. They are still searched in short texts; texts of more than 256 characters are masked completely, as if they matched. */
  suspended: ({
    name: string;
    /** End of the suspension; saving the rules ends it at once. */
    until: string;
    reason: string;
  })[];
};

export type MeasureEvaluatorBody = {
  /** True to return the expected cost only, without asking a model. */
  dryRun?: boolean;
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

export type MergeIssueBody = {
  /** Id or number of the issue that gets the links. */
  into: string;
};

export type ModelPrice = {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
  cacheWriteHour?: number;
  audioInput?: number;
  audioOutput?: number;
  audioCacheRead?: number;
  /** Prices of requests with more input tokens than `above`. */
  long?: {
    input: number;
    output: number;
    cacheRead?: number;
    cacheWrite?: number;
    cacheWriteHour?: number;
    audioInput?: number;
    audioOutput?: number;
    audioCacheRead?: number;
    above: number;
  } | ({
    input: number;
    output: number;
    cacheRead?: number;
    cacheWrite?: number;
    cacheWriteHour?: number;
    audioInput?: number;
    audioOutput?: number;
    audioCacheRead?: number;
    above: number;
  })[];
  /** By service tier: a factor, or prices of its own. */
  tiers?: Record<string, number | {
    input: number;
    output: number;
    cacheRead?: number;
    cacheWrite?: number;
    cacheWriteHour?: number;
    audioInput?: number;
    audioOutput?: number;
    audioCacheRead?: number;
  }>;
  /** First day (UTC) of the price. */
  from?: string;
};

export type Note = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  traceId: string;
  /** Span that the note is about; null for the complete trace. */
  spanId: string | null;
  /** Text that has the words; null if the note is about no words. */
  field: "INPUT" | "OUTPUT" | null;
  start: number | null;
  end: number | null;
  quote: string | null;
  /** What the person observed. */
  text: string;
  /** Users whom the note is for. */
  mentions: (string)[];
  /** Issue that the note is evidence for. */
  issueId: string | null;
  /** Half of the notes of the issue, which the trace decides: evaluators are drafted from the one, and measured on the other. Null without an issue. */
  half: "DRAFT" | "HOLDOUT" | null;
  /** True if the words are left out: `text` is empty and `quote` null. So it is in lists that name no trace, for the holdout of issues with 6 notes or more. */
  isSealed: boolean;
  createdBy: {
    type: "user" | "key";
    /** Id of the user, or `keyId` of the API key. */
    id: string;
    /** Name of the user or of the key at that time. */
    name: string;
  };
  /** True if the caller reviews the trace, or a test that is counted, in a blind queue, so that what shows a verdict is withheld; absent otherwise. */
  withheld?: boolean;
};

export type Occurrence = {
  /** Id of the link. */
  id: string;
  traceId: string;
  /** Test that the trace belongs to. */
  testId: string | null;
  /** Start of the trace. */
  seenAt: string;
  /** Time when it was linked. */
  createdAt: string;
  /** `NOTE`: linked by a note. `SELECTION`: chosen otherwise. */
  source: "SELECTION" | "NOTE";
  /** Beginning of the input of the trace. */
  input: string | null;
  /** Beginning of its output. */
  output: string | null;
};

export type OwnLogin = {
  /** Id of the login, which says nothing about its cookie. */
  id: string;
  /** When the browser signed in. */
  createdAt: string;
  /** When the login was last used, to within five minutes. */
  usedAt: string;
  /** When the login ends if it is not used. */
  expiresAt: string;
  /** Address from which the browser signed in; null if it is unknown. */
  address: string | null;
  /** What the browser said about itself; null if it is unknown. */
  userAgent: string | null;
  /** True for the login of this call. */
  isCurrent: boolean;
};

export type OwnMappings = {
  /** Grows with each change; 0 before the first. */
  version: number;
  modifiedAt: string | null;
  rules: (MappingRule)[];
};

export type OwnPrices = {
  /** Grows with each change; 0 before the first. */
  version: number;
  modifiedAt: string | null;
  /** By model, or `provider/model`, in US dollars per million tokens; a list for prices of several periods. */
  prices: Record<string, ModelPrice | (ModelPrice)[]>;
};

export type Pagination = {
  skip: number;
  limit: number;
  total: number;
  totalPages: number;
};

export type PolicyCounts = {
  /** Number of topics of the quickstart that are not archived. */
  topicsCount: number;
  /** Number of evaluation definitions of the quickstart that are linked to no topic. */
  applicationEvalCount: number;
  /** Its topics, oldest first, at most 10000. */
  topicEvalCounts: ({
    topicId: string;
    evalCount: number;
  })[];
};

export type PreviewMappingsBody = {
  /** Rules to try. Default: those of the application. */
  rules?: (MappingRule)[];
};

export type PreviewMaskingBody = {
  text: string;
  /** Key of the attribute with the text. */
  attribute?: string;
  /** Rules to try; absent ones are those of the application. */
  rules?: {
    /** Detectors whose findings are replaced by tokens. */
    detectors?: ("email" | "phone" | "card" | "iban" | "secret")[];
    /** Own patterns, which precede the detectors. */
    patterns?: ({
      /** Name in the tokens: `<name:3f9a1c20b7de>`. */
      name: string;
      /** Regular expression that runs in linear time. Case matters. */
      pattern: string;
    })[];
    /** Attributes that are removed, by key; a final `*` stands for any ending. Fields of native events by path: `metadata.email`. */
    removeAttributes?: (string)[];
    /** The only attributes that are kept; null keeps all. `service.name`, `service.test.id` and `touchstone.*` always stay. */
    keepAttributes?: (string)[] | null;
    /** Attributes whose values are stored as they are. */
    exemptAttributes?: (string)[];
  };
};

export type PutTaskScheduleBody = {
  /** Frequency of the task: `HIGH` daily, `MEDIUM` weekly, `LOW` every two weeks. */
  criticality: "HIGH" | "MEDIUM" | "LOW";
  /** Time of the day for `HIGH` (`30 9 * * *`), of the week for `MEDIUM` and `LOW` (`30 9 * * MON`; `LOW` uses every second week). The task starts within five minutes after it. Null or empty for a time that the server chooses. */
  cron?: string | null;
  /** IANA time zone of `cron`. Default: `UTC`. */
  timezone?: string;
  /** Default: true. */
  enabled?: boolean;
};

export type QueryReportBody = {
  datasource: "task" | "test" | "eval" | "topic" | "tag" | "human_annotation";
  /** Filters, all of which a row must meet. */
  filters?: ({
    /** Id of a column of the datasource. */
    column: string;
    /** `ne` and `notIn` include rows without a value; `between` includes both ends. */
    operator: "eq" | "ne" | "in" | "notIn" | "lt" | "lte" | "gt" | "gte" | "between" | "contains" | "isNull" | "isNotNull";
    /** Value to compare with: a text, a number, true or false, an ISO 8601 time or an id. `in` and `notIn` require a list, `between` a pair, `isNull` and `isNotNull` no value. */
    value?: string | number | boolean | (string | number | boolean)[];
  })[];
  /** Columns to group by. Without them all rows are one group. */
  groupBy?: ({
    /** Id of a column of the datasource. */
    column: string;
    /** Unit to which dates are truncated, in `timeZone`. Weeks begin on Monday. */
    truncate?: "hour" | "day" | "week" | "month" | "quarter" | "year";
  })[];
  /** IANA time zone in which dates are truncated. */
  timeZone?: string;
  measurements: ({
    /** `count` counts rows; with a column, those that have a value. `passRate`, in percent, accepts no column: it is the mean of the datasource’s pass rate. Percentiles interpolate. */
    aggregation: "count" | "countDistinct" | "sum" | "avg" | "min" | "max" | "median" | "p90" | "p95" | "p99" | "passRate";
    /** Id of a column of the datasource. */
    column?: string;
    /** Name of the measurement in the response. Default: the aggregation, or `aggregation_column`. */
    as?: string;
  })[];
  /** Order of the groups. Ties, and the default order, are by the groups. Relations are ordered by name; empty values are last. */
  orderBy?: ({
    /** A column of `groupBy`, or the name of a measurement. */
    by: string;
    direction?: "asc" | "desc";
  })[];
  /** Add the 95 % interval of the pass rate of each group, for examples like these; in a report of evals by `evalDefinition` also the corrected pass rate. For `test` and `eval`, and at most 10000 groups. */
  withIntervals?: boolean;
  limit?: number;
  skip?: number;
};

export type QueueItem = {
  id: string;
  orgId: string;
  applicationId: string;
  queueId: string;
  traceId: string;
  /** How the trace was chosen: at random from everything, at random from a part that the request named, by hand, or because of failed evals. Only `RANDOM` ones show how reliable a judge is: whoever names the part chooses. */
  selection: "RANDOM" | "RANDOM_PART" | "MANUAL" | "FAILED";
  /** `OPEN`: no one has judged it. `LEASED`: it is reserved for a reviewer. `PARTIAL`: more reviewers have to judge it. `DISPUTED`: reviewers differ, and a third one has to judge it. `COMPLETED`: it is settled. */
  status: "OPEN" | "LEASED" | "PARTIAL" | "DISPUTED" | "COMPLETED";
  /** Number of people who have judged it. */
  reviews: number;
  /** Time when as many people as `reviewsPerItem` says had judged the trace; null until then. */
  completedAt: string | null;
  /** Time from which an item that is not completed counts as `EXPIRED`. */
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
  /** Style guide; confirming the style scores approves all its sections. */
  styleGuideId: string | null;
  status: "UPLOADING" | "PROCESSING" | "TASKS_TOPICS_REVIEW" | "KNOWLEDGE_BASE_REVIEW" | "POLICIES_REVIEW" | "STYLE_REVIEW" | "COMPLETING" | "COMPLETE" | "FAILED";
  /** Reason for the status `FAILED`, else null. */
  reason: string | null;
  /** Uploads, newest first. */
  uploads: (QuickstartUpload)[];
  /** Numbers of records of the quickstart, including drafts and archived ones. */
  counts: {
    topics: number;
    tasks: number;
    definitions: number;
    documents: number;
  };
};

export type QuickstartStep = {
  step: "UPLOAD" | "TASKS_TOPICS" | "KNOWLEDGE_BASE" | "POLICIES" | "STYLE";
  /** Number of its records: uploads, tasks, documents, policies with their evaluation definitions, or sections of the style guide. */
  total: number;
  /** Number of those that people have accepted: verified drafts, active records, approved sections, and uploads that are completed. */
  accepted: number;
  /** Number of archived records, and of uploads that failed. */
  rejected: number;
};

export type QuickstartUpload = {
  id: string;
  quickstartId: string;
  fileName: string;
  /** Size in bytes. */
  fileSize: number;
  status: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
  /** `conversations` create topics and tasks, `knowledge_base` and `policy` create documents; all of them drafts. */
  materialType: "conversations" | "knowledge_base" | "policy";
  createdAt: string;
  modifiedAt: string;
  /** Fault of the complete file; for `FAILED` only. */
  errorMessage?: string;
};

export type QuickstartUploadReport = {
  /** Number of rows read so far, without the header. */
  rows: number;
  /** Numbers of created records. Existing topics and tasks of the quickstart with the title of a row are reused. */
  created: {
    topics: number;
    tasks: number;
    /** Number of prompts added to tasks, without duplicates and those beyond the limit of a task. */
    inputExamples: number;
    conversations: number;
    documents: number;
    definitions: number;
  };
  /** When the first rows were stored; absent until then, and in reports of earlier versions. */
  startedAt?: string;
  /** First 100 topics and tasks of the quickstart that existed before and that rows were added to. An upload replaces nothing: documents and definitions are created beside those with the same title. */
  reused?: ({
    type: "topic" | "task";
    id: string;
    title: string;
  })[];
  /** Numbers of prompts that were not added to a task. Their conversations are stored. */
  notCarried?: {
    /** Prompts that their task already has. */
    knownPrompts: number;
    /** Prompts for which their task has no room. */
    promptsBeyondLimit: number;
  };
  /** First 100 rows that created no record. */
  rejected: ({
    /** Line on which the row begins; the header is on line 1. */
    line: number;
    error: string;
  })[];
  rejectedCount: number;
  /** Columns of the file that nothing was taken from; absent until the first rows are stored. */
  unusedColumns?: (string)[];
};

export type QuickstartUploadWithReport = {
  id: string;
  quickstartId: string;
  fileName: string;
  /** Size in bytes. */
  fileSize: number;
  status: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
  /** `conversations` create topics and tasks, `knowledge_base` and `policy` create documents; all of them drafts. */
  materialType: "conversations" | "knowledge_base" | "policy";
  createdAt: string;
  modifiedAt: string;
  /** Fault of the complete file; for `FAILED` only. */
  errorMessage?: string;
  report: QuickstartUploadReport;
};

export type RateInterval = {
  low: number;
  high: number;
  /** What the interval says something about: `THESE_EXAMPLES` other tests of the same examples, `THESE_TASKS` other examples of the same tasks, `EXAMPLES_LIKE_THESE` other examples, of other tasks if there are at least five; of the same two to four tasks it says `THESE_TASKS`. */
  question: "THESE_EXAMPLES" | "THESE_TASKS" | "EXAMPLES_LIKE_THESE";
  /** What counts as one observation: a test, an example with all its tests (examples of one task with the same input are one), or a task with all its examples. */
  clusteredBy: "TEST" | "EXAMPLE" | "TASK";
  /** Number of observations. */
  clusters: number;
  /** Number of different examples. */
  examples: number;
  /** Number of tests that count. */
  tests: number;
  /** Method: `GAFFKE`, the bound of Gaffke over examples, which is that of Clopper and Pearson for single tests; `TWO_LEVEL`, the wider of it and of sign flips over tasks. */
  method: "GAFFKE" | "TWO_LEVEL";
};

export type RejectIssueBody = {
  reason: string;
};

export type Rejection = {
  id: string;
  at: string;
  keyId: string;
  source: string;
  reason: string;
  message: string;
  /** Number of spans, events or log records; 0 for a request that was rejected completely. */
  spans: number;
  /** Id as it was sent: in hex, or the text of an invalid JSON id. */
  traceId: string | null;
  spanId: string | null;
};

export type RelayedFailure = {
  error: {
    /** Reason why there is no response: no connection, a timeout, a name without an address, or a broken connection. */
    kind: "refused" | "timeout" | "dns" | "lost";
    message: string;
  };
};

export type RelayedRequest = {
  id: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
};

export type RelayedResponse = {
  /** HTTP status of the app's response. */
  status: number;
  /** Headers of the response. */
  headers?: Record<string, string>;
  /** First 16 KiB of the response, as text. */
  body?: string;
};

export type Reliability = {
  definitionId: string;
  /** Version of the definition that made these evals. */
  version: number;
  /** Hash of provider, base URL, model, parameters, prompts, criterion, style guide and repeats of the newest eval. All numbers are based on evals with the same hash, because a changed judge is another judge. Null for rules and without evals. */
  judgeVersion: string | null;
  /** True if the verdicts of this definition are only shown: a judge model decides, and no valid gate proves that it agrees with people. */
  isAdvisory: boolean;
  /** State of the gate of the definition; null when it has none. */
  gate: {
    minKappa: number;
    minAnnotations: number;
    /** True if the last test passed and newer verdicts do not contradict it. */
    isValid: boolean;
    /** Reason why the gate is not valid. */
    reason: string | null;
    /** Number of human verdicts on tests and traces drawn at random. */
    verdicts: number;
    lastTest: {
      number: number;
      /** Number of verdicts that the test used: the first ones. */
      verdicts: number;
      kappa: number | null;
      /** Lower bound of kappa. */
      low: number | null;
      /** One-sided confidence of the bound, 0 to 1. */
      confidence: number;
      isPassed: boolean;
      /** False if the judge could not have passed, whatever people said: too few of what it let pass or fail were drawn. Such a test leaves its share of the error to the next one. */
      isPossible: boolean;
    } | null;
    /** Kappa of the newest verdicts, when its upper bound is below `minKappa`. */
    revokedBy: {
      verdicts: number;
      kappa: number;
      /** Upper bound of kappa. */
      high: number;
    } | null;
    /** Number of verdicts at the next test, twice that of the last one. */
    nextTestAt: number;
    /** Number of tests and traces that the next test takes, because they were drawn first, and that no one has judged. */
    awaited: number;
    /** Days after which the gate expires. */
    maxAgeDays: number;
    /** Number of canaries that are frozen, at most. */
    canaries: number;
    /** Time when the gate expires or has expired; null if the last test did not pass. */
    expiresAt: string | null;
  } | null;
  /** Only verdicts of people on this definition count: those that name it with `evalDefinitionId`, and, if the definition `isOverall`, those on the complete trace. The human verdict is that of the majority, counting the newest verdict of each person on the trace. */
  verdicts: {
    /** Number of evals with a human verdict; all numbers here are based on them. */
    compared: number;
    /** Number of the compared evals on which people are tied or unsure. They count half as pass and half as fail, until one more person decides. */
    tied: number;
    /** Number of the compared evals on which people differed and the majority, such as a third person, decided. */
    settled: number;
    /** Number of annotated traces without a completed eval of this version. */
    unjudged: number;
    /** Number of the compared evals on traces that a queue drew at random. */
    random: number;
    /** Number of further verdicts on traces drawn at random until there are 30, from which on the pass rate can be corrected. */
    missing: number;
  };
  /** Number of evals by the verdicts of the definition and of people; one on which people are tied counts half in two places. */
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
  /** Share of evals on which both agree. Null without verdicts. */
  agreement: {
    rate: number;
    low: number;
    high: number;
  } | null;
  /** Cohen’s kappa: agreement beyond chance (0 none, 1 perfect), with its 95 % confidence interval. Null without verdicts, and when both always pass or both always fail. */
  kappa: {
    value: number;
    low: number;
    high: number;
  } | null;
  /** How far people agree with each other. A judge cannot agree with people more than they do. */
  annotators: {
    /** Number of traces on which two or more people gave a verdict. */
    traces: number;
    /** Krippendorff’s alpha: agreement beyond chance (0 none, 1 perfect), with its confidence interval, which contains the truth in about 95 % of cases, in 92 % with few traces. Null without such traces, and when all their verdicts are alike. */
    alpha: {
      value: number;
      low: number;
      high: number;
    } | null;
    /** Fleiss’ kappa of the same verdicts, in which each trace weighs the same; null as alpha is. */
    fleissKappa: {
      value: number;
      low: number;
      high: number;
    } | null;
    /** The people with the most verdicts, at most 20. */
    people: ({
      annotatorId: string;
      /** Number of traces that the person judged. */
      verdicts: number;
      /** Percentage of these that the person let pass; unsure counts half. */
      passRate: number;
      /** Number of these that others judged too. */
      shared: number;
      /** Percentage points by which the person lets more of the shared traces pass than the others do on average; null without any. */
      bias: number | null;
    })[];
    /** Each two of these people who have judged the same traces. */
    pairs: ({
      annotatorIds: (string)[];
      /** Number of traces that both judged. */
      traces: number;
      /** Number of these on which they agree. */
      agreed: number;
      /** Cohen’s kappa of the two; null when it is undefined. */
      kappa: number | null;
    })[];
  };
  /** Share that the definition passes, of those that people pass. Null when people pass none. */
  truePositiveRate: {
    rate: number;
    low: number;
    high: number;
  } | null;
  /** Share that the definition fails, of those that people fail. Null when people fail none. */
  trueNegativeRate: {
    rate: number;
    low: number;
    high: number;
  } | null;
  /** Estimated percentage that would pass if people judged all of them, with the 95 % confidence interval (Rogan and Gladen; Lang and Reiczigel). The rates of true positives and negatives are measured on traces drawn at random only. */
  correctedPassRate: {
    rate: number;
    low: number;
    high: number;
    /** True if the corrected rate was outside 0 to 100 and was limited to that range. */
    isClamped: boolean;
    /** Number of evals of this version on traces other than those drawn at random. */
    judged: number;
    /** Percentage of these evals that passed. */
    judgedPassRate: number;
  } | null;
  /** Reason why there is no corrected pass rate. */
  refusal: {
    code: "TOO_FEW_VERDICTS" | "ONE_SIDED_VERDICTS" | "WEAK_JUDGE" | "NOTHING_ELSE_JUDGED";
    message: string;
  } | null;
};

export type RenewItemLeaseBody = {
  token: string;
};

export type ReopenIssueBody = {
  reason?: string | null;
};

export type ReplaceDocumentTagsBody = {
  /** All tags that it shall have. */
  tagIds: (string)[];
};

export type ReplaceTaskTagsBody = {
  /** All tags that it shall have. */
  tagIds: (string)[];
};

export type Report = {
  data: ({
    /** Values of the group, by the id of the column. */
    groups: Record<string, string | number | boolean | {
      id: string;
      name: string;
    } | null>;
    /** Values of the measurements, by name. Null when no row has a value. */
    values: Record<string, number | string | null>;
    /** Interval of the pass rate, in percent; null when no row has one. Present only with `withIntervals`. In a report of evals, `tests` counts evals. */
    passRateInterval?: RateInterval | null;
    /** Estimated percentage that would pass if people judged these evals, with the 95 % confidence interval, for which an example with all its tests is one observation. Null for rules, for advisory definitions, when too few human verdicts exist, and when another version of the definition or of its judge made some of the evals. */
    correctedPassRate?: {
      rate: number;
      low: number;
      high: number;
      /** True if the corrected rate was outside 0 to 100 and was limited to that range. */
      isClamped: boolean;
    } | null;
  })[];
  columns: ({
    /** Name in `groups` or `values`. */
    id: string;
    role: "group" | "measurement";
    column: string | null;
    title: string;
    type: "string" | "number" | "boolean" | "date" | "enum" | "relation";
    /** Unit of its numbers; null for none. */
    unit: string | null;
  })[];
  /** `total` counts groups. */
  pagination: Pagination;
};

export type RequestEvent = {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  /** An object, or a text with the JSON of one. Anything else is kept as the field `metadata`. */
  metadata?: Record<string, unknown> | (unknown)[] | string;
  /** Milliseconds. The `timestamp` of an `llm` end is its end, of all others the start. */
  durationMs?: number;
  /** Time of the end, in the forms of `timestamp`. */
  endTime?: string;
  /** `success`, `error`, `timeout` or `pending`. */
  status?: string;
  /** Status code. */
  statusCode?: string | number;
  /** Message of the error, which makes the step a failed one unless its `status` is `success`. */
  error?: string;
  /** Cost in US dollars. */
  costAmount?: number;
  type: "request";
  content: string | Record<string, unknown> | (unknown)[];
};

export type RerankerEvent = {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  /** An object, or a text with the JSON of one. Anything else is kept as the field `metadata`. */
  metadata?: Record<string, unknown> | (unknown)[] | string;
  /** Milliseconds. The `timestamp` of an `llm` end is its end, of all others the start. */
  durationMs?: number;
  /** Time of the end, in the forms of `timestamp`. */
  endTime?: string;
  /** `success`, `error`, `timeout` or `pending`. */
  status?: string;
  /** Status code. */
  statusCode?: string | number;
  /** Message of the error, which makes the step a failed one unless its `status` is `success`. */
  error?: string;
  /** Cost in US dollars. */
  costAmount?: number;
  input?: string | Record<string, unknown> | (unknown)[] | null;
  output?: string | Record<string, unknown> | (unknown)[] | null;
  type: "reranker";
};

export type ReserveNextItemBody = {
  /** True to reserve the item after the one that is reserved for the caller already. */
  prefetch?: boolean;
  /** Item to reserve; null for the next one. */
  itemId?: string | null;
};

export type ResolveIssueBody = {
  /** Required with `withoutEvidence`. */
  reason?: string | null;
  /** True to resolve it although evidence is missing. It stays marked. */
  withoutEvidence?: boolean;
};

export type ResponseEvent = {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  /** An object, or a text with the JSON of one. Anything else is kept as the field `metadata`. */
  metadata?: Record<string, unknown> | (unknown)[] | string;
  /** Milliseconds. The `timestamp` of an `llm` end is its end, of all others the start. */
  durationMs?: number;
  /** Time of the end, in the forms of `timestamp`. */
  endTime?: string;
  /** `success`, `error`, `timeout` or `pending`. */
  status?: string;
  /** Status code. */
  statusCode?: string | number;
  /** Message of the error, which makes the step a failed one unless its `status` is `success`. */
  error?: string;
  /** Cost in US dollars. */
  costAmount?: number;
  type: "response";
  content: string | Record<string, unknown> | (unknown)[];
};

/** Results of the current evals with a verdict, of completed tests. A test that failed because of the app (`webhook_status`, `webhook_timeout`, `trace_missing`) counts as one eval that did not pass; other failed tests do not count. */
export type Result = {
  /** Number of evals that passed. */
  passed: number;
  /** Number of evals that did not pass. */
  failed: number;
  total: number;
  /** Percentage: mean over tests of the share of their evals that passed; null when nothing counts. */
  passRate: number | null;
  /** Mean of the scores, each on a scale from 0 to 1; null when there is none. */
  averageScore: number | null;
};

export type Results = {
  data: ({
    taskId: string;
    exampleId: string | null;
    /** Place of the example in its task, from 0. */
    exampleIndex: number | null;
    input: string;
    /** Expected value of the example as it is now; null without one, and for a deleted example. */
    expected: string | null;
    isExampleDeleted: boolean;
    /** Change between the sides; null with one side. */
    change: "REGRESSED" | "FIXED" | "BOTH_FAILED" | "ONE_SIDE" | "BOTH_PASSED" | null;
    /** True if the beginnings of the outputs differ. */
    isOutputChanged: boolean | null;
    /** Sides that were tested with the example. */
    sides: ({
      /** Place of the side among `side` of the request, from 0. */
      side: number;
      /** Number of tests of the example. */
      tests: number;
      /** Number of those that passed. */
      passed: number;
      /** Outcome of the example: of several tests, that which needs attention most. */
      outcome: "FAILED" | "APP_ERROR" | "NO_VERDICT" | "NOT_RUN" | "RUNNING" | "PASSED";
      /** Test with that outcome, of which the other fields are. */
      testId: string;
      traceId: string | null;
      output: string | null;
      /** True if the output is longer than shown. */
      isTruncated: boolean;
      cause: {
        key: string;
        /** Cause in words. */
        title: string;
      } | null;
      verdicts: ({
        evalId: string;
        definitionId: string;
        status: "PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "SKIPPED";
        passed: boolean | null;
        score: number | null;
        reason: string | null;
        /** Places in the output of the words that the verdict is about, in UTF-16 code units. */
        citations: ({
          start: number;
          end: number;
        })[];
      })[];
      /** Duration of the traces of the app. */
      durationMs: number | null;
      /** Cost of the traces, in US dollars. */
      cost: number | null;
      tokens: number | null;
      /** True if the caller reviews the trace, or a test that is counted, in a blind queue, so that what shows a verdict is withheld; absent otherwise. */
      withheld?: boolean;
    })[];
    /** Group of the example; only with `groupBy`. */
    group?: {
      key: string;
      title: string;
      /** Number of its examples that meet the filter. */
      count: number;
    };
  })[];
  pagination: Pagination;
  /** Evaluators with verdicts on a side, blocking ones first. */
  columns: ({
    definitionId: string;
    name: string;
    type: string;
    /** True if its verdict can fail a test. */
    isBlocking: boolean;
    /** Lowest score. */
    min: number;
    /** Highest score. */
    max: number;
  })[];
  /** Number of examples by outcome, change and cause, and of tests by verdict, whatever the filter. */
  facets: {
    outcomes: {
      FAILED: number;
      APP_ERROR: number;
      NO_VERDICT: number;
      NOT_RUN: number;
      RUNNING: number;
      PASSED: number;
    };
    changes: {
      REGRESSED: number;
      FIXED: number;
      BOTH_FAILED: number;
      ONE_SIDE: number;
      BOTH_PASSED: number;
      OUTPUT_CHANGED: number;
    };
    /** Largest first, at most 200. */
    causes: ({
      key: string;
      /** Cause in words. */
      title: string;
      /** What became of the test. `PASSED`: every blocking verdict passed, and none is missing. `FAILED`: a blocking verdict did not pass. `APP_ERROR`: the app rejected the test, took too long or sent no trace; it counts as failed. `NO_VERDICT`: a verdict is missing. `NOT_RUN`: the app was not tested. `RUNNING`: the test has not ended. `NO_VERDICT` and `NOT_RUN` count nowhere. */
      outcome: "FAILED" | "APP_ERROR" | "NO_VERDICT" | "NOT_RUN" | "RUNNING" | "PASSED";
      count: number;
    })[];
    definitions: ({
      id: string;
      passed: number;
      failed: number;
      none: number;
    })[];
  };
};

export type Retention = {
  /** Days for which a trace is kept after the day of its arrival; null = without limit. */
  days: number | null;
  /** Bytes that the traces may use; beyond it the oldest are deleted. null = without limit. */
  maxBytes: number | null;
  /** Days for which traces are kept beyond both limits if they have human annotations, wait in an annotation queue, are the source of an example, or belong to a test that is not over, to one of the last 20 tests of a task, to a run set that is kept, or to a running experiment. */
  pinnedDays: number;
  /** Number of run sets of each branch that are kept with their traces and the texts of their judges, for at most `pinnedDays`, of those that decided or were the baseline of a decision. */
  keptRunSets: number;
  /** Stored traces, measured every hour and before each response of this resource. Bytes are estimated with their indexes. */
  usage: {
    traces: number;
    spans: number;
    bytes: number;
    /** Mean of the last 7 complete days. */
    bytesPerDay: number;
    /** Day on which the oldest stored trace arrived (UTC). */
    oldestDay: string | null;
    /** Time to which the numbers belong: the begin of the last count that has ended; null if none has. */
    measuredAt: string | null;
    /** True if the traces could not be counted within 5 seconds: the numbers are those of an earlier count, or too low if there was none. Repeat the request, which continues the count. */
    isMeasuring: boolean;
  };
  /** What the limits delete, traces that are kept as pinned included. */
  due: {
    traces: number;
    spans: number;
    bytes: number;
    /** Traces that arrived before this day (UTC) are due by age. */
    before: string | null;
  };
  /** Days until `maxBytes` is reached at the present growth; null without a limit or growth. */
  daysLeft: number | null;
  /** The last run that deleted traces. */
  lastRun: {
    at: string;
    deletedTraces: number;
    deletedBytes: number;
  } | null;
  /** True if the traces beyond `maxBytes` are all pinned. */
  isOverBudget: boolean;
};

export type RetrieverEvent = {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  /** An object, or a text with the JSON of one. Anything else is kept as the field `metadata`. */
  metadata?: Record<string, unknown> | (unknown)[] | string;
  /** Milliseconds. The `timestamp` of an `llm` end is its end, of all others the start. */
  durationMs?: number;
  /** Time of the end, in the forms of `timestamp`. */
  endTime?: string;
  /** `success`, `error`, `timeout` or `pending`. */
  status?: string;
  /** Status code. */
  statusCode?: string | number;
  /** Message of the error, which makes the step a failed one unless its `status` is `success`. */
  error?: string;
  /** Cost in US dollars. */
  costAmount?: number;
  type: "retriever";
  query: string | Record<string, unknown> | (unknown)[];
  result: string | Record<string, unknown> | (unknown)[];
};

export type ReviewContent = {
  /** Earlier turns of the conversation, earliest first. */
  turns: ({
    input: unknown;
    output: unknown;
  })[];
  /** Input of the trace, any JSON. */
  input: unknown;
  /** Output of the trace, which is judged, any JSON. */
  output: unknown;
  /** Tool calls of the app, in the order of their start. */
  steps: ({
    name: string;
    arguments: unknown;
    result: unknown;
    isError: boolean;
  })[];
  documents: ({
    id: string;
    title: string;
    content: string;
  })[];
  /** True if there is more than is shown. */
  isTruncated: boolean;
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
  /** Run set that it belongs to; null if it was started alone. */
  runSetId: string | null;
  /** Seed of the prompts that a model wrote; null for a run of a task with examples. */
  promptSeed: number | null;
  /** Session of the run: that of the first trace with one, in the first test with such a trace. */
  threadId: string | null;
  /** Number of tests, by progress. */
  tests: {
    total: number;
    pending: number;
    inProgress: number;
    completed: number;
    failed: number;
    /** Number of tests with at least one verdict, or that failed because of the app. */
    judged: number;
    /** Number of tests that a definition could not judge, for want of a judge, budget, documents or an expected value. */
    skipped: number;
  };
  /** Results of each definition, by its id. */
  evals: ({
    id: string;
    name: string;
    type: string;
    /** Number of evals that passed. */
    passed: number;
    /** Number of evals that did not pass. */
    failed: number;
    total: number;
    /** Percentage: mean over tests of the share of their evals that passed; null when nothing counts. */
    passRate: number | null;
    /** Mean of the scores, each on a scale from 0 to 1; null when there is none. */
    averageScore: number | null;
    /** True if the verdicts of this definition are only shown: a judge model decides, and no valid gate proves that it agrees with people. */
    isAdvisory: boolean;
    /** Estimated percentage that would pass if people judged these evals, with the 95 % confidence interval, for which an example with all its tests is one observation. Null for rules, for advisory definitions, when too few human verdicts exist, and when another version of the definition or of its judge made some of the evals. */
    correctedPassRate: {
      rate: number;
      low: number;
      high: number;
      /** True if the corrected rate was outside 0 to 100 and was limited to that range. */
      isClamped: boolean;
    } | null;
  })[];
  result: Result;
  /** 95 % confidence interval of the pass rate, in percent; null when nothing counts. */
  passRateInterval: RateInterval | null;
  /** Number of tests by outcome. */
  outcomes: {
    passed: number;
    failed: number;
    appError: number;
    noVerdict: number;
    notRun: number;
    running: number;
  };
  /** 95 % confidence interval of the percentage of tests that passed, of those that passed, failed or ended with an error of the app; null when there are none. */
  outcomeInterval: RateInterval | null;
  /** Results of repeated tests that count, by input example; a test passes when all its evals pass. Present only in the response for a single record, and if an input example was tested twice. */
  repeats?: {
    /** Number of input examples that were tested twice or more. */
    groups: number;
    /** Number of tests that each of these has, at most 8. */
    k: number;
    /** Percentage: probability that all of `k` tests of an input example pass. */
    passPowK: number;
    /** Percentage: probability that at least one of `k` tests of an input example passes. */
    passAtK: number;
    /** Percentage of the groups with both passed and failed tests. */
    flakiness: number;
  };
  /** Endpoints that the run waits for, because they take fewer requests than it has: judges, scorers and the webhook. Only in `GET /v0/runs/{id}`; absent if there are none. */
  waitsFor?: ({
    /** Kind of the endpoint. */
    kind: "JUDGE" | "SCORER" | "WEBHOOK";
    /** Name of the judge in the settings; of a scorer or a webhook the address without its query. */
    name: string;
    /** Number of evals of the run without a verdict by the endpoint; of a webhook the tests to send. */
    waiting: number;
    /** Number of requests that the endpoint takes at once now, of all runs. */
    requestsAtOnce: number;
    /** Time until which the endpoint gets no request, because it rejected some; null without a pause. */
    pausedUntil: string | null;
    /** Rate at which the endpoint takes requests, of all runs; null while no limit is known. */
    requestsPerMinute: number | null;
    /** Earliest time by which the endpoint can have answered all, at the present rate; null while nothing is known. */
    forecast: string | null;
  })[];
  /** Definitions with a valid gate of which another judge gave some of the verdicts of this run than the one that was measured when the run set was started (today, for a run of no run set), such as another model behind the same name. Their verdicts are advisory here. Absent if there are none. */
  otherJudges?: (string)[];
  /** True if the caller reviews the trace, or a test that is counted, in a blind queue, so that what shows a verdict is withheld; absent otherwise. */
  withheld?: boolean;
};

export type RunComparison = {
  confidence: number;
  /** What the interval says something about: `THESE_EXAMPLES` other tests of the same examples, `THESE_TASKS` other examples of the same tasks, `EXAMPLES_LIKE_THESE` other examples, of other tasks if there are at least five; of the same two to four tasks it says `THESE_TASKS`. */
  question: "THESE_EXAMPLES" | "THESE_TASKS" | "EXAMPLES_LIKE_THESE";
  definitionId: string | null;
  baseline: {
    /** Number of tests that count: completed with a verdict, or failed because of the app, which counts as 0. With `definitionId`, only tests that it judged. */
    tests: number;
    /** Number of unfinished tests, which do not count. */
    unfinished: number;
    /** Number of tests that failed for reasons outside the app, which do not count. */
    errors: number;
    /** Number of tests without a verdict whose trace was deleted: nothing can judge them, and they do not count. */
    tracesDeleted: number;
    /** Percentage: mean over all its tests of the share of their evals that passed; with `equalTasks`, mean of that of its tasks. */
    passRate: number | null;
    /** Interval of the pass rate, in percent. */
    passRateInterval: RateInterval | null;
  };
  /** Candidates in the order of the request. */
  candidates: ({
    /** Number of tests that count: completed with a verdict, or failed because of the app, which counts as 0. With `definitionId`, only tests that it judged. */
    tests: number;
    /** Number of unfinished tests, which do not count. */
    unfinished: number;
    /** Number of tests that failed for reasons outside the app, which do not count. */
    errors: number;
    /** Number of tests without a verdict whose trace was deleted: nothing can judge them, and they do not count. */
    tracesDeleted: number;
    /** Percentage: mean over all its tests of the share of their evals that passed; with `equalTasks`, mean of that of its tasks. */
    passRate: number | null;
    /** Interval of the pass rate, in percent. */
    passRateInterval: RateInterval | null;
    /** Number of combinations of task and input that count on both sides, judged by the same; only these are compared. */
    pairs: number;
    /** Number of combinations that count for the baseline only. */
    onlyInBaseline: number;
    /** Number of combinations that count for the candidate only. */
    onlyInCandidate: number;
    /** Number of combinations that are not compared because what was expected, a definition or a judge had another version on the other side. */
    judgedOtherwise: number;
    /** Percentage of all combinations that were tested on a side, whether or not they count, that are pairs: that of the side where it is lower. */
    pairedShare: number;
    /** Combinations that are no pair, at most 50. */
    unpaired: ({
      taskId: string;
      exampleId: string | null;
      /** First 100 characters of the prompt. */
      prompt: string;
      /** Why it is no pair: a side was not tested with it, none of its tests there counts, or it was judged by other versions there. */
      reason: "NOT_IN_BASELINE" | "NOT_IN_CANDIDATE" | "DOES_NOT_COUNT_IN_BASELINE" | "DOES_NOT_COUNT_IN_CANDIDATE" | "DOES_NOT_COUNT" | "JUDGED_OTHERWISE";
    })[];
    /** Comparison of the pairs; null without pairs. */
    difference: {
      /** Percentage: pass rate of the baseline over the pairs. */
      baseline: number;
      /** Percentage: pass rate of the candidate over the pairs. */
      candidate: number;
      /** Percentage points by which the candidate is higher. */
      estimate: number;
      low: number;
      /** Bound of the interval of the difference, in percentage points. */
      high: number;
      /** What the interval says something about: `THESE_EXAMPLES` other tests of the same examples, `THESE_TASKS` other examples of the same tasks, `EXAMPLES_LIKE_THESE` other examples, of other tasks if there are at least five; of the same two to four tasks it says `THESE_TASKS`. */
      question: "THESE_EXAMPLES" | "THESE_TASKS" | "EXAMPLES_LIKE_THESE";
      /** What counts as one observation: a test, an example with all its tests (examples of one task with the same input are one), or a task with all its examples. */
      clusteredBy: "TEST" | "EXAMPLE" | "TASK";
      /** Number of observations. */
      clusters: number;
      /** Method of the p value and the interval: `SIGN_FLIP` over examples, and over tasks where these are the observations; `NEWCOMBE_INDEPENDENT` for the same examples. */
      method: "SIGN_FLIP" | "NEWCOMBE_INDEPENDENT";
      /** What counts as one observation, and why. */
      reason: string;
      /** The upper bound if nothing of the candidate had passed: if it is not below 0, no result could have shown a loss. */
      highIfNonePassed: number;
      /** About the smallest loss that the comparison would have shown, in percentage points: how far below the estimate no difference would have been excluded, with results that differ as much as these. */
      smallestLoss: number;
      /** Two-sided p value for no difference. */
      pValue: number;
      /** P value adjusted for the number of candidates (Holm); compare this one with the limit. */
      adjustedPValue: number;
      /** P value adjusted by Benjamini and Hochberg: among all candidates below a limit, at most that share is found by chance. */
      falseDiscoveryPValue: number;
    } | null;
    effectSize: {
      /** The difference, from −1 to 1. */
      riskDifference: number;
      /** Ratio of the odds of passing to those of the baseline; null when a side always or never passes. */
      oddsRatio: number | null;
      /** Standard deviations by which the scores of the pairs are higher; null with fewer than two pairs with scores on both sides, or without variation. */
      cohensD: number | null;
    } | null;
    tasks: {
      better: number;
      worse: number;
      same: number;
      /** Tasks, largest difference first, at most 50. */
      mostImproved: ({
        taskId: string;
        title: string;
        pairs: number;
        baseline: number;
        candidate: number;
        difference: number;
      })[];
      /** Tasks, largest difference first, at most 50. */
      mostWorsened: ({
        taskId: string;
        title: string;
        pairs: number;
        baseline: number;
        candidate: number;
        difference: number;
      })[];
    };
    /** Results of each definition that judged both sides, by its id. Use `definitionId` to get an interval. */
    definitions: ({
      id: string;
      name: string;
      type: string;
      /** True if the verdicts of this definition are only shown: a judge model decides, and no valid gate proves that it agrees with people. */
      isAdvisory: boolean;
      pairs: number;
      baseline: number;
      candidate: number;
      difference: number;
      /** Estimated percentage that would pass if people judged these evals, with the 95 % confidence interval, for which an example with all its tests is one observation. Null for rules, for advisory definitions, when too few human verdicts exist, and when another version of the definition or of its judge made some of the evals. */
      correctedBaseline: {
        rate: number;
        low: number;
        high: number;
        /** True if the corrected rate was outside 0 to 100 and was limited to that range. */
        isClamped: boolean;
      } | null;
      /** Estimated percentage that would pass if people judged these evals, with the 95 % confidence interval, for which an example with all its tests is one observation. Null for rules, for advisory definitions, when too few human verdicts exist, and when another version of the definition or of its judge made some of the evals. */
      correctedCandidate: {
        rate: number;
        low: number;
        high: number;
        /** True if the corrected rate was outside 0 to 100 and was limited to that range. */
        isClamped: boolean;
      } | null;
    })[];
    /** What at least half of the traces of each side have otherwise than those of the other, at most 50. Attributes that name one request or one machine are left out. */
    changes?: ({
      /** What changed: the instructions of a call of a model, its model, a parameter of it, the tools that it was given, or an attribute of the app, such as a version. */
      kind: "SYSTEM_MESSAGE" | "MODEL" | "PARAMETER" | "TOOLS" | "ATTRIBUTE";
      /** Name of the call, of the parameter or of the attribute. */
      name: string;
      /** Value of most traces; null if most have none. At most 4,000 characters. */
      baseline: string | null;
      /** Value of most traces; null if most have none. At most 4,000 characters. */
      candidate: string | null;
      /** Share of the traces of the baseline with that value, from 0 to 1. */
      baselineShare: number;
      /** Share of the traces of the candidate with that value, from 0 to 1. */
      candidateShare: number;
    })[];
    /** Number of traces that were read for `changes`. */
    tracesRead?: {
      baseline: number;
      candidate: number;
    };
  })[];
};

export type RunResultsAgainBody = {
  /** Filters of `GET /v0/results`. */
  results: {
    /** Filter line, such as `verdict:fail -model:gpt-4o output:/14 days/ last:24h`: terms that must all hold. docs/filters.md has its fields. A line that cannot be parsed is rejected (422); `issues` then has the place (`start`, `end`) and a `suggestion` for each fault. */
    q?: string;
    side: (string)[];
    outcome?: ("FAILED" | "APP_ERROR" | "NO_VERDICT" | "NOT_RUN" | "RUNNING" | "PASSED")[];
    change?: ("REGRESSED" | "FIXED" | "BOTH_FAILED" | "ONE_SIDE" | "BOTH_PASSED" | "OUTPUT_CHANGED")[];
    causeKey?: (string)[];
    issueId?: (string)[];
    definitionId?: string;
    passed?: boolean;
  };
  /** Number of tests of each example. */
  repeat?: number;
};

export type RunSet = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  title: string | null;
  commit: string | null;
  branch: string | null;
  pullRequest: string | null;
  buildUrl: string | null;
  author: string | null;
  metadata: Record<string, unknown> | null;
  /** `COMPLETED` when all tests have ended and one of them completed, `FAILED` if none did or not all could be started. */
  status: "RUNNING" | "COMPLETED" | "FAILED" | "CANCELLED";
  /** Number of tests of each example. */
  repeat: number;
  /** Its runs, one for each task. */
  runIds: (string)[];
  /** Progress. */
  tests: {
    /** Number of its tests, started or not. */
    total: number;
    /** Number of those that have not ended. */
    open: number;
  };
  /** Canaries of the judges of its definitions. */
  canaries: {
    /** Number of frozen tests and traces that judges judge again. */
    total: number;
    /** Number of those that wait for their verdict. */
    open: number;
  };
  /** Number of examples that were chosen at its start. */
  examples: number;
  result: Result;
  /** Progress of a run set that tests in batches until it is sure; null for one that tests all at once. */
  untilSure: {
    batch: number;
    /** Number of examples that were tested so far. */
    tested: number;
  } | null;
  /** Run set that it is compared with. */
  baselineId: string | null;
  decision: {
    /** `PASS`, `FAIL`, or `INCONCLUSIVE` if the results do not decide it; `touchstone test` exits with 0, 1 and 2. */
    outcome: "PASS" | "FAIL" | "INCONCLUSIVE";
    at: string;
    /** What was asked. */
    rule: {
      failUnder: number;
      strict: boolean;
      allowSkipped: number;
      /** What the interval says something about: `THESE_EXAMPLES` other tests of the same examples, `THESE_TASKS` other examples of the same tasks, `EXAMPLES_LIKE_THESE` other examples, of other tasks if there are at least five; of the same two to four tasks it says `THESE_TASKS`. */
      question: "THESE_EXAMPLES" | "THESE_TASKS" | "EXAMPLES_LIKE_THESE";
      equalTasks: boolean;
      withAdvisory: boolean;
      margin: number | null;
      minPaired: number;
      findLoss: number;
    };
    rate: number | null;
    baselineId: string | null;
    baselineRunIds: (string)[];
    /** Definitions whose verdicts were only shown. */
    advisoryIds: (string)[];
  } | null;
  /** True if the caller reviews the trace, or a test that is counted, in a blind queue, so that what shows a verdict is withheld; absent otherwise. */
  withheld?: boolean;
};

export type RunSetIssue = {
  id: string;
  number: number;
  title: string;
  status: "OPEN" | "RESOLVED" | "REJECTED";
  priority: "LOW" | "MEDIUM" | "HIGH";
  /** True if Touchstone opened it again because of a run of the run set, and it is still open. */
  wasReopened: boolean;
  /** Its regression examples, those of the subset `issue-<number>`, that were tested: `passed` in all their tests, `failed` in one or more, otherwise unknown. */
  examples: {
    passed: number;
    failed: number;
    unknown: number;
  };
  /** Tests of the run set that failed and are linked to it. */
  linkedTests: number;
};

export type RunSetSnapshot = {
  definitions: ({
    id: string;
    version: number;
    name: string;
    type: string;
    /** Judge of the newest eval of this version at the start; null if there was none. */
    judgeVersion: string | null;
  })[];
  tasks: ({
    taskId: string;
    definitionIds: (string)[];
    /** Examples with their versions, in the order of their tests. */
    examples: ({
      id: string;
      version: number;
    })[];
  })[];
};

export type RunVariantBody = {
  /** Number of tests of each task, which use its input examples in turn. */
  repeat?: number;
};

export type SaveIssueWebhookBody = {
  /** URL to which changes are reported. Required in the first call. */
  url?: string;
  /** Changes to report. Without it, a new webhook reports CREATED, RESOLVED, REOPENED, REJECTED, MERGED. */
  events?: ("CREATED" | "UPDATED" | "LINKED" | "UNLINKED" | "RESOLVED" | "REOPENED" | "REJECTED" | "MERGED" | "MEASURED")[];
  /** True to send messages. Without it, a new webhook sends them. */
  enabled?: boolean;
};

export type SaveWebhookBody = {
  /** URL to which tests are sent. Required in the first call. */
  url?: string;
  headers?: Record<string, string> | null;
  /** Time limit for the response of the app, in milliseconds. */
  timeoutMs?: number;
  /** True to send tests. Default: true. */
  enabled?: boolean;
};

export type ScrapeJob = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  /** Identifier of a user, or the `keyId` of the API key. */
  initiatedBy: string;
  name: string;
  url: string;
  /** `MAPPING`: its pages are being found; `PENDING`: all pages are known, and it waits for its turn; `IN_PROGRESS`: documents are being created; `COMPLETED`, or `FAILED` with a `reason`. */
  status: "MAPPING" | "PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED";
  /** Reason of the failure. */
  reason: string | null;
  /** Progress of the documents for its quickstart, if it belongs to one. */
  quickstartStatus: "NOT_ASSOCIATED" | "PENDING" | "COMPLETED";
  quickstartId: string | null;
  topicId: string | null;
  /** `KNOWLEDGE`: facts; `POLICY`: rules that outputs must follow. */
  type: "KNOWLEDGE" | "POLICY";
  assignee: string | null;
  maxPages: number;
  maxDepth: number;
  pathPrefix: string | null;
  /** Pages found so far; after its end, those with a document. Lists show the first 10. */
  pages: ({
    url: string;
    title?: string;
    description?: string;
    /** First part of its path, if the path has several. */
    category?: string;
  })[];
  /** Pages without a document. Lists show the first 10. */
  failedPages: ({
    url: string;
    error: string;
  })[];
};

/** What was searched of the steps of traces; absent if no term of `q` is about them. */
export type Searched = {
  /** Start of the oldest trace whose steps were searched. */
  from: string | null;
  /** Start of the newest one. */
  to: string | null;
  /** False if older traces were not searched; a term `to:` with the time in `from` searches them. Of these, only the texts that the list shows were compared. */
  isComplete: boolean;
};

export type SelectionDone = {
  /** Number of rows of the selection when the request arrived. */
  matched: number;
  /** Number of rows that were acted on. */
  done: number;
  /** Number of rows that were not. */
  skippedCount: number;
  /** The first 100 of them, with the reasons. */
  skipped: ({
    /** Trace, or test of a result without one. */
    id: string;
    /** `NOT_FOUND`: there is no such trace any more. `NO_TRACE`: no trace of the test has arrived. `NO_INPUT`: the trace has no input. `NO_EXAMPLE`: the test was of no example, or its example is deleted or archived. `ALREADY`: it is there already. `INVALID`: the task does not accept the input. */
    reason: "NOT_FOUND" | "NO_TRACE" | "NO_INPUT" | "NO_EXAMPLE" | "ALREADY" | "INVALID";
  })[];
  /** False if the text of steps was searched in the newest traces only, so that more may match. */
  isComplete: boolean;
};

export type Session = {
  id: string;
  orgId: string;
  applicationId: string;
  /** At most 20. */
  userIds: (string)[];
  traceCount: number;
  /** Start of its first trace. */
  firstAt: string;
  /** Start of its last trace. */
  lastAt: string;
  /** Time from the start of the first trace to the last end. */
  durationMs: number;
  usage: {
    promptTokens: number;
    completionTokens: number;
    totalTokens: number;
  };
  /** Cost in US dollars. */
  cost: number | null;
  /** Number of traces with an error. */
  errorCount: number;
  /** At most 64. */
  models: (string)[];
  /** Input of its first trace. */
  input: string | null;
  /** Output of its last trace. */
  output: string | null;
  /** Last trace of the session. Evals of the conversation up to that trace belong to it. */
  lastTraceId: string;
  /** At most 20. */
  testIds: (string)[];
};

export type SetMappingsBody = {
  rules: (MappingRule)[];
  /** Version that is replaced; another one in the meantime is a conflict (409). Default: any. */
  replaces?: number;
};

export type SetMaskingBody = {
  /** Detectors whose findings are replaced by tokens. */
  detectors?: ("email" | "phone" | "card" | "iban" | "secret")[];
  /** Own patterns, which precede the detectors. */
  patterns?: ({
    /** Name in the tokens: `<name:3f9a1c20b7de>`. */
    name: string;
    /** Regular expression that runs in linear time. Case matters. */
    pattern: string;
  })[];
  /** Attributes that are removed, by key; a final `*` stands for any ending. Fields of native events by path: `metadata.email`. */
  removeAttributes?: (string)[];
  /** The only attributes that are kept; null keeps all. `service.name`, `service.test.id` and `touchstone.*` always stay. */
  keepAttributes?: (string)[] | null;
  /** Attributes whose values are stored as they are. */
  exemptAttributes?: (string)[];
};

export type SetPricesBody = {
  /** By model, or `provider/model`, in US dollars per million tokens; a list for prices of several periods. */
  prices: Record<string, ModelPrice | (ModelPrice)[]>;
  /** Version that is replaced; another one in the meantime is a conflict (409). Default: any. */
  replaces?: number;
};

export type SetRetentionBody = {
  days?: number | null;
  maxBytes?: number | null;
  /** Default: 365. */
  pinnedDays?: number;
  /** Default: 20. */
  keptRunSets?: number;
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
  /** True for a parent that is not stored; it has only id, depth and childCount. */
  placeholder?: true;
  depth: number;
  childCount: number;
  name?: string;
  kind?: "SPAN" | "LLM" | "EMBEDDING" | "TOOL" | "RETRIEVER" | "RERANKER" | "AGENT" | "CHAIN" | "GUARDRAIL" | "EVALUATOR";
  /** Type of step as which the span is shown. */
  type?: string;
  /** Time with nine fractional digits if milliseconds are not exact. */
  startTime?: string;
  durationMs?: number;
  status?: {
    code: "UNSET" | "OK" | "ERROR";
    message?: string;
  };
  testId?: string;
  orphan?: true;
  /** True if its ancestors form a loop, which was broken here. */
  cycle?: true;
  /** True if it started before its parent, or its times were corrected. */
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
  /** Log records of the span. */
  logs?: (Record<string, unknown>)[];
  scope?: Record<string, unknown>;
  resource?: Record<string, unknown>;
  /** Mapped fields of the span. */
  mapped?: {
    ruleSet: number;
    /** Mapped fields, each with its vocabulary and key. */
    fields: Record<string, {
      value: unknown;
      vocabulary: string;
      from: string;
    }>;
    unmapped: (string)[];
    redacted: (string)[];
    truncated: (string)[];
    /** The cost as a calculation. */
    cost: {
      basis: "reported" | "calculated" | "unknown";
      certainty: "high" | "medium" | "low";
      /** US dollars: the sum of `parts`, or what the sender sent. */
      cost: number | null;
      parts: ({
        part: "input" | "cacheRead" | "cacheWrite" | "cacheWriteHour" | "audioInput" | "audioCacheRead" | "output" | "audioOutput";
        quantity: number;
        /** US dollars, with the factor of the tier. */
        pricePerMillion: number;
        /** quantity × price. */
        cost: number;
        /** Key of the attribute with the number. */
        from: string;
      })[];
      price: {
        name: string;
        source: "application" | "file" | "built-in" | "free";
        validFrom: string | null;
      } | null;
      tier: {
        name: string;
        from: string | null;
        factor: number | null;
      } | null;
      /** Threshold of input tokens that was exceeded. */
      above: number | null;
      notes: (string)[];
    } | null;
    warnings: (string)[];
  };
};

export type SpanDetail = {
  id: string;
  traceId: string;
  parentId: string | null;
  name: string;
  kind: "SPAN" | "LLM" | "EMBEDDING" | "TOOL" | "RETRIEVER" | "RERANKER" | "AGENT" | "CHAIN" | "GUARDRAIL" | "EVALUATOR";
  /** Type of step as which the span is shown. */
  type: string;
  /** Time with nine fractional digits if milliseconds are not exact. */
  startTime: string;
  /** Time with nine fractional digits if milliseconds are not exact. */
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
  /** Cost in US dollars. */
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
  /** Log records of the span. */
  logs?: (Record<string, unknown>)[];
  scope: Record<string, unknown>;
  resource: Record<string, unknown>;
  /** Mapped fields of the span. */
  mapped: {
    ruleSet: number;
    /** Mapped fields, each with its vocabulary and key. */
    fields: Record<string, {
      value: unknown;
      vocabulary: string;
      from: string;
    }>;
    unmapped: (string)[];
    redacted: (string)[];
    truncated: (string)[];
    /** The cost as a calculation. */
    cost: {
      basis: "reported" | "calculated" | "unknown";
      certainty: "high" | "medium" | "low";
      /** US dollars: the sum of `parts`, or what the sender sent. */
      cost: number | null;
      parts: ({
        part: "input" | "cacheRead" | "cacheWrite" | "cacheWriteHour" | "audioInput" | "audioCacheRead" | "output" | "audioOutput";
        quantity: number;
        /** US dollars, with the factor of the tier. */
        pricePerMillion: number;
        /** quantity × price. */
        cost: number;
        /** Key of the attribute with the number. */
        from: string;
      })[];
      price: {
        name: string;
        source: "application" | "file" | "built-in" | "free";
        validFrom: string | null;
      } | null;
      tier: {
        name: string;
        from: string | null;
        factor: number | null;
      } | null;
      /** Threshold of input tokens that was exceeded. */
      above: number | null;
      notes: (string)[];
    } | null;
    warnings: (string)[];
  };
};

export type StartedRun = {
  runId: string;
  taskId: string;
  testIds: (string)[];
};

export type Step = {
  /** `llm`, `tool`, `retriever`, `reranker`, `embedding`, `agent`, `guardrail`, `evaluator`, `group`, `log`, `request` or `response`; it determines the other fields. */
  type: string;
  id: string;
  traceId: string;
  parentId?: string;
  name: string;
  /** Time with nine fractional digits if milliseconds are not exact. */
  timestamp: string;
  /** Absent while the step is open. */
  endTime?: string;
  /** Rounded; `/spans` has the exact duration. */
  durationMs: number;
  /** `pending` while the step is open. `/spans` has the status of OpenTelemetry. */
  status: "success" | "error" | "timeout" | "pending";
  /** Message of the error. */
  error?: string;
  /** As a native event reports it. */
  statusCode?: string;
  /** Cost in US dollars. */
  costAmount?: number;
  /** `llm`: `start` while the step is open. */
  event?: "start" | "end";
  /** `llm`: true for an end without its start. */
  unpaired?: boolean;
  /** Text; an object or a list is JSON. */
  input?: string;
  /** Text; an object or a list is JSON. */
  output?: string;
  inputMessages?: (unknown)[];
  outputMessages?: (unknown)[];
  /** `llm`: tools offered to the model. */
  tools?: unknown;
  /** `llm`: parameters such as `temperature`. */
  parameters?: unknown;
  finishReasons?: unknown;
  /** The first of `finishReasons`. */
  finishReason?: string;
  /** `llm`: milliseconds until the first part of the response. */
  firstTokenMs?: number;
  /** `llm`: empty if it is unknown. */
  modelId?: string | null;
  provider?: string;
  /** The same as `costAmount`. */
  cost?: number;
  usage?: Usage;
  toolName?: string;
  toolCallId?: string;
  /** Text; an object or a list is JSON. */
  toolInput?: string;
  /** Text; an object or a list is JSON. */
  toolOutput?: string;
  /** `retriever`. */
  query?: string;
  /** `retriever`: documents, as JSON. */
  result?: string;
  /** `log`, `request`, `response`. */
  content?: string;
  guardrailAction?: string;
  guardrailTriggered?: boolean;
  guardrailType?: string;
  evaluatorName?: string;
  evaluationScore?: number;
  evaluationLabel?: string;
  evaluationExplanation?: string;
  /** `group`. */
  key?: string;
  group?: string;
  params?: Record<string, unknown> | (unknown)[];
  metadata?: Record<string, unknown> | (unknown)[];
};

export type StepEvent = LlmStartEvent | LlmEndEvent | ToolEvent | RetrieverEvent | RerankerEvent | EmbeddingEvent | AgentEvent | GuardrailEvent | EvaluatorEvent | GroupEvent | LogEvent | RequestEvent | ResponseEvent;

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
    /** True if a person has approved it. */
    approved: boolean;
  })[];
};

export type SuggestIssuesBody = {
  /** Notes to group. Default: the newest 200 that are evidence for no issue. */
  noteIds?: (string)[];
  /** True to return the expected cost only, without asking a model. */
  dryRun?: boolean;
};

export type SuggestedGroup = {
  /** Title that an issue of these notes may have. */
  title: string;
  description: string;
  notes: ({
    id: string;
    text: string;
    quote: string | null;
  })[];
  /** Open issue that the notes may belong to; null for a new one. */
  issue: {
    id: string;
    number: number;
    title: string;
  } | null;
};

export type System = {
  version: string;
  startedAt: string;
  store: {
    /** Size of the database file. */
    fileBytes: number;
    /** Bytes of the write-ahead log that the database lacks or readers need. */
    walBytes: number;
    diskFreeBytes: number;
    diskTotalBytes: number;
    /** Bytes of the database file that new data fills before it grows. */
    unusedBytes: number | null;
    /** Mean of the last 7 complete days, of applications whose retention does not delete as much; measured every hour. */
    growthBytesPerDay: number | null;
    /** Days until the disk is full at that growth; null without growth, and before it was first measured. */
    daysLeft: number | null;
    /** Commits that failed completely since the start. */
    failedCommits: number;
    /** Code of the fault for which the store rejects data, or cannot be read; null when it works. */
    failure: string | null;
    failedCheckpoints: number;
    /** Whether the system shows that the server has its lock on the store. A server without its lock ends at once. */
    lock: "held" | "unknown";
    /** Mean duration of the commits of the last minute; null when there was none. */
    recentCommitMs: number | null;
    /** Duration of the longest commit since the start. */
    longestCommitMs: number;
    /** Commands that wait for a commit. */
    waitingWrites: number;
    /** Queries in progress or waiting. */
    waitingReads: number;
    /** Queries that were rejected since the start because too many waited. */
    rejectedReads: number;
  };
  process: {
    residentBytes: number;
    /** Memory limit of the process or its container, or the memory of the machine; null if unknown. */
    memoryLimitBytes: number | null;
    /** Open file descriptors; null where the system does not report them. */
    openFiles: number | null;
    /** Limit of open file descriptors; null where the system does not report it. */
    maxOpenFiles: number | null;
    /** Most connections to each port. */
    maxConnections: number;
    /** Milliseconds that this request waited for its turn in the main thread. */
    lagMs: number;
    /** Memory of requests in progress. */
    requests: {
      usedBytes: number;
      limitBytes: number;
    };
    /** Memory of responses that wait to be read. */
    responses: {
      usedBytes: number;
      limitBytes: number;
    };
  };
  /** Jobs of all applications by kind. */
  jobs: ({
    kind: string;
    waiting: number;
    running: number;
    /** Jobs that failed for good. */
    dead: number;
    /** Time when the first waiting job is or was due; null when none waits. */
    oldestDueAt: string | null;
  })[];
  /** Traces that are due for maintenance, each up to 10 000. */
  maintenance: {
    rewrites: number;
    refreshes: number;
    deletions: number;
  };
  /** What the organisation of the caller uses. For the organisation of the operators, followed by the others that are nearest to a limit. `streams`: open ones of the kind that is nearest to its limit. */
  organisations: ({
    id: string;
    quotas: ({
      name: "applications" | "streams" | "uploads" | "decodingSecondsOfHour" | "storedBytes" | "judgeDollarsOfDay" | "judgeDollarsOfMonth";
      used: number;
      /** Most that it may use; null = no limit. */
      limit: number | null;
    })[];
  })[];
  /** What the numbers mean, and what to do about it. */
  checks: (Check)[];
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
  /** `STATIC`: tests send the examples of the task in turn; a task without any cannot be tested. `NORMAL`: a prompt model writes a prompt for each test from the description and the examples; without such a model, the task cannot be tested. */
  type: "STATIC" | "NORMAL";
  /** `DRAFT` tasks run only by hand, not by schedule; archived tasks do not run. */
  status: "DRAFT" | "ACTIVE" | "ARCHIVED";
  /** Prompts of its first active examples: at most 100, of 200000 characters in all. */
  inputExamples: (string)[];
  /** Number of its active examples. */
  exampleCount: number;
  /** Metadata that is sent with each test; an empty object if there is none. */
  metadata: Record<string, unknown>;
  simulatedPromptSchema: Record<string, unknown> | null;
  topicId: string | null;
  quickstartId: string | null;
  isVerified: boolean;
  /** Evaluation definitions linked to it directly, in the order of linking. */
  evalDefinitions: ({
    evalDefinition: EvaluationDefinition;
    /** Expected output; null for a link without one. */
    config: {
      expected: unknown;
    } | null;
  })[];
  taskSchedule: TaskSchedule | null;
  /** Its tags, by name. */
  tags: ({
    id: string;
    name: string;
    /** Hex color code. */
    color: string;
  })[];
  /** Time when its last test was started. */
  lastTest: string | null;
  /** Test that was started last, with a truncated prompt. */
  latestTest: TestSummary | null;
  /** Tests started by hand or by schedule in the last 30 days. The percentages agree with the fields below. */
  synthetic: TaskPerformance;
  /** Evals from monitoring in the last 30 days. */
  monitoring: TaskPerformance;
  /** Both together, each test and each monitored trace with the same weight. */
  combined: TaskPerformance;
  /** Percentage: mean over its tests of the share of evals that passed. Includes tests started by hand or by schedule in the last 30 days. A test that failed because of the app counts as 0; one that failed for another reason or was not judged does not count. Null when none counts. In lists, this and the following fields may be about a second old. */
  passRate: number | null;
  /** 95 % confidence interval of the pass rate, in percent, with each example as one observation. */
  passRateInterval: RateInterval | null;
  /** Percentage of tests that failed for reasons outside the app, among these and the tests that count. */
  errorRate: number | null;
  /** Percentage: pass rate of the evals from monitoring in the last 30 days. */
  monitoringPassRate: number | null;
  /** Pass rate in whole percent, in which the weight of a test halves with every 7 days of its age. `HIGH` from 90, `MEDIUM` from 60. */
  health: {
    score: number;
    level: "HIGH" | "MEDIUM" | "LOW";
  } | null;
  /** Certainty of the pass rate, by the width of its interval from 0 to 1. `HIGH` up to 0.15, `MEDIUM` up to 0.35. */
  confidence: {
    width: number;
    level: "HIGH" | "MEDIUM" | "LOW";
  } | null;
  /** Stability of scores, by the pooled standard deviation of scores from 0 to 1 between tests of the same input example by the same version of a definition. `HIGH` up to 0.10, `MEDIUM` up to 0.25. Null when nothing was tested twice. */
  stability: {
    deviation: number;
    level: "HIGH" | "MEDIUM" | "LOW";
  } | null;
  /** Results of repeated tests that count, by input example; a test passes when all its evals pass. Present only in the response for a single record, and if an input example was tested twice. */
  repeats?: {
    /** Number of input examples that were tested twice or more. */
    groups: number;
    /** Number of tests that each of these has, at most 8. */
    k: number;
    /** Percentage: probability that all of `k` tests of an input example pass. */
    passPowK: number;
    /** Percentage: probability that at least one of `k` tests of an input example passes. */
    passAtK: number;
    /** Percentage of the groups with both passed and failed tests. */
    flakiness: number;
  };
  /** Definitions that use a judge model, with their evals of the tests that count. Present only in the response for a single record, and if there are any. */
  judges?: ({
    /** Id of the definition. */
    id: string;
    name: string;
    type: string;
    /** True if the verdicts of this definition are only shown: a judge model decides, and no valid gate proves that it agrees with people. */
    isAdvisory: boolean;
    passed: number;
    total: number;
    passRate: number;
    /** Estimated percentage that would pass if people judged these evals, with the 95 % confidence interval, for which an example with all its tests is one observation. Null for rules, for advisory definitions, when too few human verdicts exist, and when another version of the definition or of its judge made some of the evals. */
    correctedPassRate: {
      rate: number;
      low: number;
      high: number;
      /** True if the corrected rate was outside 0 to 100 and was limited to that range. */
      isClamped: boolean;
    } | null;
  })[];
  /** True if the caller reviews the trace, or a test that is counted, in a blind queue, so that what shows a verdict is withheld; absent otherwise. */
  withheld?: boolean;
};

export type TaskPerformance = {
  /** Number of tests that count; in monitoring, of traces. */
  tests: number;
  /** Number of tests of which every eval passed. */
  testsPassed: number;
  evaluations: number;
  /** Number of evaluations that passed. */
  passed: number;
  passRate: number | null;
  /** Health score, of 0 to 100; null where it is not computed. */
  healthScore: number | null;
  confidence: {
    level: "HIGH" | "MEDIUM" | "LOW";
    /** Half of the width of the interval, in percent. */
    halfWidth: number;
    /** 95 % confidence interval of the pass rate, in percent; 0 to 100 without tests. */
    interval: {
      lower: number;
      upper: number;
    };
  };
  stability: {
    /** `LOW` where nothing was tested twice. */
    level: "HIGH" | "MEDIUM" | "LOW";
    stddev: number | null;
  };
  /** Estimated number of further evaluations after which the confidence is `HIGH`. */
  recommendedAdditionalEvaluations: number;
};

export type TaskSchedule = {
  applicationId: string;
  taskId: string;
  /** Frequency of the task: `HIGH` daily, `MEDIUM` weekly, `LOW` every two weeks. */
  criticality: "HIGH" | "MEDIUM" | "LOW";
  /** Empty if the server chooses the time. */
  cron: string;
  timezone: string;
  enabled: boolean;
  /** Time of the next run; null when the schedule or the task is not active. */
  nextRunAt: string | null;
  lastRunAt: string | null;
};

export type Test = {
  /** Test id, which spans carry as `service.test.id`. */
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
    code: "prompt_not_written" | "webhook_not_configured" | "webhook_unreachable" | "webhook_blocked_address" | "webhook_timeout" | "webhook_status" | "delivery_unknown" | "trace_missing" | "trace_deleted" | "erased" | "evaluation_error" | "cancelled";
    message: string;
    /** Advice on how to fix the failure. */
    hint: string;
  } | null;
  /** Prompt of the test; empty until a model has written that of a `NORMAL` task. Lists show its first 300 characters. */
  prompt: string;
  /** Digest of the complete prompt: tests with the same sent the same input. */
  inputDigest: string;
  /** Place of the example in its task, from 0. */
  exampleIndex: number | null;
  /** Example that the test sent. */
  exampleId: string | null;
  /** Version of that example. */
  exampleVersion: number | null;
  experimentId: string | null;
  experimentVariantId: string | null;
  result: TestResult;
  /** What became of the test. `PASSED`: every blocking verdict passed, and none is missing. `FAILED`: a blocking verdict did not pass. `APP_ERROR`: the app rejected the test, took too long or sent no trace; it counts as failed. `NO_VERDICT`: a verdict is missing. `NOT_RUN`: the app was not tested. `RUNNING`: the test has not ended. `NO_VERDICT` and `NOT_RUN` count nowhere. */
  outcome: "FAILED" | "APP_ERROR" | "NO_VERDICT" | "NOT_RUN" | "RUNNING" | "PASSED";
  /** Verdicts that decided: the blocking ones, or all because none is blocking; null if no verdict decided. Verdicts are blocking unless a judge model gave them that people have not verified. */
  outcomeBasis: "BLOCKING" | "ALL" | null;
  /** Key of why the test did not pass: the failed check, or the error of the app. Tests with the same key did not pass for the same reason. Null if it passed or runs. */
  causeKey: string | null;
  /** True if the caller reviews the trace, or a test that is counted, in a blind queue, so that what shows a verdict is withheld; absent otherwise. */
  withheld?: boolean;
  /** Earliest trace of the app that carries the test id; null before it arrives. */
  traceId: string | null;
  /** The task, as it is now. */
  task: {
    id: string;
    title: string;
    topicId: string | null;
  };
  /** Metadata of the task at the start of the test. */
  metadata: unknown;
  /** Likely cause why no span has arrived, and what to do about it, once a test has waited 15 s for spans; null otherwise. `GET /v0/tests/{id}/diagnosis` has the facts. */
  advice: {
    cause: string;
    cure: string | null;
  } | null;
  timeline: ({
    at: string;
    phase: "queued" | "delivering" | "delivered" | "trace_received" | "evaluating" | "done";
    detail: string;
  })[];
  /** Ids of its traces, earliest first, at most 100. */
  traceIds: (string)[];
  /** Input of the app, as its spans report it. */
  input: unknown;
  /** Output of the app, as its spans report it. */
  output: unknown;
  inputSpanId: string | null;
  outputSpanId: string | null;
  /** Current evals, earliest first, at most 200. `GET /v0/evals?testId=` returns all. */
  evals: (Eval)[];
};

export type TestDiagnosis = {
  testId: string;
  status: "PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED";
  phase: "queued" | "delivering" | "delivered" | "trace_received" | "evaluating" | "done";
  /** The likely cause of the current state, in one sentence. */
  cause: string;
  /** Advice; null when there is nothing to do. */
  cure: string | null;
  /** All phases in order. */
  phases: ({
    phase: "queued" | "delivering" | "delivered" | "trace_received" | "evaluating" | "done";
    state: "reached" | "current" | "failed" | "pending";
    /** Time when it was first reached. */
    at: string | null;
  })[];
  /** Time of the next check, which may complete or fail the test. */
  deadline: string | null;
  /** At most 100. */
  attempts: ({
    deliveryId: string;
    attempt: number;
    sentAt: string;
    finishedAt: string | null;
    outcome: "answered" | "not_sent" | "timeout" | "lost" | "cancelled" | "unknown" | null;
    statusCode: number | null;
    message: string | null;
    timings: Record<string, number> | null;
    requestBytes: number;
    responseBytes: number | null;
  })[];
  /** Traces that began, and spans that were rejected, while the test waited. */
  meanwhile: {
    from: string;
    to: string;
    /** At most 1000. */
    tracesWithoutTest: number;
    /** Without those of tests that ran at the same time; at most 1000. */
    tracesOfOtherTests: number;
    /** Test ids of these traces, at most 20. */
    otherTestIds: (string)[];
    /** Rejected spans, the latest first, at most 20. */
    rejections: ({
      at: string;
      reason: string;
      message: string;
      spans: number;
    })[];
    /** The last request of the application with a wrong or missing key. */
    unauthorized: UnauthorizedRequest | null;
  };
  spans: {
    /** Spans of the traces of the test, without those of our deliveries. */
    stored: number;
    /** True if spans of the app arrived in the trace of the `traceparent` that was sent. */
    isTraceparentContinued: boolean;
  };
};

/** Result of the current evals with a verdict; null when nothing counts. A test that failed because of the app (`webhook_status`, `webhook_timeout`, `trace_missing`) counts as one eval that did not pass. */
export type TestResult = {
  /** Number of evals that passed. */
  passed: number;
  /** Number of evals that did not pass. */
  failed: number;
  total: number;
  /** Percentage of its evals that passed. */
  passRate: number;
  /** Mean of the scores, each on a scale from 0 to 1; 0 for a test that the app failed. */
  averageScore: number;
} | null;

export type TestSummary = {
  /** Test id, which spans carry as `service.test.id`. */
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
    code: "prompt_not_written" | "webhook_not_configured" | "webhook_unreachable" | "webhook_blocked_address" | "webhook_timeout" | "webhook_status" | "delivery_unknown" | "trace_missing" | "trace_deleted" | "erased" | "evaluation_error" | "cancelled";
    message: string;
    /** Advice on how to fix the failure. */
    hint: string;
  } | null;
  /** Prompt of the test; empty until a model has written that of a `NORMAL` task. Lists show its first 300 characters. */
  prompt: string;
  /** Digest of the complete prompt: tests with the same sent the same input. */
  inputDigest: string;
  /** Place of the example in its task, from 0. */
  exampleIndex: number | null;
  /** Example that the test sent. */
  exampleId: string | null;
  /** Version of that example. */
  exampleVersion: number | null;
  experimentId: string | null;
  experimentVariantId: string | null;
  result: TestResult;
  /** What became of the test. `PASSED`: every blocking verdict passed, and none is missing. `FAILED`: a blocking verdict did not pass. `APP_ERROR`: the app rejected the test, took too long or sent no trace; it counts as failed. `NO_VERDICT`: a verdict is missing. `NOT_RUN`: the app was not tested. `RUNNING`: the test has not ended. `NO_VERDICT` and `NOT_RUN` count nowhere. */
  outcome: "FAILED" | "APP_ERROR" | "NO_VERDICT" | "NOT_RUN" | "RUNNING" | "PASSED";
  /** Verdicts that decided: the blocking ones, or all because none is blocking; null if no verdict decided. Verdicts are blocking unless a judge model gave them that people have not verified. */
  outcomeBasis: "BLOCKING" | "ALL" | null;
  /** Key of why the test did not pass: the failed check, or the error of the app. Tests with the same key did not pass for the same reason. Null if it passed or runs. */
  causeKey: string | null;
  /** True if the caller reviews the trace, or a test that is counted, in a blind queue, so that what shows a verdict is withheld; absent otherwise. */
  withheld?: boolean;
};

export type ToolEvent = {
  /** ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds. */
  timestamp: string | number;
  traceId?: string | null;
  id?: string | null;
  parentId?: string | null;
  name?: string | null;
  group?: string | null;
  params?: unknown;
  /** An object, or a text with the JSON of one. Anything else is kept as the field `metadata`. */
  metadata?: Record<string, unknown> | (unknown)[] | string;
  /** Milliseconds. The `timestamp` of an `llm` end is its end, of all others the start. */
  durationMs?: number;
  /** Time of the end, in the forms of `timestamp`. */
  endTime?: string;
  /** `success`, `error`, `timeout` or `pending`. */
  status?: string;
  /** Status code. */
  statusCode?: string | number;
  /** Message of the error, which makes the step a failed one unless its `status` is `success`. */
  error?: string;
  /** Cost in US dollars. */
  costAmount?: number;
  type: "tool";
  /** Id of the tool call in the response of the model. */
  toolCallId?: string;
  toolInput?: string | Record<string, unknown> | (unknown)[] | null;
  toolOutput?: string | Record<string, unknown> | (unknown)[] | null;
};

export type Topic = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  title: string;
  description: string | null;
  /** Number to compare later results with; it has no effect. */
  baseline: number | null;
  status: "DRAFT" | "ACTIVE" | "ARCHIVED";
  quickstartId: string | null;
  assignedTo: string | null;
  /** False if the app should not handle the topic. */
  isInScope: boolean;
  isTasksVerified: boolean;
  isDocumentsVerified: boolean;
  isKnowledgeBaseVerified: boolean;
  isPoliciesVerified: boolean;
  /** Evaluation definitions linked to it directly, in the order of linking. */
  evalDefinitions: ({
    evalDefinition: EvaluationDefinition;
    /** Expected output; null for a link without one. */
    config: {
      expected: unknown;
    } | null;
    topicId: string;
  })[];
};

export type Trace = {
  id: string;
  orgId: string;
  applicationId: string;
  /** Time when its first span was stored. */
  createdAt: string;
  modifiedAt: string;
  /** Time with nine fractional digits if milliseconds are not exact. */
  timestamp: string;
  /** Sender's id of the conversation; for native traces. */
  referenceId?: string;
  testId: string | null;
  testIds: (string)[];
  /** Trace id of OpenTelemetry, 32 hex digits. */
  otelTraceId?: string;
  rootName: string;
  services: (string)[];
  environment: string | null;
  sessionId: string | null;
  userId: string | null;
  tags: (string)[];
  models: (string)[];
  /** Usage, with each model call counted once. */
  usage: Usage;
  /** Cost in US dollars. */
  cost: number | null;
  /** True if it was computed from tokens and the price table. */
  costEstimated: boolean;
  durationMs: number;
  spanCount: number;
  /** Number of failed spans. */
  errorCount: number;
  /** True if a span failed. */
  hasError: boolean;
  /** The same as `spanCount`. */
  stepCount: number;
  totalPromptTokens: number;
  totalCompletionTokens: number;
  /** The same as `cost`. */
  totalCost: number | null;
  /** `durationMs`, rounded. */
  totalDurationMs: number;
  /** Version of the mapping rules. */
  ruleSet: number;
  metadata: Record<string, unknown> | (unknown)[] | null;
  input: unknown;
  output: unknown;
  /** Span that reported the input. */
  inputSpanId: string | null;
  /** Span that reported the output. */
  outputSpanId: string | null;
  /** Anomalies: `replaced`, `unpaired`, `skew`, `redacted`, `dropped`, `oddTokens`, `sample`, and of a single trace also `orphans` and `cycle`. */
  flags: (string)[];
  /** At most 1000 steps, those near the root first; `/spans` returns all. */
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
  /** An object, or a text with the JSON of one. Anything else is kept as the field `metadata`. */
  metadata?: Record<string, unknown> | (unknown)[] | string;
  steps?: (StepEvent)[] | null;
};

export type TraceFacets = {
  /** Number of traces that were counted. */
  traces: number;
  /** True if more, older traces meet the filters. */
  isTruncated: boolean;
  facets: {
    name: ({
      value: string;
      traces: number;
    })[];
    status: ({
      value: string;
      traces: number;
    })[];
    model: ({
      value: string;
      traces: number;
    })[];
    service: ({
      value: string;
      traces: number;
    })[];
    environment: ({
      value: string;
      traces: number;
    })[];
    provider: ({
      value: string;
      traces: number;
    })[];
    kind: ({
      value: string;
      traces: number;
    })[];
    tag: ({
      value: string;
      traces: number;
    })[];
  };
  searched?: Searched;
};

export type TriedSubject = {
  testId: string | null;
  /** Null for a given text, and for a test without a trace. */
  traceId: string | null;
  /** The first 2000 characters. */
  input: string | null;
  /** The first 2000 characters. */
  output: string | null;
  /** What people said of it: by this definition, else of the complete trace. */
  human: {
    /** That of the majority. */
    verdict: "PASS" | "FAIL" | "UNDECIDED";
    people: number;
    /** The newest one. */
    critique: string | null;
  } | null;
  /** Current verdict of the stored definition. */
  stored: {
    definitionVersion: number;
    passed: boolean | null;
    score: number | null;
  } | null;
  /** Verdict of the definition that is tried; null in a dry run. */
  now: {
    status: "COMPLETED" | "FAILED" | "SKIPPED";
    passed: boolean | null;
    score: number | null;
    reason: string | null;
    /** Words of the output that the reason quotes, with their places in the complete output. */
    quotes: ({
      text: string;
      start: number;
      end: number;
    })[];
    inputTokens: number;
    outputTokens: number;
    /** US dollars; null when it is unknown. */
    cost: number | null;
    latencyMs: number;
  } | null;
};

export type TriggerTasksBody = {
  taskIds: (string)[];
  /** Number of tests of each task, which take its examples in turn; with `examples`, number of tests of each chosen example. */
  repeat?: number;
  /** Examples to test; without a field, all active examples of the tasks. */
  examples?: {
    /** Examples with these ids. */
    ids?: (string)[];
    /** Examples of these splits. */
    splits?: (string)[];
  };
  /** Seed of the prompts that a model writes for `NORMAL` tasks. Tests with the same seed send the same prompts, until the task or the prompt model changes. */
  promptSeed?: number;
};

export type TryDefinitionBody = {
  /** Definition to try, which is not stored. */
  definition: {
    /** Default: that of `definitionId`. */
    name?: string;
    /** Type of evaluation. */
    type: "NATURALNESS" | "STYLE" | "RECALL" | "FACT" | "CUSTOM" | "TOXICITY" | "SIMILARITY" | "CONVERSATION" | "PAIRWISE" | "OUTPUT_MATCH" | "ASSERT" | "HTTP";
    /** Configuration to try, as `POST /v0/definitions` takes it. */
    globalConfig?: Record<string, unknown>;
    /** Style guide to apply; required with `STYLE`. */
    styleGuideId?: string | null;
    /** Number of requests to the judge model; the majority of its answers counts. */
    repeats?: 1 | 3 | 5 | 7 | 9;
  };
  /** Stored definition that it would replace, with whose verdicts it is compared. */
  definitionId?: string;
  /** What to judge. The held-out half of random samples is never picked, and rejected (409) if it is named; verdicts that are withheld from the caller are left out. */
  sample: {
    /** Newest completed tests and traces (`RECENT`), those that the stored definition, or any one without `definitionId`, has failed (`FAILED`), those that people have judged by it, as many failed as passed (`REVIEWED`), or those where it and people differ (`DISAGREEMENTS`). */
    pick?: "RECENT" | "FAILED" | "REVIEWED" | "DISAGREEMENTS";
    /** Number of tests and traces to pick, at most. */
    count?: number;
    testIds?: (string)[];
    traceIds?: (string)[];
    texts?: ({
      input?: string;
      output: string;
      /** Expected output. */
      expected?: string;
    })[];
  };
  /** True to return the sample and the expected cost only, without asking a judge. */
  dryRun?: boolean;
};

export type TryResult = {
  /** What the verdicts are expected to take, by the lengths of the texts. Questions that depend on earlier answers are not included. */
  expected: {
    subjects: number;
    /** Name of the judge in the settings; null if none is asked. */
    judge: string | null;
    calls: number;
    inputTokens: number;
    outputTokens: number;
    /** US dollars; 0 if no judge is asked, null when no price is configured. */
    cost: number | null;
    /** US dollars that the limits of the judges leave today; null without a limit. Nothing more is judged once it is 0. */
    leftToday: number | null;
  };
  spent: {
    /** Verdicts for which a judge or a scorer was asked. */
    calls: number;
    inputTokens: number;
    outputTokens: number;
    cost: number | null;
  };
  /** Number of candidates that are held out or whose verdicts are withheld from the caller. */
  leftOut: number;
  results: (TriedSubject)[];
};

export type UnauthorizedRequest = {
  at: string;
  status: number;
  message: string;
  /** Public part of the API key; null if none was sent or it is no key. */
  keyId: string | null;
  method: string;
  path: string;
  /** Id of the request, which is in the log of the server too. */
  requestId: string;
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
  /** True if the trace passes; by the criterion if `evalDefinitionId` names one. Null for a note, and for a person who is unsure. */
  verdict?: boolean | null;
  /** Score on the scale of the definition: that of `CUSTOM` with a `scale`, or 1 to 5 for `STYLE` and `NATURALNESS`. The verdict follows from it. */
  score?: number | null;
  /** True if the person judged and could not decide: such a verdict counts half as pass and half as fail. */
  unsure?: boolean;
  /** Critique of the trace, with 1 to 2048 characters. Required, with at least 20, when the trace does not pass. */
  critique?: string | null;
  /** What the output should have been, any JSON. An example that is made of the trace expects it; null means none. */
  correctedOutput?: unknown;
};

export type UpdateAnnotationQueueBody = {
  title?: string;
  topicId?: string | null;
  /** Identifier of the user who judges the items. */
  assigneeId?: string | null;
  /** Number of people who judge each item. */
  reviewsPerItem?: number;
  /** True if reviewers see no verdict on the trace of an item before it is settled: all routes then answer `withheld: true` to them. Until ten minutes after it, a review can be undone, and verdicts stay withheld. */
  isBlind?: boolean;
  criteria?: ({
    /** Identifier of the criterion within the queue. */
    id: string;
    name: string;
    description?: string;
    /** Evaluator that verdicts by this criterion verify; null for none. */
    evalDefinitionId?: string | null;
  })[];
  reviewerIds?: (string)[];
  documentIds?: (string)[];
  /** What becomes of an item on which reviewers differ. `THIRD`: one more person judges it, without seeing the other verdicts. `MAJORITY`: the majority counts. `NONE`: nothing. */
  disagreement?: "THIRD" | "MAJORITY" | "NONE";
  dueAt?: string | null;
};

export type UpdateApplicationBody = {
  title?: string;
  /** Default: derived from the title. */
  slug?: string;
  description?: string;
  /** Description of the application for judges. */
  context?: string;
  /** Language tag, such as `en` or `pt-BR`. */
  language?: string;
  type?: "CHATBOT" | "AGENT";
  environment?: "DEV" | "PROD";
  humanAnnotationEnabled?: boolean;
};

export type UpdateDefinitionBody = {
  name?: string;
  /** Type of evaluation. */
  type?: "NATURALNESS" | "STYLE" | "RECALL" | "FACT" | "CUSTOM" | "TOXICITY" | "SIMILARITY" | "CONVERSATION" | "PAIRWISE" | "OUTPUT_MATCH" | "ASSERT" | "HTTP";
  /** Only `ACTIVE` definitions are applied. `ARCHIVED` is final: such a definition is kept only for its results. */
  status?: "DRAFT" | "ACTIVE" | "ARCHIVED";
  /** Configuration by type. Every type accepts `criterion` (text), `judge` (name of a judge in the settings; default: the default judge) and `monitoring` `{ sampleRate }` (0 to 1: share of traces without a test that are evaluated; of sessions for `CONVERSATION`). Unknown keys are kept. `FACT`: `groundTruth` (text), for tests whose link has no `expected`. `RECALL`: `minimums` (0 to 1 by measure), `measures` (some of `contextPrecision`, `contextRelevancy`, `contextRecall`, `faithfulness`, `answerRelevancy`, to judge these alone). `CUSTOM`: `criterion`, required without a `preset`. Without `scale`, the judge answers yes or no. It sees what is expected, and the rubric of the example: that of its name or id in `rubrics`, else `rubric`. `scale` `{ min, max, anchors }` (whole numbers from -100 to 100; `anchors`: up to 21 of `{ score, description }`): the judge rates; `passThreshold`, required with it, is the lowest score that passes; `steps` (up to 20): what the judge examines before it rates. `preset`: `closed-qa`, `factuality` (with `categoryScores`), `tool-choice`, `trajectory`, or `g-eval` (with a `scale`). `exampleRubric`: `any` to judge only tests whose example has a rubric, `own` only those with one under the name of the definition. `PAIRWISE`: `baselineRunIds` (1 to 100 runs whose tests the tests of the same examples are compared with, required), `criterion` (what makes an output better), `selectBest` (true: the judge selects the best of the outputs in all of these runs). `CONVERSATION`: `criterion` (goal of the user; default: as the turns show it), `maxTurns` (1 to 50: most turns of a conversation that passes), `monitoring.idleTimeoutMs` (1000 to 604800000: time without new spans after which a live session is evaluated; default: 600000). `SIMILARITY`: `passThreshold` (0 to 1; default: 0.8), `exampleRubric` (`own` to compare with the text that the example has under the name of the definition in `rubrics`, in place of what is expected; tests of other examples are `SKIPPED`). `OUTPUT_MATCH`: `type` (`string` or `list`, required), `extract` `{ pattern, flags, group }` (a regular expression, some of the flags `gimsu`, 0 to 99 or a list of up to 10 groups), `matchMode` (`exact_unordered` or `contains`), `scoreMetric` (`f1`, `precision` or `recall`), `passThreshold` (0 to 1), `ignoreCase`. `ASSERT`: `assertions` (1 to 100 of `{ type, value, threshold, weight, not }`, required), `threshold` (0 to 1; default: all of them must pass). `HTTP`: `url` (endpoint that returns the score, required), `timeoutMs` (1000 to 60000, of all tries together; default: 10000), `passThreshold` (0 to 1; default: 0.5), `send` (parts of the test: `input`, `output`, `toolCalls`, `documents`, which are the default, `turns`, `spans`, `latencyMs`, `usage`, `cost`), `parameters` (an object that is sent too). */
  globalConfig?: Record<string, unknown>;
  /** Style guide to apply; required with `STYLE`. */
  styleGuideId?: string | null;
  /** Number of requests to the judge model; the majority of its answers counts. */
  repeats?: 1 | 3 | 5 | 7 | 9;
  /** True if verdicts of people on a complete trace, without an `evalDefinitionId`, are verdicts on this definition. Else only those that name it are. */
  isOverall?: boolean;
  /** Agreement with people that the judge must reach for its verdicts to decide; null when its verdicts are only shown. `GET /v0/definitions/{id}/reliability` reports whether the gate is valid. The rules `OUTPUT_MATCH` and `ASSERT`, and `HTTP`, always decide. */
  gate?: {
    /** Cohen’s kappa, 0 to 1, that the lower bound of its interval must reach. */
    minKappa: number;
    /** Number of human verdicts on tests and traces drawn at random at which the judge is first tested. */
    minAnnotations?: number;
    /** Days after which the gate expires: counted from the newest `minAnnotations` verdicts of people together. Default: 90. */
    maxAgeDays?: number;
    /** Number of judged tests and traces that are frozen and judged again with every run set, to notice a judge that has changed; 0 turns that off and forgets them. Default: 20. */
    canaries?: number;
  } | null;
};

export type UpdateDocumentBody = {
  /** Topic of the document; null removes it from its topic. */
  topicId?: string | null;
  assignee?: string | null;
  isVerified?: boolean;
  /** Status of the document: only `ACTIVE` documents are split into chunks. */
  status?: "DRAFT" | "ACTIVE";
};

export type UpdateDocumentVersionBody = {
  /** Status of the version: from `DRAFT` to `REVIEW`, from there back or to `APPROVED`. Approving a version archives the one approved before. */
  status?: "DRAFT" | "REVIEW" | "APPROVED" | "ARCHIVED";
  content?: string;
  title?: string;
  language?: string;
  metadata?: Record<string, unknown>;
  /** Sentences of the content. Default: found by the rules of its language. */
  originalSentences?: (string)[];
};

export type UpdateExampleBody = {
  /** Prompt: a text, or an object that meets the `simulatedPromptSchema` of the task. */
  input?: string | Record<string, unknown>;
  /** Expected output, any JSON. It takes precedence over `expected` of a link; null means none. */
  expected?: unknown;
  /** What a good answer must contain. */
  rubric?: string | null;
  /** Rubrics of single criteria, such as `{"Tone":"Apologises once."}`: each member has the name or the id of a definition, which reads it in place of `rubric`. */
  rubrics?: Record<string, string> | null;
  /** Checks of the output and the trace, as in `globalConfig` of `ASSERT`. Definitions of that type with `exampleAssertions` apply them. */
  assertions?: (Record<string, unknown>)[] | null;
  /** Metadata that is sent with each test, in addition to that of the task. */
  metadata?: Record<string, unknown> | null;
  tags?: (string)[];
  /** Part of the data set, such as `train` or `test`. */
  split?: string | null;
  /** Importance of the example. It is kept and exported. */
  weight?: number;
  /** Place in the order of the task. The example that has this place gets the old one. */
  position?: number;
  /** Identity of the example within its task: an import with the same key changes it. */
  key?: string | null;
  /** Only tests of `ACTIVE` examples are started. An example with tests is archived, not deleted. */
  status?: "ACTIVE" | "ARCHIVED";
};

export type UpdateExperimentBody = {
  title?: string;
  description?: string;
  /** Steps whose settings its variants may change; empty for any step. */
  inferenceStepIds?: (string)[];
  /** Tasks with which each variant is tested. */
  taskIds?: (string)[];
  /** Identifier of the user who is responsible. */
  assignee?: string | null;
  /** `COMPLETED`, `ARCHIVED` or the current status; all others follow from the variants. */
  status?: "DRAFT" | "BASELINE_PENDING" | "BASELINE_RUNNING" | "BASELINE_COMPLETED" | "BASELINE_FAILED" | "VARIANT_RUNNING" | "IDLE" | "COMPLETED" | "ARCHIVED";
};

export type UpdateIssueBody = {
  title?: string;
  description?: string;
  type?: "BUG" | "HUMAN_ANNOTATION" | "SUGGESTED_TASK" | "USER_SIGNAL";
  priority?: "LOW" | "MEDIUM" | "HIGH";
  /** Issue that this one is a part of, which must not be a part of another (409). */
  parentId?: string | null;
  taskId?: string | null;
  topicId?: string | null;
  /** Evaluator that detects the problem. */
  evalDefinitionId?: string | null;
  experimentId?: string | null;
  /** Who takes care of it. */
  ownerId?: string | null;
  /** Filter line of traces that show the problem. */
  match?: string | null;
};

export type UpdateMemberBody = {
  /** `viewer` reads, `annotator` also gives verdicts, `editor` also changes everything else, `admin` also manages the application, its members and keys. */
  role: "viewer" | "annotator" | "editor" | "admin";
};

export type UpdateNoteBody = {
  text?: string;
  /** Users whom the note is for. */
  mentions?: (string)[];
};

export type UpdateQuickstartBody = {
  name?: string;
  /** Style guide; confirming the style scores approves all its sections. */
  styleGuideId?: string | null;
  /** The next review, or the previous one. */
  status?: "UPLOADING" | "PROCESSING" | "TASKS_TOPICS_REVIEW" | "KNOWLEDGE_BASE_REVIEW" | "POLICIES_REVIEW" | "STYLE_REVIEW" | "COMPLETING" | "COMPLETE" | "FAILED";
};

export type UpdateStyleGuideBody = {
  /** Style rules for outputs, by section; or the text of a single section, with its `heading`. */
  content?: ({
    heading: string;
    content: string;
    /** True if a person has approved it. */
    approved?: boolean;
  })[] | string;
  /** Heading of a single section. */
  heading?: string;
  /** True if a person has approved the single section. */
  approved?: boolean;
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
  /** `STATIC`: tests send the examples of the task in turn; a task without any cannot be tested. `NORMAL`: a prompt model writes a prompt for each test from the description and the examples; without such a model, the task cannot be tested. */
  type?: "STATIC" | "NORMAL";
  /** `DRAFT` tasks run only by hand, not by schedule; archived tasks do not run. */
  status?: "DRAFT" | "ACTIVE" | "ARCHIVED";
  /** Prompts of its active examples, in their order. Examples with one of these prompts keep their other fields; the others are removed. A task with more examples than are shown here is changed by `/v0/tasks/{id}/examples`. */
  inputExamples?: (string)[];
  /** Metadata that is sent with each test; null and an empty object are none. */
  metadata?: Record<string, unknown> | null;
  /** JSON Schema of the prompts, when these are objects: each example is the JSON text of one. */
  simulatedPromptSchema?: Record<string, unknown> | null;
  topicId?: string | null;
  isVerified?: boolean;
  /** Replaces all definitions that are linked to it directly. */
  evalDefinitions?: ({
    evalDefinitionId: string;
    config?: {
      /** Expected output, for definitions that compare with it. */
      expected?: unknown;
    } | null;
  })[];
  /** True to archive the topic that the task leaves, if no open task is left in it. */
  deleteEmptySourceTopic?: boolean;
};

export type UpdateTopicBody = {
  title?: string;
  description?: string | null;
  baseline?: number | null;
  status?: "DRAFT" | "ACTIVE" | "ARCHIVED";
  /** Identifier of the user who is responsible. */
  assignedTo?: string | null;
  isInScope?: boolean;
  isTasksVerified?: boolean;
  isDocumentsVerified?: boolean;
  isKnowledgeBaseVerified?: boolean;
  isPoliciesVerified?: boolean;
  /** Replaces all definitions that are linked to it directly. */
  evalDefinitions?: ({
    evalDefinitionId: string;
    config?: {
      /** Expected output, for definitions that compare with it. */
      expected?: unknown;
    } | null;
  })[];
};

export type UpdateVariantBody = {
  title?: string;
  description?: string | null;
  /** Step → parameter → value, merged over the settings of the parent; the value of a parameter is replaced completely. */
  configPatch?: Record<string, Record<string, unknown>>;
  parentId?: string | null;
  /** `DRAFT`, `PENDING`, `REJECTED` or the current status; all others follow from the tests. */
  status?: "DRAFT" | "PENDING" | "RUNNING" | "COMPLETED" | "FAILED" | "REJECTED";
};

export type UpdateViewBody = {
  name?: string;
  /** Filter of the screen: the parameters of its address, each with its values. `{ "q": ["error:yes"] }` is a filter line. */
  filter?: Record<string, (string)[]>;
  /** Columns that the list shows; null for the usual ones. */
  columns?: (string)[] | null;
  /** Field that the list is ordered by, after a minus for descending order; null for the usual one. */
  sort?: string | null;
  /** Everybody of the application sees a shared view; only its creator sees any other. */
  isShared?: boolean;
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
  /** Value of the header `x-service-signature`. */
  signature: string;
  /** Value of the header `x-service-timestamp`: Unix milliseconds as a number or as text. */
  timestamp: number;
  /** Unchanged body of the webhook. */
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
    /** First character of the fault in a filter line. */
    start?: number;
    /** Character after the fault. */
    end?: number;
    /** Text that would be right in place of the fault; null if there is no obvious one. */
    suggestion?: string | null;
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
  /** Status, which follows from the tests, except for `DRAFT`, `PENDING` and `REJECTED`. */
  status: "DRAFT" | "PENDING" | "RUNNING" | "COMPLETED" | "FAILED" | "REJECTED";
  /** Changes to the settings of the parent: step → parameter → value. */
  configPatch: Record<string, Record<string, unknown>>;
  /** Complete settings, merged with those of all ancestors, as its tests receive them. */
  config: Record<string, Record<string, unknown>>;
  /** Id of the parent; null for the baseline. */
  parentId: string | null;
  /** Result of all its tests. */
  result: Result;
  /** 95 % confidence interval of the pass rate, in percent; null when nothing counts. */
  passRateInterval: RateInterval | null;
  /** Progress of its tests. */
  progress: {
    /** Number of tests that have ended, with any result. */
    completed: number;
    total: number;
  };
  /** True if the caller reviews the trace, or a test that is counted, in a blind queue, so that what shows a verdict is withheld; absent otherwise. */
  withheld?: boolean;
};

export type View = {
  id: string;
  orgId: string;
  applicationId: string;
  createdAt: string;
  modifiedAt: string;
  name: string;
  /** Screen that the view belongs to. */
  screen: "traces" | "tests" | "results" | "sessions";
  /** Filter of the screen: the parameters of its address, each with its values. `{ "q": ["error:yes"] }` is a filter line. */
  filter: Record<string, (string)[]>;
  /** Columns that the list shows; null for the usual ones. */
  columns: (string)[] | null;
  /** Field that the list is ordered by, after a minus for descending order; null for the usual one. */
  sort: string | null;
  /** Everybody of the application sees a shared view; only its creator sees any other. */
  isShared: boolean;
  createdBy: {
    type: "user" | "key";
    /** Id of the user, or `keyId` of the API key. */
    id: string;
    /** Name of the user or of the key at that time. */
    name: string;
  };
};

export type Webhook = {
  id: string;
  orgId: string;
  applicationId: string;
  url: string;
  /** Configured headers, with hidden values. */
  headers: Record<string, "***">;
  /** Time limit for the response of the app, in milliseconds. */
  timeoutMs: number;
  enabled: boolean;
  createdAt: string;
  modifiedAt: string;
  /** Secret that signs the deliveries. Only in the response that creates it. */
  webhookSecret?: string;
};

type BadRequestAnswer = { headers: Record<string, unknown>; content: { 'application/json': ErrorResponse } };
type UnauthorizedAnswer = { headers: Record<string, unknown>; content: { 'application/json': ErrorResponse } };
type ForbiddenAnswer = { headers: Record<string, unknown>; content: { 'application/json': ErrorResponse } };
type NotFoundAnswer = { headers: Record<string, unknown>; content: { 'application/json': ErrorResponse } };
type ConflictAnswer = { headers: Record<string, unknown>; content: { 'application/json': ErrorResponse } };
type PreconditionFailedAnswer = { headers: Record<string, unknown>; content: { 'application/json': ErrorResponse } };
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
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "title" | "slug" | "type" | "environment" | "id"; orderDir?: "asc" | "desc"; slug?: string; type?: "CHATBOT" | "AGENT"; environment?: "DEV" | "PROD"; humanAnnotationEnabled?: boolean }; header?: never; };
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
      parameters: { path: { id: string }; query?: never; header?: { 'if-match'?: string }; };
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
        412: PreconditionFailedAnswer;
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
  '/v0/applications/{id}/example-data': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: ExampleData;
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
      requestBody?: never;
      responses: {
        202: { headers: Record<string, unknown>; content: { 'application/json': {
          data: ExampleData;
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
        202: { headers: Record<string, unknown>; content: { 'application/json': {
          data: ExampleData;
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
  '/v0/applications/{id}/health': {
    get: {
      parameters: { path: { id: string }; query?: { probe?: boolean }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: ApplicationHealth;
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
  '/v0/attention': {
    get: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (AttentionItem)[];
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
  '/v0/audit': {
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt"; orderDir?: "asc" | "desc"; actorId?: (string)[]; action?: (string)[]; resourceId?: string; startDate?: string; endDate?: string }; header?: never; };
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
  '/v0/definitions/try': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': TryDefinitionBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: TryResult;
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
      parameters: { path: { id: string }; query?: never; header?: { 'if-match'?: string }; };
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
        412: PreconditionFailedAnswer;
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
  '/v0/definitions/{id}/disagreements': {
    get: {
      parameters: { path: { id: string }; query?: { half?: "DRAFT" | "HOLDOUT"; limit?: number }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Disagreement)[];
          definitionId: string;
          /** Number of all disagreements, by half. */
          counts: {
            draft: number;
            holdout: number;
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
  '/v0/definitions/{id}/evaluate': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': EvaluateReviewedBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: EvaluateReviewedResult;
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
  '/v0/definitions/{id}/next-step': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: AgreementStep;
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
  '/v0/definitions/{id}/versions': {
    get: {
      parameters: { path: { id: string }; query?: { against?: number }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (DefinitionVersion)[];
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
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "title" | "type" | "status" | "assignee" | "id"; orderDir?: "asc" | "desc"; type?: ("KNOWLEDGE" | "POLICY")[]; topicId?: (string)[]; quickstartId?: (string)[]; status?: ("DRAFT" | "ACTIVE" | "REVIEW" | "APPROVED" | "ARCHIVED")[]; tagId?: (string)[]; scrapeJobId?: (string)[]; fileProcessingId?: (string)[]; startDate?: string; endDate?: string; assignee?: (string)[]; isVerified?: boolean; search?: string; documentStatus?: ("DRAFT" | "ACTIVE")[]; metadataStep?: (string)[] }; header?: never; };
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
          /** Title of a text or Markdown file. Default: the first heading, else the name of the file. */
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
      parameters: { path: { id: string }; query?: never; header?: { 'if-match'?: string }; };
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
        412: PreconditionFailedAnswer;
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
  '/v0/documents/{id}/tags': {
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
    put: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': ReplaceDocumentTagsBody } };
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
          /** The document, without its texts. */
          document: DocumentHead;
          /** The same as `data`. */
          versions: (ListedDocumentVersion)[];
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
      requestBody?: { content: { 'application/json': CreateDocumentVersionBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: DocumentVersion;
          /** The document, without its texts. */
          document: DocumentHead;
          /** The same as `data`. */
          version: DocumentVersion;
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
          /** The document, without its texts. */
          document: DocumentHead;
          /** The same as `data`. */
          version: DocumentVersion;
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
          /** The document, without its texts. */
          document: DocumentHead;
          /** The same as `data`. */
          version: DocumentVersion;
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
  '/v0/documents/{id}/versions/{n}/activate': {
    put: {
      parameters: { path: { id: string; n: number }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: DocumentVersion;
          /** The document, without its texts. */
          document: DocumentHead;
          /** The same as `data`. */
          version: DocumentVersion;
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
  '/v0/erasures': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateErasureBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Erasure;
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
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt"; orderDir?: "asc" | "desc"; subjectHash?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Erasure)[];
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
  '/v0/erasures/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Erasure;
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
  '/v0/evals': {
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "status" | "id"; orderDir?: "asc" | "desc"; taskId?: (string)[]; testId?: (string)[]; traceId?: (string)[]; exampleId?: (string)[]; runId?: (string)[]; evalDefinitionId?: (string)[]; type?: (string)[]; status?: ("PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "SKIPPED")[]; passed?: boolean; superseded?: boolean }; header?: never; };
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
            /** Day, such as `2026-03-31`; null when grouped by definition. */
            day: string | null;
            /** Null when grouped by day. */
            evalDefinitionId: string | null;
            /** Name of the definition. */
            name: string | null;
            /** Number of evals by a judge model, including superseded ones. */
            evals: number;
            inputTokens: number;
            outputTokens: number;
            /** Cost in US dollars of the evals whose model has a known price; null when none has. */
            cost: number | null;
            /** Number of evals of unknown cost, which `cost` does not include. */
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
  '/v0/evals/{id}/judge-calls': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (JudgeCall)[];
          /** True if the caller reviews the trace, or a test that is counted, in a blind queue, so that what shows a verdict is withheld; absent otherwise. */
          withheld?: boolean;
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
  '/v0/evidence-key': {
    get: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: {
            algorithm: "Ed25519";
            /** DER of the SubjectPublicKeyInfo, in Base64. */
            publicKey: string;
            /** SHA-256 of that DER, in hex. */
            fingerprint: string;
          };
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
      parameters: { path: { id: string }; query?: never; header?: { 'if-match'?: string }; };
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
        412: PreconditionFailedAnswer;
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
  '/v0/filter/suggest': {
    get: {
      parameters: { path?: never; query: { screen: "traces" | "tests" | "results" | "sessions"; q?: string; cursor?: number }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (FilterSuggestion)[];
          /** First character of the term at the cursor. */
          start: number;
          /** Character after the term. */
          end: number;
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
  '/v0/human-annotation-queue-items/bulk': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateQueueItemsBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: SelectionDone;
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
  '/v0/human-annotation-queue-items/{id}/lease': {
    put: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': RenewItemLeaseBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: {
            /** Send it as `leaseToken` with the annotation. */
            token: string;
            expiresAt: string;
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
    delete: {
      parameters: { path: { id: string }; query?: { reason?: "SKIP" | "UNCLEAR" }; header?: never; };
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
  '/v0/human-annotation-queue-items/{id}/unblind': {
    post: {
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
      parameters: { path: { id: string }; query?: never; header?: { 'if-match'?: string }; };
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
        409: ConflictAnswer;
        412: PreconditionFailedAnswer;
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
  '/v0/human-annotation-queues/{id}/next': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: { content: { 'application/json': ReserveNextItemBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: {
            item: QueueItem;
            lease: {
              /** Send it as `leaseToken` with the annotation. */
              token: string;
              expiresAt: string;
            };
            /** What is judged, without model, version and time. */
            content: ReviewContent;
          };
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
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "id"; orderDir?: "asc" | "desc"; traceId?: (string)[]; evalDefinitionId?: (string)[]; verdict?: boolean; annotatorId?: (string)[]; source?: ("REVIEW_QUEUE" | "TRACE_PAGE" | "TEST_PAGE")[]; queueItemId?: (string)[]; startDate?: string; endDate?: string }; header?: never; };
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
      parameters: { path: { id: string }; query?: never; header?: { 'if-match'?: string }; };
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
        409: ConflictAnswer;
        412: PreconditionFailedAnswer;
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
            /** API key of the requests. */
            keyId: string;
            requests: number;
            /** Number of spans or native events; equals stored + duplicate + replaced + rejected. */
            received: number;
            stored: number;
            /** Number of repeated, identical spans. */
            duplicate: number;
            /** Number of spans that replaced another version. */
            replaced: number;
            rejected: number;
            /** Number of rejected spans, by reason. */
            reasons: Record<string, number>;
            /** Other counts: test ids that are not a uuid, log records (stored, duplicate, dropped, rejected), requests that were rejected completely. */
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
            /** Newest rejections with this trace id. */
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
  '/v0/issue-pareto': {
    get: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: IssuePareto | null;
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
  '/v0/issue-webhook': {
    get: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: IssueWebhook;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
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
      requestBody: { content: { 'application/json': SaveIssueWebhookBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: IssueWebhook;
        } } };
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: IssueWebhook;
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
  '/v0/issue-webhook/messages': {
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "id"; orderDir?: "asc" | "desc"; issueId?: (string)[]; status?: ("PENDING" | "DELIVERED" | "FAILED")[] }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (IssueMessage)[];
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
  '/v0/issue-webhook/messages/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: IssueMessage;
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
  '/v0/issue-webhook/messages/{id}/replay': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: IssueMessage;
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
  '/v0/issue-webhook/rotate-secret': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: IssueWebhook;
        } } };
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
  '/v0/issue-webhook/test': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: IssueMessage;
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
  '/v0/issues': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateIssueBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Issue;
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
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "lastSeenAt" | "createdAt" | "modifiedAt" | "priority" | "linkCount" | "number" | "id"; orderDir?: "asc" | "desc"; status?: ("OPEN" | "RESOLVED" | "REJECTED")[]; type?: ("BUG" | "HUMAN_ANNOTATION" | "SUGGESTED_TASK" | "USER_SIGNAL")[]; source?: ("TEST" | "TASK" | "TOPIC" | "SYSTEM" | "MONITORING" | "API" | "HUMAN_ANNOTATION")[]; priority?: ("LOW" | "MEDIUM" | "HIGH")[]; parentId?: (string)[]; topicId?: (string)[]; taskId?: (string)[]; evalDefinitionId?: (string)[]; ownerId?: (string)[]; isReopened?: boolean; search?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Issue)[];
          pagination: Pagination;
          counts: IssueCounts;
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
  '/v0/issues/suggest': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': SuggestIssuesBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: IssueSuggestions;
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
  '/v0/issues/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Issue;
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
      parameters: { path: { id: string }; query?: never; header?: { 'if-match'?: string }; };
      requestBody: { content: { 'application/json': UpdateIssueBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Issue;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        412: PreconditionFailedAnswer;
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
  '/v0/issues/{id}/activity': {
    get: {
      parameters: { path: { id: string }; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "id"; orderDir?: "asc" | "desc" }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (IssueEvent)[];
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
  '/v0/issues/{id}/draft-evaluator': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': DraftEvaluatorBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: EvaluatorDraftResult;
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
  '/v0/issues/{id}/evidence': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: ({
            /** `EVALUATOR`: an evaluator detects the problem. `VERIFIED`: it needs no model, or reviewers have verified it. `EXAMPLES`: examples in the subset `issue-<number>`. `EXAMPLES_PASS`: the last 3 tests of each of them passed. `GONE`: none of the newest 150 traces that were drawn at random and completed is linked. */
            kind: "EVALUATOR" | "VERIFIED" | "EXAMPLES" | "EXAMPLES_PASS" | "GONE";
            isMet: boolean;
            /** Number of what there is. */
            have: number;
            /** Number of what is needed. */
            need: number;
            /** The evaluator, for `EVALUATOR` and `VERIFIED`. */
            evalDefinitionId: string | null;
            /** Tasks of the examples, at most 20. */
            taskIds: (string)[];
            /** Queue of the sample, for `GONE`. */
            queueId: string | null;
            /** State of the evidence in words. */
            message: string;
            /** True if the caller reviews the trace, or a test that is counted, in a blind queue, so that what shows a verdict is withheld; absent otherwise. */
            withheld?: boolean;
          })[];
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
  '/v0/issues/{id}/links': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': LinkIssueBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: SelectionDone;
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
  '/v0/issues/{id}/links/{linkId}': {
    delete: {
      parameters: { path: { id: string; linkId: string }; query?: never; header?: never; };
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
  '/v0/issues/{id}/measure-evaluator': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': MeasureEvaluatorBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: EvaluatorMeasurement;
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
  '/v0/issues/{id}/merge': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': MergeIssueBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Issue;
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
  '/v0/issues/{id}/occurrences': {
    get: {
      parameters: { path: { id: string }; query?: { skip?: number; limit?: number; orderBy?: "seenAt" | "createdAt" | "id"; orderDir?: "asc" | "desc" }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Occurrence)[];
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
  '/v0/issues/{id}/reject': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': RejectIssueBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Issue;
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
  '/v0/issues/{id}/reopen': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': ReopenIssueBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Issue;
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
  '/v0/issues/{id}/resolve': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': ResolveIssueBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Issue;
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
  '/v0/logins': {
    get: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (OwnLogin)[];
        } } };
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
    delete: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          /** Number of logins that ended. */
          ended: number;
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
  '/v0/logins/{loginId}': {
    delete: {
      parameters: { path: { loginId: string }; query?: never; header?: never; };
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
  '/v0/mappings': {
    get: {
      parameters: { path?: never; query?: { version?: number }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: OwnMappings;
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
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': SetMappingsBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: OwnMappings;
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
  '/v0/mappings/preview': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': PreviewMappingsBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: MappingPreview;
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
  '/v0/masking': {
    get: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Masking;
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
    put: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': SetMaskingBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Masking;
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
  '/v0/masking/preview': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': PreviewMaskingBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: {
            /** The text as it would be stored; null when its attribute is removed. */
            text: string | null;
            masked: ({
              detector: string;
              count: number;
            })[];
          };
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
  '/v0/masking/report': {
    get: {
      parameters: { path?: never; query?: { days?: number }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (MaskedValues)[];
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
  '/v0/notes': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateNoteBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Note;
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
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "id"; orderDir?: "asc" | "desc"; traceId?: (string)[]; issueId?: (string)[]; unassigned?: boolean; creatorId?: (string)[] }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Note)[];
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
  '/v0/notes/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Note;
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
      parameters: { path: { id: string }; query?: never; header?: { 'if-match'?: string }; };
      requestBody: { content: { 'application/json': UpdateNoteBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Note;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        412: PreconditionFailedAnswer;
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
  '/v0/prices': {
    get: {
      parameters: { path?: never; query?: { version?: number }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: OwnPrices;
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
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': SetPricesBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: OwnPrices;
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
      parameters: { path: { id: string }; query?: never; header?: { 'if-match'?: string }; };
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
        412: PreconditionFailedAnswer;
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
  '/v0/quickstarts/{id}/steps': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (QuickstartStep)[];
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
  '/v0/results': {
    get: {
      parameters: { path?: never; query: { q?: string; side: (unknown)[]; outcome?: ("FAILED" | "APP_ERROR" | "NO_VERDICT" | "NOT_RUN" | "RUNNING" | "PASSED")[]; change?: ("REGRESSED" | "FIXED" | "BOTH_FAILED" | "ONE_SIDE" | "BOTH_PASSED" | "OUTPUT_CHANGED")[]; causeKey?: (string)[]; issueId?: (string)[]; definitionId?: string; passed?: boolean; orderBy?: "result" | "outcome" | "example" | "durationMs" | "cost" | "tokens"; orderDir?: "asc" | "desc"; groupBy?: "evaluator" | "topic" | "tag" | "subset"; skip?: number; limit?: number; text?: number }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': Results } };
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
  '/v0/results/export': {
    get: {
      parameters: { path?: never; query: { format?: "csv" | "jsonl" | "parquet"; bom?: boolean; limit?: number; q?: string; side: (unknown)[]; outcome?: ("FAILED" | "APP_ERROR" | "NO_VERDICT" | "NOT_RUN" | "RUNNING" | "PASSED")[]; change?: ("REGRESSED" | "FIXED" | "BOTH_FAILED" | "ONE_SIDE" | "BOTH_PASSED" | "OUTPUT_CHANGED")[]; causeKey?: (string)[]; issueId?: (string)[]; definitionId?: string; passed?: boolean }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'text/csv': Blob; 'application/x-ndjson': Blob; 'application/vnd.apache.parquet': Blob } };
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
  '/v0/results/run-again': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': RunResultsAgainBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: {
            /** Number of rows of the selection when the request arrived. */
            matched: number;
            /** Number of rows that were acted on. */
            done: number;
            /** Number of rows that were not. */
            skippedCount: number;
            /** The first 100 of them, with the reasons. */
            skipped: ({
              /** Trace, or test of a result without one. */
              id: string;
              /** `NOT_FOUND`: there is no such trace any more. `NO_TRACE`: no trace of the test has arrived. `NO_INPUT`: the trace has no input. `NO_EXAMPLE`: the test was of no example, or its example is deleted or archived. `ALREADY`: it is there already. `INVALID`: the task does not accept the input. */
              reason: "NOT_FOUND" | "NO_TRACE" | "NO_INPUT" | "NO_EXAMPLE" | "ALREADY" | "INVALID";
            })[];
            /** False if the text of steps was searched in the newest traces only, so that more may match. */
            isComplete: boolean;
            runs: ({
              runId: string;
              taskId: string;
              tests: number;
            })[];
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
  '/v0/retention': {
    get: {
      parameters: { path?: never; query?: { days?: number; maxBytes?: number }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Retention;
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
    put: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': SetRetentionBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Retention;
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
  '/v0/run-sets': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateRunSetBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: RunSet;
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
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "id"; orderDir?: "asc" | "desc"; status?: ("RUNNING" | "COMPLETED" | "FAILED" | "CANCELLED")[]; branch?: (string)[]; commit?: (string)[]; startDate?: string; endDate?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (RunSet)[];
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
  '/v0/run-sets/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: RunSet;
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
  '/v0/run-sets/{id}/cancel': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: RunSet;
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
  '/v0/run-sets/{id}/continue': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: RunSet;
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
  '/v0/run-sets/{id}/decision': {
    get: {
      parameters: { path: { id: string }; query?: { baseline?: string; failUnder?: number; strict?: boolean; allowSkipped?: number; question?: "THESE_EXAMPLES" | "THESE_TASKS" | "EXAMPLES_LIKE_THESE"; equalTasks?: boolean; withAdvisory?: boolean; margin?: number; minPaired?: number; findLoss?: number }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Decision;
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
    post: {
      parameters: { path: { id: string }; query?: { baseline?: string; failUnder?: number; strict?: boolean; allowSkipped?: number; question?: "THESE_EXAMPLES" | "THESE_TASKS" | "EXAMPLES_LIKE_THESE"; equalTasks?: boolean; withAdvisory?: boolean; margin?: number; minPaired?: number; findLoss?: number }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Decision;
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
  '/v0/run-sets/{id}/evidence': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/x-ndjson': Blob } };
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
  '/v0/run-sets/{id}/issues': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (RunSetIssue)[];
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
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
  '/v0/run-sets/{id}/snapshot': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: RunSetSnapshot;
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
  '/v0/runs': {
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "type" | "id"; orderDir?: "asc" | "desc"; taskId?: (string)[]; type?: ("MANUAL" | "SCHEDULED" | "EXPERIMENT" | "MONITORING")[]; runSetId?: (string)[]; startDate?: string; endDate?: string }; header?: never; };
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
          data: EvaluateResult;
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
  '/v0/runs/{id}/prompt-calls': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (JudgeCall)[];
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
  '/v0/search': {
    get: {
      parameters: { path?: never; query: { q: string; kinds?: ("task" | "evaluator" | "run" | "experiment" | "issue" | "topic" | "document")[]; limit?: number }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (FoundRecord)[];
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
  '/v0/sessions': {
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "lastAt" | "firstAt"; orderDir?: "asc" | "desc"; q?: string; userId?: (string)[]; search?: string; startDate?: string; endDate?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Session)[];
          pagination: CountedPagination;
          searched?: Searched;
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
            /** Start of its first trace. */
            firstAt: string;
            /** Start of its last trace. */
            lastAt: string;
            /** Time from the start of the first trace to the last end. */
            durationMs: number;
            usage: {
              promptTokens: number;
              completionTokens: number;
              totalTokens: number;
            };
            /** Cost in US dollars. */
            cost: number | null;
            /** Number of traces with an error. */
            errorCount: number;
            /** At most 64. */
            models: (string)[];
            /** Input of its first trace. */
            input: string | null;
            /** Output of its last trace. */
            output: string | null;
            /** Last trace of the session. Evals of the conversation up to that trace belong to it. */
            lastTraceId: string;
            /** At most 20. */
            testIds: (string)[];
            /** Traces in order of time, at most 1000. */
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
  '/v0/sessions/{id}/evaluate': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: { content: { 'application/json': EvaluateSessionBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: {
            /** Last trace of the session. */
            traceId: string;
            /** Number of evals that run again or for the first time. */
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
      parameters: { path: { id: string }; query?: never; header?: { 'if-match'?: string }; };
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
        409: ConflictAnswer;
        412: PreconditionFailedAnswer;
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
  '/v0/system': {
    get: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: System;
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
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "name" | "status" | "id"; orderDir?: "asc" | "desc"; status?: ("ACTIVE" | "ARCHIVED")[]; search?: string }; header?: never; };
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
      parameters: { path: { id: string }; query?: never; header?: { 'if-match'?: string }; };
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
        412: PreconditionFailedAnswer;
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
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "title" | "type" | "status" | "lastTest" | "id"; orderDir?: "asc" | "desc"; topicId?: (string)[]; quickstartId?: (string)[]; tagId?: (string)[]; search?: string; scheduleCriticality?: ("HIGH" | "MEDIUM" | "LOW")[]; evalDefinitionId?: (string)[]; taskStatus?: ("DRAFT" | "ACTIVE" | "ARCHIVED")[]; status?: ("success" | "warning" | "error" | "no-tests")[]; confidence?: ("HIGH" | "MEDIUM" | "LOW")[]; stability?: ("HIGH" | "MEDIUM" | "LOW")[]; healthScore?: ("HIGH" | "MEDIUM" | "LOW")[] }; header?: never; };
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
      parameters: { path?: never; query?: { topicId?: (string)[]; quickstartId?: (string)[]; tagId?: (string)[]; search?: string; scheduleCriticality?: ("HIGH" | "MEDIUM" | "LOW")[]; evalDefinitionId?: (string)[]; taskStatus?: ("DRAFT" | "ACTIVE" | "ARCHIVED")[]; status?: ("success" | "warning" | "error" | "no-tests")[]; confidence?: ("HIGH" | "MEDIUM" | "LOW")[]; stability?: ("HIGH" | "MEDIUM" | "LOW")[]; healthScore?: ("HIGH" | "MEDIUM" | "LOW")[] }; header?: never; };
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
      parameters: { path: { id: string }; query?: never; header?: { 'if-match'?: string }; };
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
        412: PreconditionFailedAnswer;
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
  '/v0/tasks/{id}/evaluate': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: { content: { 'application/json': EvaluateTaskBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: EvaluateResult;
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
  '/v0/tasks/{id}/examples': {
    get: {
      parameters: { path: { id: string }; query?: { skip?: number; limit?: number; orderBy?: "position" | "modifiedAt"; orderDir?: "asc" | "desc"; status?: ("ACTIVE" | "ARCHIVED" | "WRITTEN")[]; split?: (string)[]; key?: (string)[]; search?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (Example)[];
          pagination: Pagination;
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
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateExampleBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Example;
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
  '/v0/tasks/{id}/examples/export': {
    get: {
      parameters: { path: { id: string }; query?: { status?: ("ACTIVE" | "ARCHIVED" | "WRITTEN")[]; split?: (string)[]; key?: (string)[]; search?: string; format?: "csv" | "jsonl" | "parquet"; bom?: boolean; limit?: number }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'text/csv': Blob; 'application/x-ndjson': Blob; 'application/vnd.apache.parquet': Blob } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
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
  '/v0/tasks/{id}/examples/from-traces': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateExamplesFromTracesBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: SelectionDone;
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
  '/v0/tasks/{id}/examples/import': {
    post: {
      parameters: { path: { id: string }; query?: { mapping?: unknown; dryRun?: "true" | "false"; definitions?: "true" | "false" }; header?: never; };
      requestBody: { content: { 'multipart/form-data': {
          /** JSON object with the column of each field, such as `{"input":"question","expected":"answer"}`. A path such as `inputs.question` names a member of an object, a list several columns, such as those of `metadata`. Fields that it does not name are guessed; a field with `null` takes no column. */
          mapping?: string;
          /** `true` to check the file and show the mapping without storing anything. */
          dryRun?: "true" | "false";
          /** `false` to import only examples from a file of promptfoo. Otherwise definitions that apply their checks and rubrics are linked to the task, and created if there are none. */
          definitions?: "true" | "false";
          /** Its name ends in .csv, .tsv, .jsonl, .ndjson, .json, .yaml, .yml, .parquet, .xlsx. */
          file: Blob;
        }; 'text/csv': Blob; 'text/tab-separated-values': Blob; 'application/jsonl': Blob; 'application/x-ndjson': Blob; 'application/json': Blob; 'application/yaml': Blob; 'application/vnd.apache.parquet': Blob; 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': Blob } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: ExampleImport;
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
  '/v0/tasks/{id}/examples/{exampleId}': {
    get: {
      parameters: { path: { id: string; exampleId: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Example;
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
      parameters: { path: { id: string; exampleId: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': UpdateExampleBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Example;
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
      parameters: { path: { id: string; exampleId: string }; query?: never; header?: never; };
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
  '/v0/tasks/{id}/examples/{exampleId}/versions': {
    get: {
      parameters: { path: { id: string; exampleId: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          /** Newest first; the last 100 are kept. */
          data: (ExampleVersion)[];
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
    put: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': ReplaceTaskTagsBody } };
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
  '/v0/tests': {
    get: {
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "status" | "id"; orderDir?: "asc" | "desc"; q?: string; taskId?: (string)[]; runId?: (string)[]; exampleId?: (string)[]; status?: ("PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED")[]; phase?: ("queued" | "delivering" | "delivered" | "trace_received" | "evaluating" | "done")[]; runType?: ("MANUAL" | "SCHEDULED" | "EXPERIMENT" | "MONITORING")[]; evalDefinitionId?: (string)[]; experimentVariantId?: (string)[]; tagId?: (string)[]; issueId?: (string)[]; passRateStatuses?: ("success" | "warning" | "error")[]; outcome?: ("FAILED" | "APP_ERROR" | "NO_VERDICT" | "NOT_RUN" | "RUNNING" | "PASSED")[]; outcomeBasis?: ("BLOCKING" | "ALL")[]; causeKey?: (string)[]; startDate?: string; endDate?: string }; header?: never; };
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
  '/v0/tests/export': {
    get: {
      parameters: { path?: never; query?: { format?: "csv" | "jsonl" | "parquet"; bom?: boolean; limit?: number; q?: string; taskId?: (string)[]; runId?: (string)[]; exampleId?: (string)[]; status?: ("PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED")[]; phase?: ("queued" | "delivering" | "delivered" | "trace_received" | "evaluating" | "done")[]; runType?: ("MANUAL" | "SCHEDULED" | "EXPERIMENT" | "MONITORING")[]; evalDefinitionId?: (string)[]; experimentVariantId?: (string)[]; tagId?: (string)[]; issueId?: (string)[]; passRateStatuses?: ("success" | "warning" | "error")[]; outcome?: ("FAILED" | "APP_ERROR" | "NO_VERDICT" | "NOT_RUN" | "RUNNING" | "PASSED")[]; outcomeBasis?: ("BLOCKING" | "ALL")[]; causeKey?: (string)[]; startDate?: string; endDate?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'text/csv': Blob; 'application/x-ndjson': Blob; 'application/vnd.apache.parquet': Blob } };
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
  '/v0/tests/{id}/diagnosis': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: TestDiagnosis;
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
  '/v0/tests/{id}/evaluate': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: { content: { 'application/json': EvaluateTestBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: EvaluateResult;
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
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "title" | "status" | "id"; orderDir?: "asc" | "desc"; status?: ("DRAFT" | "ACTIVE" | "ARCHIVED")[]; title?: string; isInScope?: boolean; isTasksVerified?: boolean; isDocumentsVerified?: boolean; isKnowledgeBaseVerified?: boolean; isPoliciesVerified?: boolean }; header?: never; };
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
      parameters: { path: { id: string }; query?: never; header?: { 'if-match'?: string }; };
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
        412: PreconditionFailedAnswer;
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
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "timestamp" | "createdAt" | "durationMs" | "cost" | "totalTokens" | "spanCount" | "modifiedAt" | "id"; orderDir?: "asc" | "desc"; q?: string; id?: (string)[]; testId?: (string)[]; issueId?: (string)[]; sessionId?: (string)[]; userId?: (string)[]; model?: (string)[]; kind?: ("LLM" | "EMBEDDING" | "TOOL" | "RETRIEVER" | "RERANKER" | "AGENT" | "CHAIN" | "GUARDRAIL" | "EVALUATOR")[]; tag?: (string)[]; environment?: (string)[]; provider?: (string)[]; metadataKey?: string; metadataValue?: string; includeSamples?: boolean; includeDeliveries?: boolean; hasErrors?: boolean; minDurationMs?: number; maxDurationMs?: number; minCost?: number; maxCost?: number; minTokens?: number; maxTokens?: number; minScore?: number; maxScore?: number; search?: string; startDate?: string; endDate?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (ListedTrace)[];
          pagination: CountedPagination;
          searched?: Searched;
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
  '/v0/traces/export': {
    get: {
      parameters: { path?: never; query?: { format?: "csv" | "jsonl" | "parquet" | "otlp-jsonl" | "otlp-proto"; bom?: boolean; limit?: number; q?: string; id?: (string)[]; testId?: (string)[]; issueId?: (string)[]; sessionId?: (string)[]; userId?: (string)[]; model?: (string)[]; kind?: ("LLM" | "EMBEDDING" | "TOOL" | "RETRIEVER" | "RERANKER" | "AGENT" | "CHAIN" | "GUARDRAIL" | "EVALUATOR")[]; tag?: (string)[]; environment?: (string)[]; provider?: (string)[]; metadataKey?: string; metadataValue?: string; includeSamples?: boolean; includeDeliveries?: boolean; hasErrors?: boolean; minDurationMs?: number; maxDurationMs?: number; minCost?: number; maxCost?: number; minTokens?: number; maxTokens?: number; minScore?: number; maxScore?: number; search?: string; startDate?: string; endDate?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'text/csv': Blob; 'application/x-ndjson': Blob; 'application/vnd.apache.parquet': Blob; 'application/x-protobuf': Blob } };
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
  '/v0/traces/facets': {
    get: {
      parameters: { path?: never; query?: { q?: string; id?: (string)[]; testId?: (string)[]; issueId?: (string)[]; sessionId?: (string)[]; userId?: (string)[]; model?: (string)[]; kind?: ("LLM" | "EMBEDDING" | "TOOL" | "RETRIEVER" | "RERANKER" | "AGENT" | "CHAIN" | "GUARDRAIL" | "EVALUATOR")[]; tag?: (string)[]; environment?: (string)[]; provider?: (string)[]; metadataKey?: string; metadataValue?: string; includeSamples?: boolean; includeDeliveries?: boolean; hasErrors?: boolean; minDurationMs?: number; maxDurationMs?: number; minCost?: number; maxCost?: number; minTokens?: number; maxTokens?: number; minScore?: number; maxScore?: number; search?: string; startDate?: string; endDate?: string }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: TraceFacets;
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
  '/v0/traces/stream': {
    get: {
      parameters: { path?: never; query?: { q?: string; id?: (string)[]; testId?: (string)[]; issueId?: (string)[]; sessionId?: (string)[]; userId?: (string)[]; model?: (string)[]; kind?: ("LLM" | "EMBEDDING" | "TOOL" | "RETRIEVER" | "RERANKER" | "AGENT" | "CHAIN" | "GUARDRAIL" | "EVALUATOR")[]; tag?: (string)[]; environment?: (string)[]; provider?: (string)[]; metadataKey?: string; metadataValue?: string; includeSamples?: boolean; includeDeliveries?: boolean; hasErrors?: boolean; minDurationMs?: number; maxDurationMs?: number; minCost?: number; maxCost?: number; minTokens?: number; maxTokens?: number; minScore?: number; maxScore?: number; search?: string; startDate?: string; endDate?: string }; header?: { 'last-event-id'?: string }; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'text/event-stream': string } };
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
  '/v0/traces/{id}': {
    get: {
      parameters: { path: { id: string }; query?: { steps?: boolean }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Trace | ListedTrace;
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
  '/v0/traces/{id}/example': {
    post: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody: { content: { 'application/json': MakeTraceExampleBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: Example;
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
          /** Reason why it is not valid. Only with the header `x-explain: true` and the scope `admin`. */
          reason?: "stale" | "other_secret" | "body_changed" | "malformed";
          /** JSON pointer of the first difference within the body, for `body_changed`. */
          pointer?: string;
          /** Description of the fault, for `malformed`. */
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
  '/v0/views': {
    post: {
      parameters: { path?: never; query?: never; header?: never; };
      requestBody: { content: { 'application/json': CreateViewBody } };
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': {
          data: View;
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
      parameters: { path?: never; query?: { skip?: number; limit?: number; orderBy?: "createdAt" | "modifiedAt" | "name" | "id"; orderDir?: "asc" | "desc"; screen?: ("traces" | "tests" | "results" | "sessions")[] }; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: (View)[];
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
  '/v0/views/{id}': {
    get: {
      parameters: { path: { id: string }; query?: never; header?: never; };
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: View;
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
      parameters: { path: { id: string }; query?: never; header?: { 'if-match'?: string }; };
      requestBody: { content: { 'application/json': UpdateViewBody } };
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          data: View;
        } } };
        400: BadRequestAnswer;
        401: UnauthorizedAnswer;
        403: ForbiddenAnswer;
        404: NotFoundAnswer;
        408: RequestTimeoutAnswer;
        409: ConflictAnswer;
        412: PreconditionFailedAnswer;
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
          /** True if the app responded with 200. */
          success: boolean;
          /** HTTP status of the response; 0 when there was none. */
          statusCode: number;
          /** Description of the error, with advice. */
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
          /** `conversations` create topics and tasks, `knowledge_base` and `policy` create documents; all of them drafts. */
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

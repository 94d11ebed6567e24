/**
 * Records as clients that were generated for the hosted form of the interface parse them. A field without `?` must be
 * present and not null; alternatives are separated by ` | `, the values of an enum by `/`.
 */
const STEP = `id: string, status: success/error/timeout/pending, timestamp: date-time, traceId: string, costAmount?: number,
  durationMs?: integer, endTime?: date-time, error?: string, group?: string, metadata?: map | any[], name?: string,
  params?: map | any[], parentId?: string, statusCode?: string`;
const PERFORMANCE = `confidence: Confidence, evaluations: integer, healthScore?: number, passed: integer, passRate?: number,
  recommendedAdditionalEvaluations: integer, stability: Stability, tests: integer, testsPassed: integer`;
const OWNED = 'id: string, applicationId: string, createdAt: date-time, modifiedAt: date-time, orgId: string';
const LEVEL = 'HIGH/MEDIUM/LOW';
const TASK = `id: string, createdAt: date-time, description: string, evalDefinitions: LinkOfTask[], inputExamples: string[],
  isVerified: boolean, metadata: map, modifiedAt: date-time, monitoring: Performance, monitoringPassRate?: number,
  passRate?: number, status: DEDUCED/DRAFT/ACTIVE/ARCHIVED, synthetic: Performance, title: string, type: STATIC/NORMAL,
  lastTest?: date-time, simulatedPromptSchema?: map, taskSchedule?: TaskSchedule, topicId?: string`;
const DOCUMENT = `${OWNED}, isVerified: boolean, optimized: boolean, status: DRAFT/ACTIVE, type: KNOWLEDGE/POLICY,
  assignee?: string, fileProcessingId?: string, scrapeJob?: ScrapeJob, scrapeJobId?: string, topicId?: string`;
const TEST = `${OWNED}, runId: string, runType: MANUAL/SCHEDULED/EXPERIMENT/MONITORING,
  status: PENDING/IN_PROGRESS/COMPLETED/FAILED, taskId: string, traceId?: string, result?: TestResult`;

const RECORDS: Readonly<Record<string, string>> = {
  Application: `id: string, context: string, createdAt: date-time, description: string, environment: DEV/PROD,
    humanAnnotationEnabled: boolean, language: da/de/en/es/fr/it/nl/pt/sv, modifiedAt: date-time, orgId: string, slug: string,
    title: string, type: CHATBOT/AGENT`,
  Criterion: 'criterion: string',
  MatchString: 'type: string, extract?: Extract',
  MatchList: `matchMode: exact_unordered/contains, type: list, extract?: Extract, passThreshold?: number,
    scoreMetric?: f1/precision/recall`,
  Extract: 'flags: string, group: integer | integer[], pattern: string',
  Definition: `id: string, createdAt: date-time, modifiedAt: date-time, name: string,
    type: NATURALNESS/STYLE/RECALL/CUSTOM/OUTPUT_MATCH, application?: Application,
    globalConfig?: Criterion | MatchList | MatchString, styleGuideId?: string, topics?: string[]`,
  LinkOfTask: 'evalDefinition: Definition, config?: Expected',
  LinkOfTopic: 'evalDefinition: Definition, topicId: string, config?: Expected',
  Expected: 'expected: string | string[]',
  Document: `${DOCUMENT}, content: string, title: string, versions: DocumentVersion[]`,
  DocumentHead: DOCUMENT,
  ListedDocument: `${DOCUMENT}, content: string, title: string, versions: DocumentVersion[], tags: ShortTag[]`,
  DocumentVersion: `${OWNED}, content: string, documentId: string, language: string, metadata: map, originalSentences: string[],
    status: DRAFT/REVIEW/APPROVED/ARCHIVED/ACTIVE, title: string, type: KNOWLEDGE/POLICY, versionNumber: integer`,
  VersionResponse: 'document: DocumentHead, version: DocumentVersion',
  VersionsResponse: 'document: DocumentHead, versions: DocumentVersion[]',
  ScrapeJob: `${OWNED}, initiatedBy: string, name: string, quickstartStatus: PROCESSING/REVIEW/COMPLETED/NOT_ASSOCIATED,
    status: MAPPING/PENDING/IN_PROGRESS/COMPLETED/FAILED, url: string, failedPages?: FailedPage[], pages?: Page[]`,
  FailedPage: 'error: string, url: string',
  Page: 'url: string, category?: string, description?: string, title?: string',
  Tag: `${OWNED}, color: string, name: string, status: ACTIVE/ARCHIVED, description?: string`,
  ShortTag: 'id: string, color: string, name: string',
  StyleGuide: `${OWNED}, content: Section[]`,
  Section: 'approved: boolean, content: string, heading: string',
  Task: TASK,
  ListedTask: `${TASK}, combined: Performance, tags: ShortTag[]`,
  TaskSchedule: `applicationId: string, criticality: ${LEVEL}, cron: string, taskId: string, lastRunAt?: date-time,
    nextRunAt?: date-time`,
  Performance: PERFORMANCE,
  Confidence: `halfWidth: number, interval: Interval, level: ${LEVEL}`,
  Interval: 'lower: number, upper: number',
  Stability: `level: ${LEVEL}, stddev?: number`,
  Test: `${TEST}, evals: Eval[]`,
  ListedTest: `${TEST}, evals: Eval[], task: TaskOfTest`,
  TaskOfTest: 'id: string, title: string, topicId?: string',
  TestResult: 'averageScore: number, failed: integer, passed: integer, passRate: number, total: integer',
  Eval: `id: string, createdAt: date-time, definition: Definition, modifiedAt: date-time, orgId: string,
    status: PENDING/IN_PROGRESS/COMPLETED/FAILED/SKIPPED, message?: string, passed?: boolean,
    results?: Naturalness | Recall | Match | Custom | Style, score?: number`,
  Naturalness:
    'analysis: string, clarity: number, coherence: number, engagingness: number, naturalness: number, relevance: number',
  Style: 'analysis: string, score: number',
  Recall:
    'AnswerRelevancy: Measure, ContextPrecision: Measure, ContextRelevancy: Measure, Faithfulness: Measure',
  Measure: 'score: number, error?: string',
  Custom: 'score: integer, error?: string, metadata?: Rationale',
  Rationale: 'rationale: string, choice?: Y/N',
  Match: `reason: string, score: number, expected?: string, expectedList?: string[], f1?: number, got?: string,
    gotList?: string[], matchMode?: exact_unordered/contains, missing?: Missing[], precision?: number, recall?: number,
    scoreMetric?: f1/precision/recall, tp?: number`,
  Missing: 'have: number, need: number, value: string',
  Topic: `${OWNED}, baseline?: number, isDocumentsVerified: boolean, isInScope: boolean, isKnowledgeBaseVerified: boolean,
    isPoliciesVerified: boolean, isTasksVerified: boolean, status: DRAFT/ACTIVE/ARCHIVED, title: string, assignedTo?: string,
    evalDefinitions?: LinkOfTopic[]`,
  Trace: `id: string, timestamp: date-time, hasError?: boolean, metadata?: map | any[], referenceId?: string,
    stepCount?: integer, steps?: Step[], testId?: string, totalCompletionTokens?: integer, totalCost?: number,
    totalDurationMs?: integer, totalPromptTokens?: integer`,
  Step: '',
  llm: `${STEP}, event: start/end, input: string, modelId: string, output?: string, finishReason?: string, usage?: Usage`,
  tool: `${STEP}, toolCallId?: string, toolInput?: string, toolOutput?: string`,
  retriever: `${STEP}, query: string, result: string`,
  reranker: STEP,
  agent: `${STEP}, input?: string, output?: string`,
  embedding: STEP,
  guardrail: `${STEP}, guardrailAction?: string, guardrailTriggered?: boolean, guardrailType?: string`,
  evaluator: `${STEP}, evaluationExplanation?: string, evaluationLabel?: string, evaluationScore?: number, evaluatorName?: string`,
  log: `${STEP}, content: string`,
  group: `${STEP}, key: string, input?: string, output?: string`,
  response: `${STEP}, content: string`,
  request: `${STEP}, content: string`,
  Usage: 'completionTokens: integer, promptTokens: integer',
};

const SCALARS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  'date-time': (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value),
  map: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  any: () => true,
};

/** Returns what keeps a client from parsing a value, each thing in a sentence. */
export function faultsOf(type: string, value: unknown, path = type): string[] {
  const options = type.split(' | ').map((one) => faultsOfOne(one, value, path));
  return options.find((faults) => faults.length === 0) ?? options.flat();
}

function faultsOfOne(type: string, value: unknown, path: string): string[] {
  if (type.endsWith('[]')) {
    if (!Array.isArray(value)) return [`${path} is ${JSON.stringify(value)}, not a list`];
    return value.flatMap((item, index) => faultsOf(type.slice(0, -2), item, `${path}.${index}`));
  }
  const isRight = SCALARS[type];
  if (isRight) return isRight(value) ? [] : [`${path} is ${JSON.stringify(value)}, not ${type}`];
  if (!Object.hasOwn(RECORDS, type))
    return type.split('/').includes(String(value))
      ? []
      : [`${path} is ${JSON.stringify(value)}, not ${type}`];
  if (!SCALARS['map']?.(value)) return [`${path} is ${JSON.stringify(value)}, not a record`];
  const fields = value as Readonly<Record<string, unknown>>;
  const record = type === 'Step' ? String(fields['type']) : type;
  return (RECORDS[record] ?? `type: a known step, not ${record}`).split(/,\s+/).flatMap((field) => {
    const [name = '', wanted = ''] = field.split(/\??: /);
    const given = fields[name] ?? null;
    if (given === null) return field.includes('?: ') ? [] : [`${path}.${name} is missing`];
    return faultsOf(wanted, given, `${path}.${name}`);
  });
}

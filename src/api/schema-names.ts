import type { z } from 'zod';
import { errorResponse, validationErrorResponse } from '../contract/errors.ts';
import { pagination } from '../contract/paging.ts';
import { traceId } from '../contract/values.ts';
import { llmEvents, traceEvent } from '../ingest/events/contract.ts';
import { createdKey, listedKey } from '../resources/api-keys/contract.ts';
import { application } from '../resources/applications/contract.ts';
import { definition } from '../resources/definitions/contract.ts';
import { reliability } from '../resources/definitions/reliability-contract.ts';
import {
  assigneeCount,
  chunk,
  document,
  documentEntry,
  uploadReport as documentUploadReport,
  version,
  versionEntry,
} from '../resources/documents/contract.ts';
import { evaluation, listedEval } from '../resources/evals/contract.ts';
import { experiment } from '../resources/experiments/contract.ts';
import { variant } from '../resources/experiments/variant-contract.ts';
import { queueItem } from '../resources/human-annotation-queue-items/contract.ts';
import { annotationQueue } from '../resources/human-annotation-queues/contract.ts';
import { humanAnnotation } from '../resources/human-annotations/contract.ts';
import { inferenceStep } from '../resources/inference-steps/contract.ts';
import { conversation } from '../resources/quickstarts/conversation-contract.ts';
import { oneQuickstart, policyCounts, quickstart } from '../resources/quickstarts/contract.ts';
import {
  quickstartUpload,
  uploadReport,
  uploadWithReport,
} from '../resources/quickstarts/upload-contract.ts';
import { columnRecord, columnValue, datasourceRecord, report } from '../resources/reporting/contract.ts';
import { rejection } from '../resources/ingest/contract.ts';
import { comparison } from '../resources/runs/compare-contract.ts';
import { run } from '../resources/runs/contract.ts';
import { session } from '../resources/sessions/contract.ts';
import { scrapeJob } from '../resources/scrape-jobs/contract.ts';
import { styleGuide } from '../resources/style-guides/contract.ts';
import { tag } from '../resources/tags/contract.ts';
import { task } from '../resources/tasks/contract.ts';
import { taskSchedule } from '../resources/tasks/schedule-contract.ts';
import { listedTest, result, startedRun, test } from '../resources/tests/contract.ts';
import { topic } from '../resources/topics/contract.ts';
import {
  countedPagination,
  listedTrace,
  span,
  step,
  trace,
  usage,
} from '../resources/traces/trace-record.ts';
import { relayedRequest } from '../resources/webhook-listen/contract.ts';
import { delivery, listedDelivery, webhook } from '../resources/webhook/contract.ts';
import { type JsonSchema, refTo, type SchemaNames } from './json-schema.ts';
import { eventSchemas } from './server-routes.ts';

const HEX = '[0-9a-fA-F]';
/** A UUID as the interface defines it, or 32 hex digits. */
const TRACE_ID = `^(?:${HEX}{32}|${HEX}{8}-${HEX}{4}-[1-8]${HEX}{3}-[89abAB]${HEX}{3}-${HEX}{12}|0{8}-0{4}-0{4}-0{4}-0{12}|[fF]{8}-[fF]{4}-[fF]{4}-[fF]{4}-[fF]{12})$`;

const records: Record<string, z.ZodType> = {
  AnnotationQueue: annotationQueue,
  Application: application,
  AssigneeCount: assigneeCount,
  Column: columnRecord,
  ColumnValue: columnValue,
  Conversation: conversation,
  CountedPagination: countedPagination,
  CreatedApiKey: createdKey,
  Datasource: datasourceRecord,
  Delivery: delivery,
  Document: document,
  DocumentChunk: chunk,
  DocumentUploadReport: documentUploadReport,
  DocumentVersion: version,
  ErrorResponse: errorResponse,
  Eval: evaluation,
  EvaluationDefinition: definition,
  Experiment: experiment,
  HumanAnnotation: humanAnnotation,
  InferenceStep: inferenceStep,
  ListedApiKey: listedKey,
  ListedDelivery: listedDelivery,
  ListedDocument: documentEntry,
  ListedDocumentVersion: versionEntry,
  ListedEval: listedEval,
  ListedQuickstart: quickstart,
  ListedTest: listedTest,
  ListedTrace: listedTrace,
  Pagination: pagination,
  PolicyCounts: policyCounts,
  QueueItem: queueItem,
  Quickstart: oneQuickstart,
  QuickstartUpload: quickstartUpload,
  QuickstartUploadReport: uploadReport,
  QuickstartUploadWithReport: uploadWithReport,
  Rejection: rejection,
  RelayedRequest: relayedRequest,
  Reliability: reliability,
  Report: report,
  Result: result,
  Run: run,
  RunComparison: comparison,
  ScrapeJob: scrapeJob,
  Session: session,
  Span: span,
  StartedRun: startedRun,
  Step: step,
  StyleGuide: styleGuide,
  Tag: tag,
  Task: task,
  TaskSchedule: taskSchedule,
  Test: test,
  Topic: topic,
  Trace: trace,
  Usage: usage,
  ValidationErrorResponse: validationErrorResponse,
  Variant: variant,
  Webhook: webhook,
  ...eventSchemas,
};

/** Returns the schema of a value that is present, for a field that may be null or missing. */
const present = (field: { unwrap: () => { unwrap: () => z.ZodType } }): z.ZodType => field.unwrap().unwrap();

/** Rules of native events that are code. */
const known: readonly (readonly [z.ZodType, JsonSchema])[] = [
  [llmEvents.start.shape.input, { type: ['string', 'object', 'array'] }],
  [
    traceEvent.shape.timestamp,
    {
      type: ['string', 'number'],
      description: 'ISO 8601 with any offset, none = UTC, up to nanoseconds; or Unix milliseconds.',
    },
  ],
  [present(traceEvent.shape.metadata), { type: 'object' }],
  [present(traceEvent.shape.steps), { type: 'array', items: refTo('StepEvent') }],
  [present(traceEvent.shape.testId), { format: 'uuid' }],
  [present(traceEvent.shape.traceId), { format: 'uuid' }],
  [traceId, { pattern: TRACE_ID, description: 'A UUID, or the 32 hex digits of OpenTelemetry.' }],
];

export const schemaNames: SchemaNames = {
  named: new Map(Object.entries(records).map(([name, schema]) => [schema, name])),
  closed: new Set(['ErrorResponse', 'Tag', 'ValidationErrorResponse']),
  known: new Map(known),
};

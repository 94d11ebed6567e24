import { AT, dates, ID, owner } from '../../contract/example-values.ts';
import type { Task } from './contract.ts';
import type { TaskPerformance } from './metrics-contract.ts';
import type { TaskSchedule } from './schedule-contract.ts';

export const exampleSchedule: TaskSchedule = {
  applicationId: owner.applicationId,
  taskId: ID.task,
  criticality: 'HIGH',
  cron: '30 9 * * *',
  timezone: 'Europe/Berlin',
  enabled: true,
  nextRunAt: '2026-02-01T08:32:10.000Z',
  lastRunAt: AT,
};

const untested: TaskPerformance = {
  tests: 0,
  testsPassed: 0,
  evaluations: 0,
  passed: 0,
  passRate: null,
  healthScore: null,
  confidence: { level: 'LOW', halfWidth: 50, interval: { lower: 0, upper: 100 } },
  stability: { level: 'LOW', stddev: null },
  recommendedAdditionalEvaluations: 167,
};

export const exampleTask: Task = {
  id: ID.task,
  ...owner,
  ...dates,
  title: 'Return window',
  description: 'Customers ask how long they may send things back.',
  type: 'STATIC',
  status: 'ACTIVE',
  inputExamples: ['How long can I return a chair?'],
  exampleCount: 1,
  metadata: { channel: 'web' },
  simulatedPromptSchema: null,
  topicId: ID.topic,
  quickstartId: null,
  isVerified: true,
  evalDefinitions: [],
  taskSchedule: exampleSchedule,
  tags: [],
  lastTest: null,
  latestTest: null,
  synthetic: untested,
  monitoring: untested,
  combined: untested,
  passRate: null,
  passRateInterval: null,
  errorRate: null,
  monitoringPassRate: null,
  health: null,
  confidence: null,
  stability: null,
};

export const exampleTaskBody = {
  title: exampleTask.title,
  description: exampleTask.description,
  type: exampleTask.type,
  inputExamples: exampleTask.inputExamples,
  metadata: exampleTask.metadata,
  topicId: exampleTask.topicId,
};

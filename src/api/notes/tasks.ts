import type { OperationNotes } from './note.ts';
import { AT, dates, ID, owner, page } from './values.ts';

const tag = {
  id: ID.tag,
  name: 'billing',
  color: '#3B82F6',
  ...dates,
  ...owner,
  description: null,
  status: 'ACTIVE',
};
const topic = {
  id: ID.topic,
  ...owner,
  ...dates,
  title: 'Returns',
  baseline: null,
  status: 'ACTIVE',
  quickstartId: null,
  assignedTo: 'ada',
  isTasksVerified: false,
  isDocumentsVerified: false,
  isKnowledgeBaseVerified: false,
  isPoliciesVerified: false,
  evalDefinitions: [],
};
const schedule = {
  taskId: ID.task,
  criticality: 'HIGH',
  cron: '30 9 * * *',
  timezone: 'Europe/Berlin',
  enabled: true,
  nextRunAt: '2026-02-01T08:32:10.000Z',
  lastRunAt: AT,
};
const task = {
  id: ID.task,
  ...owner,
  ...dates,
  title: 'Return window',
  description: 'Customers ask how long they may send things back.',
  type: 'STATIC',
  status: 'ACTIVE',
  inputExamples: ['How long can I return a chair?'],
  metadata: { channel: 'web' },
  simulatedPromptSchema: null,
  topicId: ID.topic,
  quickstartId: null,
  isVerified: true,
  evalDefinitions: [],
  taskSchedule: schedule,
  lastTest: null,
  passRate: null,
  passRateInterval: null,
  errorRate: null,
  monitoringPassRate: null,
  health: null,
  confidence: null,
  stability: null,
};

/** Tasks, their schedules, tags and topics. */
export const taskNotes: OperationNotes = {
  'POST /v0/tags': {
    id: 'createTag',
    body: { name: 'billing', color: '#3B82F6' },
    answer: { data: tag },
  },
  'GET /v0/tags': { id: 'listTags', answer: page([tag]) },
  'GET /v0/tags/{id}': { id: 'getTag', answer: { data: tag } },
  'PUT /v0/tags/{id}': {
    id: 'updateTag',
    body: { status: 'ARCHIVED' },
    answer: { data: { ...tag, status: 'ARCHIVED' } },
  },
  'DELETE /v0/tags/{id}': { id: 'deleteTag' },

  'POST /v0/topics': {
    id: 'createTopic',
    body: { title: 'Returns', assignedTo: 'ada' },
    answer: { data: topic },
  },
  'GET /v0/topics': { id: 'listTopics', answer: page([topic]) },
  'GET /v0/topics/{id}': { id: 'getTopic', answer: { data: topic } },
  'PUT /v0/topics/{id}': {
    id: 'updateTopic',
    body: { isTasksVerified: true },
    answer: { data: { ...topic, isTasksVerified: true } },
  },
  'POST /v0/topics/{id}/archive': {
    id: 'archiveTopic',
    body: { cascade: true },
    answer: { data: { ...topic, status: 'ARCHIVED' } },
  },

  'POST /v0/tasks': {
    id: 'createTask',
    body: {
      title: 'Return window',
      description: 'Customers ask how long they may send things back.',
      type: 'STATIC',
      inputExamples: ['How long can I return a chair?'],
      metadata: { channel: 'web' },
      topicId: ID.topic,
    },
    answer: { task: { ...task, isVerified: false, taskSchedule: null } },
  },
  'GET /v0/tasks': { id: 'listTasks', answer: page([task]) },
  'GET /v0/tasks/ids': { id: 'listTaskIds', answer: { taskIds: [ID.task] } },
  'GET /v0/tasks/{id}': { id: 'getTask', answer: { task } },
  'PUT /v0/tasks/{id}': { id: 'updateTask', body: { isVerified: true }, answer: { task } },
  'DELETE /v0/tasks/{id}': { id: 'deleteTask' },
  'GET /v0/tasks/{id}/tags': { id: 'listTaskTags', answer: page([tag]) },
  'POST /v0/tasks/tags': {
    id: 'changeTaskTags',
    body: { taskIds: [ID.task], addTagIds: [ID.tag] },
  },
  'GET /v0/tasks/{id}/schedule': { id: 'getTaskSchedule', answer: schedule },
  'PUT /v0/tasks/{id}/schedule': {
    id: 'putTaskSchedule',
    body: { criticality: 'HIGH', cron: '30 9 * * *', timezone: 'Europe/Berlin' },
    answer: schedule,
  },
  'DELETE /v0/tasks/{id}/schedule': { id: 'deleteTaskSchedule' },
};

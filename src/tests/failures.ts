export const FAILURE_CODES = [
  'prompt_not_written',
  'webhook_not_configured',
  'webhook_unreachable',
  'webhook_blocked_address',
  'webhook_timeout',
  'webhook_status',
  'delivery_unknown',
  'trace_missing',
  'trace_deleted',
  'erased',
  'evaluation_error',
  'cancelled',
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

export interface Failure {
  code: FailureCode;
  message: string;
  /** Advice on how to fix the failure. */
  hint: string;
}

/** Failures of the app. A test with one counts as one eval that did not pass; other failures do not count. */
export const FAILURES_OF_APP: ReadonlySet<FailureCode> = new Set([
  'webhook_status',
  'webhook_timeout',
  'trace_missing',
]);

export const DELIVERY_UNKNOWN: Failure = {
  code: 'delivery_unknown',
  message: 'The service stopped after it had sent the test and before it received the response.',
  hint: 'The test is not sent again because the app may have run. Trigger the task again. If its trace still arrives, this test resumes.',
};

export const traceMissing = (deadlineMs: number): Failure => ({
  code: 'trace_missing',
  message: `The webhook responded with 200, but no span of the test arrived within ${Math.round(deadlineMs / 1000)} s.`,
  hint: 'Send spans with the attribute service.test.id, or in the trace of the traceparent header, and flush them before the response.',
});

export const TRACE_DELETED: Failure = {
  code: 'trace_deleted',
  message: 'The trace was deleted before the test was complete.',
  hint: 'Later spans of this trace are rejected. Trigger the task again to run the test.',
};

export const TEXTS_ERASED: Failure = {
  code: 'erased',
  message: 'The text that the test sends was erased before the test was complete.',
  hint: 'Responses and spans of this test that arrive later are not stored. Trigger the task again to test its other examples.',
};

export const promptNotWritten = (message: string): Failure => ({
  code: 'prompt_not_written',
  message,
  hint: 'Check the settings of the prompt model and the description of the task, then trigger the task again.',
});

export const NOT_CONFIGURED: Failure = {
  code: 'webhook_not_configured',
  message: 'The application has no webhook, or its webhook is disabled.',
  hint: 'Set the URL of your endpoint with POST /v0/webhook.',
};

export const SEALED: Failure = {
  code: 'webhook_not_configured',
  message: 'The webhook secret cannot be decrypted: it was encrypted with another secret key.',
  hint: 'Start the service with the previous secret key, or set the webhook again.',
};

/** Most runs of the job that delivers a test, including runs interrupted by a stop of the process. */
export const MAX_DELIVERY_RUNS = 10;

export const GIVEN_UP: Failure = {
  code: 'delivery_unknown',
  message: `The service did not finish the delivery in ${MAX_DELIVERY_RUNS} runs.`,
  hint: 'Check its log for errors and restarts, then trigger the task again. If the trace still arrives, this test resumes.',
};

export const NOT_JUDGED: Failure = {
  code: 'evaluation_error',
  message: 'The service could not evaluate the test.',
  hint: 'Check its log for errors, then evaluate the test again with POST /v0/tests/{id}/evaluate.',
};

export const CANCELLED: Failure = {
  code: 'cancelled',
  message: 'The test was cancelled.',
  hint: 'Trigger the task again to run it.',
};

export const FAILURE_CODES = [
  'webhook_not_configured',
  'webhook_unreachable',
  'webhook_blocked_address',
  'webhook_timeout',
  'webhook_status',
  'delivery_unknown',
  'trace_missing',
  'evaluation_error',
  'cancelled',
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

export interface Failure {
  code: FailureCode;
  message: string;
  /** Advice on how to fix it. */
  hint: string;
}

/** Failures of the app: such a test counts as one eval that did not pass. The others do not count. */
export const FAILURES_OF_APP: ReadonlySet<FailureCode> = new Set([
  'webhook_status',
  'webhook_timeout',
  'trace_missing',
]);

export const DELIVERY_UNKNOWN: Failure = {
  code: 'delivery_unknown',
  message: 'The service stopped after it had sent the test and before it knew the answer.',
  hint: 'It is not sent again, for the app may have run. Trigger the task once more; a trace that still comes takes this test up again.',
};

export const traceMissing = (deadlineMs: number): Failure => ({
  code: 'trace_missing',
  message: `The webhook was answered 200, but no span of the test came within ${Math.round(deadlineMs / 1000)} s.`,
  hint: 'Send spans with the attribute service.test.id, or in the trace of the traceparent header, and flush them before the answer.',
});

export const NOT_CONFIGURED: Failure = {
  code: 'webhook_not_configured',
  message: 'The application has no webhook, or it is switched off.',
  hint: 'Set the address of your endpoint with POST /v0/webhook.',
};

export const SEALED: Failure = {
  code: 'webhook_not_configured',
  message: 'The secret of the webhook cannot be opened: it was sealed with another secret key.',
  hint: 'Start the service with the secret key it had, or set the webhook anew.',
};

/** Runs of the job that delivers a test, including those that the end of the process interrupted. */
export const MAX_RUNS = 10;

export const GIVEN_UP: Failure = {
  code: 'delivery_unknown',
  message: `The service did not get to the end of the delivery in ${MAX_RUNS} runs.`,
  hint: 'Look into its log for errors and restarts, then trigger the task once more; a trace that still comes takes this test up again.',
};

export const NOT_JUDGED: Failure = {
  code: 'evaluation_error',
  message: 'The service could not judge the test.',
  hint: 'Look into its log for errors, then judge the test again with POST /v0/tests/{id}/evaluate.',
};

export const CANCELLED: Failure = {
  code: 'cancelled',
  message: 'The test was cancelled.',
  hint: 'Trigger the task again to run it.',
};

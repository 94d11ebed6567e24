let tests = 0;
let testSpans = 0;
let processors = 0;

/** Counts a processor that adds test ids to spans. */
export const noteProcessor = (): void => {
  processors += 1;
};

/** Counts a test that the app runs. */
export const noteTest = (): void => {
  tests += 1;
};

/** Counts a span that was started in a test. */
export const noteTestSpan = (): void => {
  testSpans += 1;
};

/** Returns the number of spans that were started in tests; null when no processor of this package counts them. */
export const testSpanCount = (): number | null => (processors === 0 ? null : testSpans);

/** Reports whether the process ran tests, none of which started a span. */
export const hasOnlyEmptyTests = (): boolean => tests > 0 && testSpans === 0;

/** Advice for tests without spans. */
export const NO_SPANS_REMEDY =
  'Call register() before the app loads other packages, and install one version of @opentelemetry/api: ' +
  'npm ls @opentelemetry/api.';

import type { Context, Span } from '@opentelemetry/api';
import { type ReadableSpan, TEST_ID_ATTRIBUTE } from './span.ts';
import { testIdOf } from './test-context.ts';
import { noteProcessor, noteTestSpan } from './test-spans.ts';

/** Stamps spans that are started in a test's context with the test's id; for apps that export by other means. */
export class TestIdSpanProcessor {
  constructor() {
    noteProcessor();
  }

  onStart(span: Pick<Span, 'setAttribute'>, parentContext: Context): void {
    const testId = testIdOf(parentContext);
    if (testId === undefined) return;
    span.setAttribute(TEST_ID_ATTRIBUTE, testId);
    noteTestSpan();
  }

  onEnd(_span: ReadableSpan): void {}

  async forceFlush(): Promise<void> {}

  async shutdown(): Promise<void> {}
}

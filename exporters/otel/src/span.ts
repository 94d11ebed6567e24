import type { Attributes, HrTime, SpanContext, SpanKind, SpanStatus } from '@opentelemetry/api';

/**
 * An ended span, as the OpenTelemetry SDK passes it to processors and exporters. The members are those that both lines of the
 * SDK have, each in a package of its own.
 */
export interface ReadableSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly spanContext: () => SpanContext;
  readonly parentSpanContext?: SpanContext;
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  readonly duration: HrTime;
  readonly ended: boolean;
  readonly status: SpanStatus;
  readonly attributes: Attributes;
  readonly links: {
    context: SpanContext;
    attributes?: Attributes | undefined;
    droppedAttributesCount?: number | undefined;
  }[];
  readonly events: {
    time: HrTime;
    name: string;
    attributes?: Attributes | undefined;
    droppedAttributesCount?: number | undefined;
  }[];
  readonly resource: {
    readonly attributes: Attributes;
    readonly schemaUrl?: string | undefined;
    readonly asyncAttributesPending?: boolean | undefined;
    readonly waitForAsyncAttributes?: () => Promise<void>;
  };
  readonly instrumentationScope: {
    readonly name: string;
    readonly version?: string | undefined;
    readonly schemaUrl?: string | undefined;
  };
  readonly droppedAttributesCount: number;
  readonly droppedEventsCount: number;
  readonly droppedLinksCount: number;
}

/** Result of an export. `code` 0 is success, 1 failure. */
export interface ExportResult {
  code: number;
  error?: Error;
}

/** The attribute that links a span to the test it belongs to. */
export const TEST_ID_ATTRIBUTE = 'service.test.id';

/** Reports whether a span is the first one of a test in this process. */
export const isTestRoot = ({ attributes, parentSpanContext }: ReadableSpan): boolean =>
  // The spans of some vendors lack members of the SDK's.
  (attributes as Attributes | undefined)?.[TEST_ID_ATTRIBUTE] !== undefined &&
  (!parentSpanContext || parentSpanContext.isRemote === true);

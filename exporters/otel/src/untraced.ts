import { type Context, createContextKey, ROOT_CONTEXT } from '@opentelemetry/api';

// The SDK's key for "start no spans here", so that instrumented HTTP clients ignore the requests of this package.
const SUPPRESS_TRACING = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

/** A context in which the OpenTelemetry SDK starts no spans. */
export const UNTRACED: Context = ROOT_CONTEXT.setValue(SUPPRESS_TRACING, true);

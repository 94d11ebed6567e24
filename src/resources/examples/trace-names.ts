import { createHash } from 'node:crypto';
import { otelTraceUuid } from '../../traces/ids.ts';

/** Returns the key of the example that is made from a trace. */
export const keyOfTrace = (traceId: string): string => `trace:${traceId}`;

/** Returns the id of the task that a trace gets if no other is named. */
export const taskIdOf = (applicationId: string, traceId: string): string =>
  otelTraceUuid(createHash('sha256').update(`task ${applicationId} ${traceId}`).digest().subarray(0, 16));

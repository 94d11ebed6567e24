import { SERVER_URL } from './base-path.ts';

/** Stands for a key that is not shown any more. */
export const SOME_KEY = 'YOUR_KEY';

/** Returns the variables that an OpenTelemetry exporter needs. */
export const exporterLines = (applicationId: string, key: string): string =>
  [
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${SERVER_URL}`,
    'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    `export OTEL_EXPORTER_OTLP_HEADERS="x-api-key=${key},x-application-id=${applicationId}"`,
  ].join('\n');

/** Returns the commands that record a Node.js app without OpenTelemetry, which stays as it is. */
export const nodeLines = (applicationId: string, key: string): string =>
  [
    `npm install ${SERVER_URL}/packages/otel.tgz @opentelemetry/api`,
    `export TOUCHSTONE_URL=${SERVER_URL} TOUCHSTONE_API_KEY=${key} TOUCHSTONE_APPLICATION_ID=${applicationId}`,
    'node --import touchstone-otel/auto app.js',
  ].join('\n');

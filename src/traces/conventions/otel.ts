import type { Vocabulary } from './rule.ts';

/** Vocabulary of OpenTelemetry's general semantic conventions, for fields that LLM vocabularies lack. */
export const OTEL: Vocabulary = {
  name: 'otel',
  rules: [
    { key: 'session.id', field: 'sessionId' },
    { key: 'user.id', field: 'userId' },
    { key: 'enduser.id', field: 'userId' },
    { key: 'deployment.environment.name', field: 'environment' },
    { key: 'deployment.environment', field: 'environment' },
    { key: 'error.type', field: 'errorType' },
    { key: 'event exception', field: 'errorType' },
    { key: 'db.vector.*', field: 'kind', kinds: 'RETRIEVER' },
    { key: 'event db.query.result', field: 'kind', kinds: 'RETRIEVER' },
    { key: 'event db.query.result', field: 'documents' },
  ],
};

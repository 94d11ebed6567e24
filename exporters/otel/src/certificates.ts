import { readFileSync } from 'node:fs';
import { diag } from '@opentelemetry/api';
import type { Environment } from './settings.ts';

/** Certificates and key of TLS connections, in PEM. */
export interface Certificates {
  ca?: string;
  cert?: string;
  key?: string;
}

const FILES = [
  ['ca', 'CERTIFICATE'],
  ['cert', 'CLIENT_CERTIFICATE'],
  ['key', 'CLIENT_KEY'],
] as const;

/** Reads the files that `OTEL_EXPORTER_OTLP_CERTIFICATE`, `…_CLIENT_CERTIFICATE` and `…_CLIENT_KEY` name. */
export function readCertificates(env: Environment): Certificates {
  const certificates: Certificates = {};
  for (const [field, suffix] of FILES) {
    const file = (env[`OTEL_EXPORTER_OTLP_TRACES_${suffix}`] ?? env[`OTEL_EXPORTER_OTLP_${suffix}`])?.trim();
    if (!file) continue;
    try {
      certificates[field] = readFileSync(file, 'utf8');
    } catch (error) {
      diag.warn(`touchstone: ${file} cannot be read (${(error as Error).message}); it is ignored`);
    }
  }
  return certificates;
}

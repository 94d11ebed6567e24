/** What the Python applications sent, as `record.ts` wrote it. */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

export const RECORDINGS = join(import.meta.dirname, 'recordings');

export interface RecordedRequest {
  path: string;
  /** Content-Type. */
  type: string;
  /** Content-Encoding. */
  encoding: string | undefined;
  /** Base64. */
  body: string;
}

export interface Recording {
  /** Versions of the packages that made the spans. */
  packages: Readonly<Record<string, string>>;
  requests: readonly RecordedRequest[];
}

export const RECORDED_APPS = readdirSync(RECORDINGS)
  .map((file) => basename(file, '.json'))
  .sort();

export function readRecording(app: string): Recording {
  return JSON.parse(readFileSync(join(RECORDINGS, `${app}.json`), 'utf8')) as Recording;
}

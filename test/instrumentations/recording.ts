/** What the applications sent, as `npm run record:javascript` and `npm run record:python` wrote it. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Folders of recordings, by the language of the applications. */
export const JAVASCRIPT = join(import.meta.dirname, 'recordings');
export const FRAMEWORKS = join(import.meta.dirname, 'frameworks/recordings');
export const PYTHON = join(import.meta.dirname, 'python/recordings');

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
  packages?: Readonly<Record<string, string>>;
  /** Hash of what decides the spans of a JavaScript application. */
  sources?: string;
  requests: readonly RecordedRequest[];
}

/** Returns the names of the recorded applications, sorted. */
export const recordedApps = (folder: string): string[] =>
  readdirSync(folder)
    .map((file) => basename(file, '.json'))
    .sort();

const fileOf = (folder: string, app: string): string => join(folder, `${app}.json`);

export const readRecording = (folder: string, app: string): Recording =>
  JSON.parse(readFileSync(fileOf(folder, app), 'utf8')) as Recording;

export const writeRecording = (folder: string, app: string, recording: Recording): void =>
  writeFileSync(fileOf(folder, app), `${JSON.stringify(recording, null, 2)}\n`);

/** Returns the versions of the packages that made the spans of an application. */
export const packagesOf = (app: string, folder: string = PYTHON): Readonly<Record<string, string>> =>
  readRecording(folder, app).packages ?? {};

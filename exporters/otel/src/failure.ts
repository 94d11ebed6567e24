import type { ExporterSettings } from './settings.ts';

/** Reason why a batch was lost, and what to do about it. */
export interface Failure {
  reason: string;
  remedy: string;
}

/** A failure that this package found itself. */
export class ExportError extends Error {
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

const CREDENTIALS = [
  ['x-api-key', 'TOUCHSTONE_API_KEY'],
  ['x-application-id', 'TOUCHSTONE_APPLICATION_ID'],
] as const;

/** Explains the error of an export. */
export function failureOf(error: unknown, settings: ExporterSettings): Failure {
  if (error instanceof ExportError) return { reason: error.message, remedy: error.remedy };
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const origin = settings.url === undefined ? 'the server' : new URL(settings.url).origin;
  if (typeof code === 'number') return { reason: `HTTP ${code} from ${origin}`, ...ofStatus(code, settings) };
  // An error that holds several of others has no text of its own.
  const texts = [message, code].filter((one) => typeof one === 'string' && one !== '') as string[];
  return {
    reason: `no response from ${origin} (${(texts[0] ?? 'unknown error').slice(0, 200)})`,
    remedy: 'Start the server, or set TOUCHSTONE_URL.',
  };
}

function ofStatus(status: number, { missing }: ExporterSettings): Partial<Failure> & { remedy: string } {
  if (status === 401 || status === 403) {
    const names = CREDENTIALS.filter(([header]) => missing.includes(header)).map(([, name]) => name);
    if (names.length === 0) {
      return {
        remedy:
          'Check TOUCHSTONE_API_KEY and TOUCHSTONE_APPLICATION_ID: the key must be valid for the application.',
      };
    }
    const list = names.join(' and ');
    return { reason: `HTTP ${status}, ${list} not set`, remedy: `Set ${list}.` };
  }
  return {
    remedy: status < 500 && status !== 429 ? 'Check TOUCHSTONE_URL.' : 'Check the log of the server.',
  };
}

/** What the body of every response may look like. */

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const namesOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.keys(value).sort().join()
    : '';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is wrong with the body of a REST response that reports an error. */
export function restErrorFaults(status: number, contentType: string, text: string): string[] {
  if (!contentType.startsWith('application/json'))
    return [`an error of type ${contentType}: ${text.slice(0, 200)}`];
  const body = parsed(text) as { message?: unknown; issues?: unknown[] } | undefined;
  if (status !== 422)
    return namesOf(body) === 'message' && isText(body?.message)
      ? []
      : [`an error without message alone: ${text}`];
  const isValid =
    namesOf(body) === 'issues,message' &&
    isText(body?.message) &&
    Array.isArray(body?.issues) &&
    body.issues.length > 0 &&
    body.issues.every((issue) => {
      const { code, message, path } = issue as { code: unknown; message: unknown; path: unknown };
      const isPath = Array.isArray(path) && path.every((part) => typeof part === 'string');
      return namesOf(issue) === 'code,message,path' && isText(code) && isText(message) && isPath;
    });
  return isValid ? [] : [`not a ValidationErrorResponse: ${text.slice(0, 500)}`];
}

/** What is wrong with an OTLP response in JSON. */
export function otlpFaults(status: number, text: string): string[] {
  const body = parsed(text);
  const names = namesOf(body).split(',').filter(Boolean);
  if (status === 200)
    return typeof body === 'object' && names.every((name) => name === 'partialSuccess')
      ? []
      : [`not an OTLP response: ${text}`];
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown };
  const isStatus =
    Number.isInteger(code) &&
    isText(message) &&
    names.every((name) => ['code', 'message', 'details'].includes(name));
  return isStatus ? [] : [`not a Status: ${text.slice(0, 500)}`];
}

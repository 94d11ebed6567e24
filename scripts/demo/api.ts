const MAX_MS = 60_000;

/** A server, and what to call it with. */
export interface Api {
  url: string;
  apiKey: string;
  applicationId: string;
}

/** Throws with the server's message when it does not answer with success. */
export async function call<T>(api: Api, method: string, path: string, body?: object): Promise<T> {
  const response = await request(api, method, path, body);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** The same with the answer as it comes. */
export async function request(
  { url, apiKey, applicationId }: Api,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  const response = await fetch(url + path, {
    method,
    headers: {
      'x-api-key': apiKey,
      'x-application-id': applicationId,
      'content-type': 'application/json',
      prefer: 'return=representation',
    },
    signal: AbortSignal.timeout(MAX_MS),
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) {
    throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`);
  }
  return response;
}

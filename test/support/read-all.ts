import {
  type ApiCall,
  apiCalls,
  exampleOf,
  isStream,
  parametersIn,
  type RecordIds,
  sendCall,
} from './api-calls.ts';

/** An application, records of it, and a key that may read all of it. */
export interface Reader {
  ids: RecordIds;
  headers: Readonly<Record<string, string>>;
}

/** Responses that an application reads of its own data: status and JSON by call. */
export type Answers = Record<string, { status: number; json: unknown }>;

/** Paths whose responses depend on the time. */
const OF_TODAY = [
  '/metrics',
  '/v0/applications/{id}/health',
  '/v0/attention',
  '/v0/evals/costs',
  '/v0/retention',
  '/v0/system',
];

const isRead = (call: ApiCall): boolean =>
  call.method === 'GET' && !isStream(call) && call.scope !== null && !OF_TODAY.includes(call.path);

/** Every list, every record of `ids`, and every trace with all that is stored of its spans. */
export async function readAll(url: string, { ids, headers }: Reader): Promise<Answers> {
  const answers: Answers = {};
  const read = async (path: string, query: URLSearchParams): Promise<unknown> => {
    const request = { method: 'GET', path, query, headers: {}, body: undefined, isForm: false };
    const { status, json } = await sendCall(url, request, headers);
    answers[`${path}?${query.toString()}`] = { status, json };
    return json;
  };
  for (const call of apiCalls.filter(isRead)) {
    const { path, query } = exampleOf(call, ids);
    const names = new Set(parametersIn(call, 'query').map(({ name }) => name));
    if (names.has('include')) query.set('include', 'payload');
    if (names.has('limit')) query.set('limit', '100');
    await read(path, query);
  }
  await read('/v0/traces', new URLSearchParams({ limit: '100' }));
  // Lists leave out traces of deliveries, each of which can be read all the same.
  const query = new URLSearchParams({ limit: '100', includeDeliveries: 'true' });
  const request = { method: 'GET', path: '/v0/traces', query, headers: {}, body: undefined, isForm: false };
  const { json } = await sendCall(url, request, headers);
  for (const { id } of (json as { data: { id: string }[] }).data) {
    await read(`/v0/traces/${id}`, new URLSearchParams());
    await read(`/v0/traces/${id}/spans`, new URLSearchParams({ include: 'payload' }));
  }
  return answers;
}

import type { ModelRequest, ModelResponse } from './model-request.ts';
import { type OptionalParameter, rejectedParameter } from './rejected-parameters.ts';
import type { JudgeSettings } from './settings.ts';

export interface Model {
  /** Sends one request. Throws JudgeError, and the reason of the signal when that aborts. */
  send(request: ModelRequest, signal: AbortSignal): Promise<ModelResponse>;
  /** Returns the parameters that the endpoint has rejected since the start and is no longer sent. */
  rejected(): OptionalParameter[];
}

export function openModel(settings: JudgeSettings, fetch: typeof globalThis.fetch): Model {
  const rejected = new Set<OptionalParameter>();
  // A server without a judge does not load the package, which is large. It is loaded before the first request, because an
  // upgrade may replace its file while the server runs.
  const opening = import('./endpoint.ts').then(({ openEndpoint }) => openEndpoint(settings, fetch));
  opening.catch(() => {});
  return {
    rejected: () => [...rejected].toSorted(),
    send: async (request, signal) => {
      const send = await opening;
      const leftOut = new Set(rejected);
      for (;;) {
        try {
          const response = await send(request, leftOut, signal);
          // Only a request that succeeds without a parameter proves that the endpoint rejects it.
          for (const parameter of leftOut) rejected.add(parameter);
          return response;
        } catch (error) {
          const parameter = rejectedParameter(error, leftOut);
          if (parameter === null) throw error;
          leftOut.add(parameter);
        }
      }
    },
  };
}

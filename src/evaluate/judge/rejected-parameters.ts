import { JudgeError } from './judge-error.ts';

/** Parameters of a request that an endpoint may not know, with the words by which its rejection names them. */
const PARAMETERS = {
  max_tokens: /max_completion_tokens/,
  temperature: /temperature/i,
  seed: /\bseed\b/i,
  response_format:
    /response_format|json_schema|json_object|structured|guided|output_(?:format|config)|tool_choice/i,
} as const;
export type OptionalParameter = keyof typeof PARAMETERS;

/** The request as some endpoints repeat it in their error: it names every parameter. */
const ECHO = /\{[^]*["']messages["'][^]*/;

/**
 * Returns the parameter that the endpoint rejects by an error, so that the request can be sent without it; null when
 * the error has another cause or the request did not contain it.
 */
export function rejectedParameter(
  error: unknown,
  leftOut: ReadonlySet<OptionalParameter>,
): OptionalParameter | null {
  if (!(error instanceof JudgeError) || !error.isInvalidRequest) return null;
  const words = error.message.replace(ECHO, '');
  const names = Object.keys(PARAMETERS) as OptionalParameter[];
  return names.find((name) => !leftOut.has(name) && PARAMETERS[name].test(words)) ?? null;
}

import type { z } from 'zod';

export interface ModelRequest {
  system: string;
  messages: readonly { role: 'user' | 'assistant'; content: string }[];
  answer: z.ZodType;
  seed: number | null;
}

export interface ModelReply {
  /** Text as received; it may not fit the schema. */
  raw: string;
  /** Name of the model, as the response reports it. */
  model: string;
  /** Identifier of the configuration that served the response (`system_fingerprint`); null if it reports none. */
  fingerprint: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
}

/** A response that arrived, and what else it reports. */
export interface ModelResponse {
  value: ModelReply;
  /** Reason why the text may be no answer, for reasons that the same request would meet again; null if nothing says so. */
  problem: string | null;
  /** Time until a limit that the response reports as used up is reset, in milliseconds. */
  pauseMs: number | null;
}

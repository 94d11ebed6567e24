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

import type { MemoryBudget } from '../runtime/memory-budget.ts';
import { inflate } from './inflate.ts';
import type { PrepareRequest } from './requests.ts';

/** Body of a request after decompression; it stays charged to the budget until `release`. */
export interface OpenBody {
  bytes: Buffer;
  release: () => void;
}

/** Opens a body; throws the errors of `inflate`. */
export function openBody(
  { body, encoding }: PrepareRequest,
  { maxBodyBytes, budget }: { maxBodyBytes: number; budget: MemoryBudget },
): OpenBody {
  const sent = Buffer.from(body.buffer, body.byteOffset, body.length);
  const { bytes, charged } = inflate(sent, encoding, maxBodyBytes, budget);
  return { bytes, release: () => budget.release(charged) };
}

import { AppError } from '../errors.ts';
import type { MemoryBudget } from '../runtime/memory-budget.ts';
import { Charges } from './charges.ts';
import { COST, DecodeWork, tooMuchWork } from './decode-work.ts';
import { inflate, type Inflated } from './inflate.ts';
import type { PrepareRequest } from './requests.ts';

/** Body of a request after decompression. It and what is decoded from it stay charged to the budget until `release`. */
export interface OpenBody {
  bytes: Buffer;
  work: DecodeWork;
  release: () => void;
}

/** Inflates up to the lower of two limits; the error says which one it was. */
function inflateWithin(most: number, maxBodyBytes: number, run: (limit: number) => Inflated): Inflated {
  if (most >= maxBodyBytes) return run(maxBodyBytes);
  try {
    return run(most);
  } catch (error) {
    throw error instanceof AppError && error.code === 'too_large' ? tooMuchWork() : error;
  }
}

/** Opens a body; throws the errors of `inflate`. */
export function openBody(
  { body, encoding }: PrepareRequest,
  { maxBodyBytes, budget }: { maxBodyBytes: number; budget: MemoryBudget },
): OpenBody {
  const sent = Buffer.from(body.buffer, body.byteOffset, body.length);
  const charges = new Charges(budget, body.length);
  const work = new DecodeWork(body.length, charges);
  const { bytes, charged } = inflateWithin(work.maxInflatedBytes, maxBodyBytes, (limit) =>
    inflate(sent, encoding, limit, budget),
  );
  work.spend(bytes.length * COST.inflatedByte);
  const release = (): void => {
    charges.release();
    budget.release(charged);
  };
  return { bytes, work, release };
}

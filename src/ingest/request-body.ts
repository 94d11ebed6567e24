import { AppError } from '../errors.ts';
import type { Share } from '../runtime/fair-share.ts';
import type { Steps } from '../runtime/steps.ts';
import { Charges } from './charges.ts';
import { COST, DecodeWork, tooMuchWork } from './decode-work.ts';
import { inflate, type Inflated } from './inflate.ts';
import type { PrepareRequest } from './requests.ts';

/** Body of a request after decompression. It and what is decoded from it stay charged until `release`, or until the share of the request closes. */
export interface OpenBody {
  bytes: Buffer;
  work: DecodeWork;
  release: () => void;
}

/** Inflates up to the lower of two limits; the error says which one it was. */
function* inflateWithin(
  most: number,
  maxBodyBytes: number,
  run: (limit: number) => Steps<Inflated>,
): Steps<Inflated> {
  if (most >= maxBodyBytes) return yield* run(maxBodyBytes);
  try {
    return yield* run(most);
  } catch (error) {
    throw error instanceof AppError && error.code === 'too_large' ? tooMuchWork() : error;
  }
}

/** Opens a body in steps; throws the errors of `inflate`. */
export function* openBody(
  { body, encoding }: PrepareRequest,
  maxBodyBytes: number,
  share: Share,
): Steps<OpenBody> {
  const sent = Buffer.from(body.buffer, body.byteOffset, body.length);
  const charges = new Charges(share, body.length);
  const work = new DecodeWork(body.length, charges);
  const { bytes, charged } = yield* inflateWithin(work.maxInflatedBytes, maxBodyBytes, (limit) =>
    inflate(sent, encoding, limit, share),
  );
  work.spend(bytes.length * COST.inflatedByte);
  const release = (): void => {
    charges.release();
    share.giveBack(charged);
  };
  return { bytes, work, release };
}

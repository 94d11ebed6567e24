import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import PQueue from 'p-queue';
import { AppError } from '../errors.ts';

const COST = 2 ** 17;
const BLOCK_SIZE = 8;
const HASH_BYTES = 32;
const SALT_BYTES = 16;
/** Each takes 128 MiB for about half a second. */
const CONCURRENCY = 2;
const MAX_WAITING = 32;

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const queue = new PQueue({ concurrency: CONCURRENCY });

/** Hashes a password with a new salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const derived = await derive(password, salt, COST);
  return `scrypt$${COST}$${salt.toString('base64url')}$${derived.toString('base64url')}`;
}

/** Reports whether a password is the one that was hashed. Without a hash it takes as long, and is false. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, cost, salt, expected] = (stored ?? NOBODY).split('$');
  const derived = await derive(password, Buffer.from(salt ?? '', 'base64url'), Number(cost));
  return timingSafeEqual(derived, Buffer.from(expected ?? '', 'base64url')) && stored !== null;
}

const NOBODY = `scrypt$${COST}$${Buffer.alloc(SALT_BYTES).toString('base64url')}$${Buffer.alloc(HASH_BYTES).toString('base64url')}`;

async function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  if (queue.size >= MAX_WAITING)
    throw new AppError('unavailable', 'Too many passwords are being checked; retry in a few seconds', {
      retryAfter: 5,
    });
  const options = { N: cost, r: BLOCK_SIZE, p: 1, maxmem: 2 * 128 * cost * BLOCK_SIZE };
  // The same characters may be typed as different code points.
  return queue.add(() => scryptAsync(password.normalize('NFKC'), salt, HASH_BYTES, options));
}

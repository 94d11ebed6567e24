import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '../errors.ts';
import { FairQueue } from '../runtime/fair-queue.ts';

const COST = 2 ** 17;
const BLOCK_SIZE = 8;
const HASH_BYTES = 32;
const SALT_BYTES = 16;
/** Each takes 128 MiB for about half a second. */
const CONCURRENCY = 2;
/** Passwords that wait: of one sender, and of all. A sender waits for at most one password of each other. */
const MAX_OF_SENDER = 4;
const MAX_WAITING = 256;

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Passwords are hashed in turns of their senders, so that a flood from one delays no other for long. */
const waiting = new FairQueue<{ sender: string; run: () => Promise<void> }>();
let running = 0;

/** Hashes a password with a new salt. `sender` names who takes turns with others. */
export async function hashPassword(password: string, sender: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const derived = await inTurn(sender, () => derive(password, salt, COST));
  return `scrypt$${COST}$${salt.toString('base64url')}$${derived.toString('base64url')}`;
}

/** Reports whether a password is the one that was hashed. Without a hash it takes as long, and is false. */
export async function isPassword(password: string, stored: string | null, sender: string): Promise<boolean> {
  const [, cost, salt, expected] = (stored ?? NOBODY).split('$');
  const derived = await inTurn(sender, () =>
    derive(password, Buffer.from(salt ?? '', 'base64url'), Number(cost)),
  );
  return timingSafeEqual(derived, Buffer.from(expected ?? '', 'base64url')) && stored !== null;
}

const NOBODY = `scrypt$${COST}$${Buffer.alloc(SALT_BYTES).toString('base64url')}$${Buffer.alloc(HASH_BYTES).toString('base64url')}`;

/** Runs work when it is the turn of its sender. Throws AppError `unavailable` if too much waits. */
function inTurn<T>(sender: string, work: () => Promise<T>): Promise<T> {
  if (waiting.size >= MAX_WAITING || waiting.sizeOf(sender) >= MAX_OF_SENDER)
    return Promise.reject(
      new AppError('unavailable', 'Too many passwords are being checked; retry in a few seconds', {
        retryAfter: 5,
      }),
    );
  return new Promise((resolve, reject) => {
    waiting.push(sender, { sender, run: () => work().then(resolve, reject) });
    startNext();
  });
}

function startNext(): void {
  while (running < CONCURRENCY) {
    const next = waiting.take();
    if (!next) return;
    running += 1;
    void next.run().finally(() => {
      running -= 1;
      startNext();
    });
    waiting.charge(next.sender, 1);
  }
}

function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  const options = { N: cost, r: BLOCK_SIZE, p: 1, maxmem: 2 * 128 * cost * BLOCK_SIZE };
  // The same characters may be typed as different code points.
  return scryptAsync(password.normalize('NFKC'), salt, HASH_BYTES, options);
}

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

/** Hashes passwords in turns of their senders, so that a flood from one delays no other for long. */
export class Passwords {
  readonly #cost: number;
  /** A hash that no password has. */
  readonly #nobody: string;
  readonly #waiting = new FairQueue<{ sender: string; run: () => Promise<void> }>();
  #running = 0;

  /** `cost` is the parameter N of scrypt for new hashes. */
  constructor(cost = COST) {
    this.#cost = cost;
    this.#nobody = hashText(cost, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));
  }

  /** Hashes a password with a new salt. `sender` names who takes turns with others. Throws AppError `unavailable`. */
  async hash(password: string, sender: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const derived = await this.#inTurn(sender, () => derive(password, salt, this.#cost));
    return hashText(this.#cost, salt, derived);
  }

  /**
   * Reports whether a password is the one that was hashed. Without a hash it takes as long, and is false. Throws
   * AppError `unavailable`.
   */
  async isPassword(password: string, stored: string | null, sender: string): Promise<boolean> {
    const [, cost, salt, expected] = (stored ?? this.#nobody).split('$');
    const derived = await this.#inTurn(sender, () =>
      derive(password, Buffer.from(salt ?? '', 'base64url'), Number(cost)),
    );
    return timingSafeEqual(derived, Buffer.from(expected ?? '', 'base64url')) && stored !== null;
  }

  /** Runs work when it is the turn of its sender. Throws AppError `unavailable` if too much waits. */
  #inTurn<T>(sender: string, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.size >= MAX_WAITING || this.#waiting.sizeOf(sender) >= MAX_OF_SENDER)
      return Promise.reject(
        new AppError('unavailable', 'Too many passwords are being checked; retry in a few seconds', {
          retryAfter: 5,
        }),
      );
    return new Promise((resolve, reject) => {
      this.#waiting.push(sender, { sender, run: () => work().then(resolve, reject) });
      this.#startNext();
    });
  }

  #startNext(): void {
    while (this.#running < CONCURRENCY) {
      const next = this.#waiting.take();
      if (!next) return;
      this.#running += 1;
      void next.run().finally(() => {
        this.#running -= 1;
        this.#startNext();
      });
      this.#waiting.charge(next.sender, 1);
    }
  }
}

const hashText = (cost: number, salt: Buffer, derived: Buffer): string =>
  `scrypt$${cost}$${salt.toString('base64url')}$${derived.toString('base64url')}`;

function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  const options = { N: cost, r: BLOCK_SIZE, p: 1, maxmem: 2 * 128 * cost * BLOCK_SIZE };
  // The same characters may be typed as different code points.
  return scryptAsync(password.normalize('NFKC'), salt, HASH_BYTES, options);
}

import { statSync } from 'node:fs';
import { isOpenHere } from './open-stores.ts';
import { committedFrames, type FramesBehind, framesBehindBad } from './log-frames.ts';
import { countText } from '../../runtime/count-text.ts';

/** Milliseconds after which a log that seems damaged is read again: a running server may be writing to it. */
const AGAIN_MS = 50;

/** Damage in the middle of a write-ahead log, behind which SQLite would ignore commits without a message. */
export interface LogDamage extends FramesBehind {
  log: string;
}

/**
 * Looks for damage in the middle of the write-ahead log of a store; returns null if there is none. A torn tail is none:
 * a loss of power may leave a part of the last commit, which was never acknowledged. Changes nothing, and works while a
 * server runs in another process. Looks at nothing in the process of the server itself, which has read the log already.
 */
export function findLogDamage(store: string): LogDamage | null {
  if (isOpenHere(store)) return null;
  const log = `${store}-wal`;
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) return null;
  const found = lostFrames(store, log);
  if (found === null) return null;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS);
  const again = lostFrames(store, log);
  const isSame =
    again !== null && again.badFrame === found.badFrame && again.salt.join() === found.salt.join();
  return isSame ? { log, ...again } : null;
}

/** Returns what follows the first bad frame if it was committed and synced before the damage; otherwise null. */
function lostFrames(store: string, log: string): FramesBehind | null {
  const behind = framesBehindBad(log);
  if (behind === null || behind.frames === 0) return null;
  // The pages of one commit reach the disk in any order, and a commit that was rolled back leaves its frames. But the
  // next commit begins only after the one before is on the disk.
  const commits = behind.commits + (behind.endsCommit ? 1 : 0);
  const isLost = behind.badFrame === 0 ? commits > 0 : commits > 1;
  return isLost || committedFrames(`${store}-shm`, behind.salt) >= Math.max(1, behind.badFrame)
    ? behind
    : null;
}

/** Describes the damage and what to do about it, in one sentence each. */
export function logDamageText({ log, badFrame, offset, frames, commits }: LogDamage): string {
  const where = badFrame === 0 ? 'in its header' : `at frame ${badFrame} (byte ${offset})`;
  const way =
    badFrame === 0
      ? 'to continue without the log, move it away.'
      : `to continue with the state before the damage, copy the folder and shorten the log: truncate -s ${offset} ${log}`;
  const what = `${countText(frames, 'frame')}${commits === 0 ? '' : ` of ${countText(commits, 'commit')}`}`;
  return `${log} is damaged ${where}, and ${what} behind it would be lost; restore a backup, or ${way}`;
}

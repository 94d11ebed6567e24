import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';

/**
 * Writes a file for its user alone: all of it or nothing, and on the disk before this returns. The file is a new one, which
 * replaces what has the name, so a symbolic link of another user has no effect. `like` gives it the mode and the owner of another
 * file.
 */
export function writeSecret(
  file: string,
  text: string,
  like?: { mode: number; uid: number; gid: number },
): void {
  const fresh = `${file}.${randomUUID()}`;
  // Fails if the file exists, symbolic links included.
  const descriptor = openSync(fresh, 'wx', 0o600);
  try {
    if (like) {
      if (like.uid !== process.getuid?.() || like.gid !== process.getgid?.())
        fchownSync(descriptor, like.uid, like.gid);
      fchmodSync(descriptor, like.mode & 0o777);
    }
    writeSync(descriptor, text);
    fsyncSync(descriptor);
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

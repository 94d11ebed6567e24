/** Copies the files of a store that no program has open. */
import { constants, copyFileSync, type Stats, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { StartupError } from '../../errors.ts';

/** Bytes that are copied at once: an interrupt is noticed in between. */
const PIECE = 8 * 1024 * 1024;
/** Files with commits that the database may lack. */
export const LOGS = ['-wal', '-journal'];

interface CopyOptions {
  /** The targets do not exist, so that they may share the blocks of the files; others are written into as they are. */
  isNew: boolean;
  /** Called before each piece; what it throws ends the copy. */
  beforePiece: () => Promise<void>;
  /** Receives the bytes of each piece that was copied. */
  onCopied?: (bytes: number) => void;
}

/** Copies a database with its log. Throws StartupError if a program changed them meanwhile. */
export async function copyFiles(file: string, target: string, options: CopyOptions): Promise<void> {
  const before = stateOf(file);
  for (const suffix of ['', ...LOGS])
    if (statSync(file + suffix, { throwIfNoEntry: false }))
      await copyFile(file + suffix, target + suffix, options);
  checkUnchanged(file, before);
}

/** Copies a file, at once where the file system can share its blocks, otherwise piece by piece. */
async function copyFile(
  from: string,
  to: string,
  { isNew, beforePiece, onCopied }: CopyOptions,
): Promise<void> {
  await beforePiece();
  if (isNew && sharesBlocks(from, to)) return;
  await using source = await open(from, 'r');
  await using target = await open(to, 'w', 0o600);
  const piece = Buffer.allocUnsafe(PIECE);
  for (;;) {
    await beforePiece();
    const { bytesRead } = await source.read(piece, 0, PIECE, null);
    if (bytesRead === 0) return;
    for (let at = 0; at < bytesRead; )
      at += (await target.write(piece, at, bytesRead - at, null)).bytesWritten;
    onCopied?.(bytesRead);
  }
}

function sharesBlocks(from: string, to: string): boolean {
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    // The file system cannot. The target was deleted.
    return false;
  }
}

type State = (number | undefined)[];

/** Returns what changes with a commit to a store. */
export const stateOf = (file: string): State =>
  ['', ...LOGS].flatMap((suffix) => {
    const stat: Stats | undefined = statSync(file + suffix, { throwIfNoEntry: false });
    return [stat?.size, stat?.mtimeMs];
  });

/** Throws StartupError if a server was started meanwhile, so that what was read may not fit together. */
export function checkUnchanged(file: string, before: State): void {
  if (stateOf(file).join() === before.join()) return;
  throw new StartupError(`${file} was changed by another program while it was read; repeat the command.`);
}

import type { Write } from '../../storage/calls.ts';
import { dropUploadParts, storeUploadPart } from './calls.ts';

const PART_BYTES = 256 * 1024;
/** Most parts that one command removes, because their bytes are overwritten. */
const DROPPED_AT_ONCE = 4;

interface ById {
  application: number;
  id: string;
}

/** Stores a file in parts, one after another, so that little of it is in memory at once. */
export async function storeParts(
  write: Write,
  { application, id }: ById,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  let [seq, pieces, size]: [number, Uint8Array[], number] = [0, [], 0];
  const store = async (): Promise<void> => {
    const bytes = Buffer.concat(pieces);
    await write(storeUploadPart, { application, id, seq, bytes });
    [seq, pieces, size] = [seq + 1, [], 0];
  };
  for await (const piece of content) {
    pieces.push(piece);
    size += piece.length;
    if (size >= PART_BYTES) await store();
  }
  if (size > 0) await store();
}

/** Removes the parts of an upload. A later call continues where an aborted one ended. */
export async function dropParts(
  write: Write,
  { application, id }: ById,
  signal?: AbortSignal,
): Promise<void> {
  while (!(await write(dropUploadParts, { application, id, limit: DROPPED_AT_ONCE })))
    signal?.throwIfAborted();
}

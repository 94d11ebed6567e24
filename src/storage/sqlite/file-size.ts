import { statSync } from 'node:fs';

/** Returns the bytes of a file; 0 if there is none. */
export const fileSize = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

import { StartupError } from '../../errors.ts';

/** The store is missing or empty: a server would start, and begin with an empty one. */
export class NoStoreError extends StartupError {}

/** The store cannot be read without a change, because there is no place for a copy of it. */
export class NoCopyError extends StartupError {}

export const emptyStoreText = (file: string): string =>
  `${file} is empty, so a server would begin with an empty store; restore a backup, or delete the file to begin again.`;

export const emptyDatabaseText = (file: string): string =>
  `${file} is an empty database, so a server would begin with an empty store; restore a backup, or delete the file to begin again.`;

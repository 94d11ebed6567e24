import { StartupError } from '../../errors.ts';

/** The store is missing or empty: a server would start, and begin with an empty one. */
export class NoStoreError extends StartupError {}

/** The store cannot be read without a change, because there is no place for a copy of it. */
export class NoCopyError extends StartupError {}

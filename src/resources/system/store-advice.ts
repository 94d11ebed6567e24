/** Advice on faults of the store, by the beginning of SQLite's code. */
const ADVICE: readonly (readonly [beginning: string, advice: string])[] = [
  [
    'SQLITE_FULL',
    'The disk is full, or a quota is used up: free some space, enlarge the disk, or set a limit of retention. The store accepts data again by itself.',
  ],
  [
    'SQLITE_IOERR_READ',
    'The disk cannot be read: look for its errors in the log of the system (dmesg), and restore a backup on another disk.',
  ],
  [
    'SQLITE_IOERR',
    'The disk cannot be written: look for its errors in the log of the system (dmesg). If its file system has become read-only, repair and mount it, then restart the server.',
  ],
  [
    'SQLITE_READONLY',
    'The file of the store cannot be written: correct its owner, its mode or its file system, then restart the server.',
  ],
  [
    'SQLITE_CANTOPEN',
    'SQLite cannot open a file in the data folder: check its owner and mode, and raise the limit of open files (LimitNOFILE, ulimit -n).',
  ],
  [
    'SQLITE_CORRUPT',
    'The store is damaged: stop the server, run `touchstone verify` to see what is affected, and restore a backup.',
  ],
  ['SQLITE_NOTADB', 'Another program has overwritten the store: stop the server, and restore a backup.'],
  ['SQLITE_NOMEM', 'The process gets no more memory: raise its memory limit, or lower the memory budget.'],
];
const OTHER =
  'Another program may hold the lock of the store: end it, such as a shell of sqlite3 on its file.';

/** Advice on commits that take long. */
export const SLOW_DISK =
  'The disk writes slowly: move the data folder to a faster one, a local SSD and no network disk, or end what else writes to it.';

/** Advice on a limit of file descriptors that is near. */
export const FEW_FILES =
  'Raise the limit of open files (LimitNOFILE of systemd, ulimit -n, nofile of a container) and restart the server.';

/** Returns what to do about a fault of the store by its code. */
export const storeAdvice = (code: string): string =>
  ADVICE.find(([beginning]) => code.startsWith(beginning))?.[1] ?? OTHER;

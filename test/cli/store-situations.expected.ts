/** What each command says about each folder of `store-situations.ts`; `N` is the schema of this version. */
export type Said = readonly [code: number, text: string];

const lines = (...all: readonly string[]): string => all.join('\n');

const HEALTHY: Said = [
  0,
  lines(
    '✓ ok      Store: data/touchstone.db can be opened.',
    '✓ ok      Secret key: It decrypts the webhooks.',
  ),
];
const NO_FAULT: Said = [0, '10 traces verified; no fault found.'];
const UP_TO_DATE: Said = [
  0,
  'data/touchstone.db has schema N; this version of Touchstone has N. Nothing is to be done.',
];

/** Texts about a store with which no command and no server does anything. */
const unusable = (text: string, advice: string): Readonly<Record<string, Said>> => ({
  doctor: [1, lines(`✕ problem Store: ${text}`, `            ${advice}`)],
  verify: [1, text],
  'migrate status': [1, text],
});
const rejected = (text: string): Readonly<Record<string, Said>> =>
  unusable(text, 'Until this is corrected, senders get 503 and a server does not start.');
const startsEmpty = (text: string): Readonly<Record<string, Said>> =>
  unusable(text, 'A server that is started now begins with an empty store.');

export const EXPECTED: Readonly<Record<string, Readonly<Record<string, Said>>>> = {
  'A healthy store, stopped': {
    doctor: HEALTHY,
    verify: NO_FAULT,
    'migrate status': UP_TO_DATE,
  },
  'A healthy store, with a running server': {
    doctor: [
      0,
      lines(
        '✓ ok      Store: data/touchstone.db can be opened. A server uses it.',
        '✓ ok      Secret key: It decrypts the webhooks.',
      ),
    ],
    verify: NO_FAULT,
    'migrate status': UP_TO_DATE,
  },
  'A server that was killed: commits are in the log only': {
    doctor: HEALTHY,
    verify: [0, '20 traces verified; no fault found.'],
    'migrate status': UP_TO_DATE,
  },
  'The same, without space for a copy': {
    doctor: [
      0,
      lines(
        '! warning Store: data/touchstone.db was not stopped: its log has commits that it lacks, so it is read as a copy of … MiB, and /dev/null does not take it (ENOTDIR); set TMPDIR to a folder with more space, or start the server and repeat this beside it.',
        '            Nothing of it was checked.',
      ),
    ],
    verify: [
      1,
      'data/touchstone.db was not stopped: its log has commits that it lacks, so it is read as a copy of … MiB, and /dev/null does not take it (ENOTDIR); set TMPDIR to a folder with more space, or start the server and repeat this beside it.',
    ],
    'migrate status': [
      1,
      'data/touchstone.db was not stopped: its log has commits that it lacks, so it is read as a copy of … MiB, and /dev/null does not take it (ENOTDIR); set TMPDIR to a folder with more space, or start the server and repeat this beside it.',
    ],
  },
  'No folder': startsEmpty(
    'There is no store in data; start the server once, or set its folder with --data-dir.',
  ),
  'An empty folder': startsEmpty(
    'There is no store in data; start the server once, or set its folder with --data-dir.',
  ),
  'A store of 0 bytes': startsEmpty(
    'data/touchstone.db is empty, so a server would begin with an empty store; restore a backup, or delete the file to begin again.',
  ),
  'A store of 0 bytes beside its secret key': startsEmpty(
    'data/touchstone.db is empty, so a server would begin with an empty store; restore a backup, or delete the file to begin again.',
  ),
  'A log without its store': rejected(
    'data/touchstone.db is missing, but its write-ahead log data/touchstone.db-wal (… bytes) exists; restore the file or a backup, or move the log away to start with an empty store.',
  ),
  'A log beside a store of 0 bytes': rejected(
    'data/touchstone.db is empty, but its write-ahead log data/touchstone.db-wal (… bytes) exists; restore the file or a backup, or move the log away to start with an empty store.',
  ),
  'A log that is something else': rejected(
    'data/touchstone.db-wal is not a write-ahead log, so the last commits in it are lost; restore a backup, or move it away to start without it.',
  ),
  'A log with garbage in its middle': rejected(
    'data/touchstone.db-wal is damaged at frame 4 (byte 12392), and … frames of 10 commits behind it would be lost; restore a backup, or to continue with the state before the damage, copy the folder and shorten the log: truncate -s 12392 data/touchstone.db-wal',
  ),
  'A log with a torn end': {
    doctor: HEALTHY,
    verify: [0, '20 traces verified; no fault found.'],
    'migrate status': UP_TO_DATE,
  },
  'A store that ends early': rejected(
    'data/touchstone.db is damaged: it ends after … of … bytes; restore a backup.',
  ),
  'A store of zeros': rejected('data/touchstone.db is damaged: its first bytes are zeros; restore a backup.'),
  'A store with a wrong page': {
    doctor: HEALTHY,
    verify: [
      1,
      lines(
        '-: the pages cannot be checked (database disk image is malformed)',
        '10 traces verified; 1 fault found. Restore a backup, or delete the traces above.',
      ),
    ],
    'verify --deep': [
      1,
      lines(
        '-: the pages cannot be checked (database disk image is malformed)',
        '-: the bounds of key ranges cannot be compared (database disk image is malformed)',
        '10 traces verified; 2 faults found. Restore a backup, or delete the traces above.',
      ),
    ],
    'migrate status': UP_TO_DATE,
  },
  'A store that lacks a table': rejected(
    'data/touchstone.db is damaged: tables are missing (api_key); restore a backup.',
  ),
  'A trace whose count of spans is wrong': {
    doctor: HEALTHY,
    verify: [
      1,
      lines(
        '00000000000000000000000000000001: its row counts 7 spans, and its blocks have 2',
        '10 traces verified; 1 fault found. Stop the server and run verify --repair.',
      ),
    ],
    'migrate status': UP_TO_DATE,
  },
  'A session whose times are wrong': {
    doctor: HEALTHY,
    verify: NO_FAULT,
    'verify --deep': [
      1,
      lines(
        'session s-1: its times are not those of its traces',
        '10 traces verified; 1 fault found. Stop the server and run verify --repair.',
      ),
    ],
    'migrate status': UP_TO_DATE,
  },
  'A database of another program': rejected(
    'data/touchstone.db is a SQLite database of another program; choose another data folder.',
  ),
  'An empty database': startsEmpty(
    'data/touchstone.db is an empty database, so a server would begin with an empty store; restore a backup, or delete the file to begin again.',
  ),
  'A text with the name of the store': rejected(
    'data/touchstone.db is not a database; move it away or choose another data folder.',
  ),
  'A folder with the name of the store': rejected(
    'data/touchstone.db is a folder; move it away or choose another data folder.',
  ),
  'A store of an older version': {
    doctor: [
      0,
      lines(
        '! warning Store: data/touchstone.db has schema 34, and this version of Touchstone has N.',
        '            The next start of the server migrates it, after a snapshot beside it; or run migrate.',
      ),
    ],
    verify: [
      1,
      lines(
        'Pages, indexes and references verified; no fault found.',
        'The store has schema 34, and this version of Touchstone verifies the traces of schema N; start the server or run migrate, then verify.',
      ),
    ],
    'migrate status': [
      0,
      'data/touchstone.db has schema 34; this version of Touchstone has N. The next start of the server migrates it, or migrate up.',
    ],
  },
  'A store of a newer version': {
    doctor: [
      1,
      lines(
        '✕ problem Store: data/touchstone.db was written by a newer version of Touchstone (schema N+1, this one knows N); install that version again.',
        '            Until this is corrected, senders get 503 and a server does not start.',
      ),
    ],
    verify: [
      1,
      'data/touchstone.db was written by a newer version of Touchstone (schema N+1, this one knows N); install that version again.',
    ],
    'migrate status': [
      1,
      'data/touchstone.db has schema N+1; this version of Touchstone has N. This version does not start over it. Install the version that migrated it.',
    ],
  },
  'A store from before the first release': {
    doctor: [
      1,
      lines(
        '✕ problem Store: data/touchstone.db was written before the first release of Touchstone (schema 33); this version migrates schema 34 and later.',
        '            Until this is corrected, senders get 503 and a server does not start.',
      ),
    ],
    verify: [
      1,
      'data/touchstone.db was written before the first release of Touchstone (schema 33); this version migrates schema 34 and later.',
    ],
    'migrate status': [
      1,
      'data/touchstone.db has schema 33; this version of Touchstone has N. It was written before the first release: this version migrates schema 34 and later, and does not start over it.',
    ],
  },
  'A store without a schema version': rejected(
    'data/touchstone.db is damaged: its schema has the version 0, which no store has; restore a backup.',
  ),
  'A folder of another user': rejected(
    'The data folder data cannot be read (permission denied); run the command as the user who owns it.',
  ),
  'A folder that this user can read only': {
    doctor: [
      1,
      lines(
        '✓ ok      Store: data/touchstone.db can be opened.',
        '✕ problem Store: The data folder data cannot be written (permission denied); choose another with --data-dir.',
        '            Until this is corrected, senders get 503 and a server does not start. If the file system has become read-only, its disk may have failed: see dmesg.',
        '! warning Permissions: Other users can read the store (mode 644).',
        '            Run chmod 600 data/touchstone.db.',
        '✓ ok      Secret key: It decrypts the webhooks.',
      ),
    ],
    verify: NO_FAULT,
    'migrate status': UP_TO_DATE,
  },
  'No secret key, and a webhook that needs it': {
    doctor: [
      1,
      lines(
        '✓ ok      Store: data/touchstone.db can be opened.',
        '✕ problem Secret key: It is missing or another one.',
        '            The secret and the headers of the webhook cannot be decrypted in Shop: they were sealed with another secret key (f77bff3f). To continue, stop the server, copy the old key to data/secret.key and start again; or set these webhooks again.',
      ),
    ],
    verify: NO_FAULT,
    'migrate status': UP_TO_DATE,
  },
  'Another secret key': {
    doctor: [
      1,
      lines(
        '✓ ok      Store: data/touchstone.db can be opened.',
        '✕ problem Secret key: It is missing or another one.',
        '            The secret and the headers of the webhook cannot be decrypted in Shop: they were sealed with another secret key (f77bff3f). To continue, stop the server, copy the old key to data/secret.key and start again; or set these webhooks again.',
      ),
    ],
    verify: NO_FAULT,
    'migrate status': UP_TO_DATE,
  },
  'An unfinished snapshot of a migration': {
    doctor: [
      0,
      lines(
        '✓ ok      Store: data/touchstone.db can be opened.',
        '✓ ok      Secret key: It decrypts the webhooks.',
        '! warning Leftovers: touchstone.db.before-34.new is the unfinished snapshot of a migration.',
        '            Delete it, unless that command still runs.',
      ),
    ],
    verify: NO_FAULT,
    'migrate status': UP_TO_DATE,
  },
  'A restore that was interrupted after it moved the former store': startsEmpty(
    'There is no store in data, but replaced-2026-11-27T00-00-00-000Z: a restore was interrupted; repeat it, or move touchstone.db back from the folder replaced-….',
  ),
  'A lock that is something else': rejected('data/lock.db is not a lock file of Touchstone; delete it.'),
};

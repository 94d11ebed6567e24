// Loaded before a server: SIGUSR2 makes it open and close its database, which releases its locks (POSIX).
const { closeSync, openSync } = require('node:fs');

if (require('node:worker_threads').isMainThread)
  process.on('SIGUSR2', () => closeSync(openSync(process.env.DROPPED_FILE, 'r')));

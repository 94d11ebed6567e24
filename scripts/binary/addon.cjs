// Loads SQLite's addon, which the system can load only from a file. All threads load the same file under the same
// name: two copies of SQLite in one process would release each other's locks on the database.
const { createHash, randomUUID } = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const { dirname, join } = require('node:path');
const { getAsset } = require('node:sea');
const { getEnvironmentData, isMainThread, setEnvironmentData } = require('node:worker_threads');

/** What the main thread found, for all threads: the path of the addon, or why there is none. */
const FOUND = 'touchstone:addon';
const MFD_CLOEXEC = 0x1;
const MFD_EXEC = 0x10;

let addon;
exports.getBinding = () => (addon ??= load());

/** Finds a file that can be loaded. The main thread does so before it starts another thread. */
exports.find = () => {
  if (isMainThread) setEnvironmentData(FOUND, tryPlaces());
};

function load() {
  const { file, failures } = getEnvironmentData(FOUND);
  if (file !== undefined) return dlopen(file);
  const error = new Error(
    `SQLite cannot be loaded from ${failures.join(' or ')}; set TMPDIR to a folder of this user that can be written and is not mounted with noexec.`,
  );
  throw Object.assign(error, { code: 'ERR_DLOPEN_FAILED' });
}

function tryPlaces() {
  const bytes = Buffer.from(getAsset('better_sqlite3.node'));
  const failures = [];
  for (const { place, prepare } of places(bytes)) {
    try {
      const file = prepare();
      addon = dlopen(file);
      return { file };
    } catch (error) {
      failures.push(`${place} (${error.message.split('\n', 1)[0]})`);
    }
  }
  return { failures };
}

function dlopen(file) {
  const module = { exports: {} };
  process.dlopen(module, file);
  return module.exports;
}

/** Lists the places in order: an installed file, memory, and folders in which the file is written. */
function places(bytes) {
  const installed = join(dirname(process.execPath), '../lib/touchstone/better_sqlite3.node');
  const name = `better_sqlite3-${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.node`;
  return [
    { place: installed, prepare: () => checkInstalled(installed, bytes) },
    ...(process.platform === 'linux' ? [{ place: 'memory', prepare: () => inMemory(bytes) }] : []),
    ...folders().map((folder) => ({ place: folder, prepare: () => inFolder(folder, name, bytes) })),
  ];
}

function checkInstalled(file, bytes) {
  if (!fs.existsSync(file)) throw new Error('no such file');
  if (!isComplete(file, bytes)) throw new Error('it belongs to another version');
  return file;
}

/** Writes the addon to a file that is in memory only, and stays open until the process ends. */
function inMemory(bytes) {
  const ffi = withoutWarning(() => require('node:ffi'));
  const { functions } = ffi.dlopen(null, {
    memfd_create: { arguments: ['string', 'uint32'], return: 'int32' },
  });
  let descriptor = functions.memfd_create('touchstone-sqlite', MFD_CLOEXEC | MFD_EXEC);
  // Linux before 6.3 does not know the second flag.
  if (descriptor < 0) descriptor = functions.memfd_create('touchstone-sqlite', MFD_CLOEXEC);
  if (descriptor < 0) throw new Error('the system allows no file in memory');
  fs.writeFileSync(descriptor, bytes);
  return `/proc/self/fd/${descriptor}`;
}

/** Node warns that the module may change; the binary brings the Node that it was tested with. */
function withoutWarning(work) {
  const own = Object.getOwnPropertyDescriptor(process, 'emitWarning');
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    Object.defineProperty(process, 'emitWarning', own);
  }
}

function folders() {
  const caches = process.env.XDG_CACHE_HOME || homeCache();
  return [
    ...(caches ? [join(caches, 'touchstone')] : []),
    join(os.tmpdir(), `touchstone-${process.getuid?.() ?? ''}`),
    ...(process.env.TOUCHSTONE_DATA_DIR ? [join(process.env.TOUCHSTONE_DATA_DIR, '.addon')] : []),
  ];
}

/** A user without an entry in /etc/passwd and without HOME has no home. */
function homeCache() {
  try {
    return join(os.homedir(), '.cache');
  } catch {
    return null;
  }
}

/** Returns the path of the addon in the folder, after writing it if it is not there. */
function inFolder(folder, name, bytes) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = fs.lstatSync(folder);
  const isOurs = process.platform === 'win32' || (uid === process.getuid() && (mode & 0o170077) === 0o040000);
  if (!isOurs) throw new Error('it must be a folder of this user with mode 0700');
  const file = join(folder, name);
  if (!isComplete(file, bytes)) {
    const fresh = `${file}.${randomUUID()}`;
    fs.writeFileSync(fresh, bytes, { mode: 0o500, flag: 'wx' });
    fs.renameSync(fresh, file);
  }
  return file;
}

function isComplete(file, bytes) {
  try {
    return fs.readFileSync(file).equals(bytes);
  } catch {
    return false;
  }
}

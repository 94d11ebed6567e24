// Loads SQLite's addon, which the system can load only from a file: it is written once to a folder that belongs to
// this user alone, under the hash of its bytes, and checked before each load.
const { createHash, randomUUID } = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const { join } = require('node:path');
const { getAsset } = require('node:sea');

let addon;
exports.getBinding = () => (addon ??= load());

function load() {
  const bytes = Buffer.from(getAsset('better_sqlite3.node'));
  const name = `better_sqlite3-${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.node`;
  const failures = [];
  for (const folder of folders()) {
    try {
      const file = prepare(folder, name, bytes);
      const module = { exports: {} };
      process.dlopen(module, file);
      return module.exports;
    } catch (error) {
      failures.push(`${folder} (${error.message.split('\n', 1)[0]})`);
    }
  }
  throw new Error(
    `SQLite cannot be loaded from ${failures.join(' or ')}; set TMPDIR to a folder of this user that can be written and is not mounted with noexec.`,
  );
}

function folders() {
  const user = os.userInfo().uid;
  const cache = process.env.XDG_CACHE_HOME || join(os.homedir(), '.cache');
  return [join(cache, 'touchstone'), join(os.tmpdir(), `touchstone-${user}`)];
}

/** Returns the path of the addon in the folder, after writing it if it is not there. */
function prepare(folder, name, bytes) {
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

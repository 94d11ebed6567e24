// Writes the root folder of the image: the single binary, its addon as a file, the libraries that both need, and
// nothing else. The Dockerfile copies this folder into an empty image; the tests start the binary in it.
//   node scripts/image-root.mjs FOLDER      after scripts/binary.mjs
import { chmodSync, chownSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addonFile } from './binary/addon-file.mjs';
import { run } from './run.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const PROGRAM = '/usr/local/bin/touchstone';
/** Path beside the program, where scripts/binary/addon.cjs looks first. */
const ADDON = '/usr/local/lib/touchstone/better_sqlite3.node';
const COMPONENTS = '/usr/local/share/touchstone/touchstone.cdx.json';
const USER = 65532;
const TEXTS = {
  '/etc/passwd': `root:x:0:0:root:/:/nonexistent\nnonroot:x:${USER}:${USER}:nonroot:/nonexistent:/nonexistent\n`,
  '/etc/group': `root:x:0:\nnonroot:x:${USER}:\n`,
  '/etc/nsswitch.conf': 'hosts: files dns\n',
};

// The user of the image reads every folder, whoever may read what the builder of the image makes.
process.umask(0o022);
const target = resolve(process.argv[2] ?? 'dist/image');
const program = join(ROOT, 'dist/touchstone');
const addon = join(ROOT, addonFile());
copy(program, PROGRAM, 0o755);
copy(addon, ADDON, 0o755);
copy(join(ROOT, 'dist/touchstone.cdx.json'), COMPONENTS, 0o644);
for (const library of new Set([...(await librariesOf(program)), ...(await librariesOf(addon))]))
  copy(library, library, 0o755);
for (const [file, text] of Object.entries(TEXTS)) {
  mkdirSync(dirname(join(target, file)), { recursive: true });
  writeFileSync(join(target, file), text);
}
folder('/tmp', 0o1777);
// A new volume gets the owner and mode of this folder.
folder('/data', 0o700, USER);

function copy(from, to, mode) {
  mkdirSync(dirname(join(target, to)), { recursive: true });
  copyFileSync(from, join(target, to));
  chmodSync(join(target, to), mode);
}

function folder(path, mode, user = 0) {
  mkdirSync(join(target, path), { recursive: true });
  chownSync(join(target, path), user, user);
  chmodSync(join(target, path), mode);
}

/** Returns the paths of all libraries that a program or library loads, with the loader. */
async function librariesOf(file) {
  const { code, output } = await run('ldd', [file], { capture: true });
  const missing = [...output.matchAll(/^\s*(\S+) => not found$/gm)].map(([, name]) => name);
  if (code !== 0 || missing.length > 0)
    throw new Error(`ldd ${file}: ${missing.length > 0 ? `${missing.join(', ')} not found` : output.trim()}`);
  return [...output.matchAll(/(\/\S+) \(0x[\da-f]+\)$/gm)].map(([, path]) => path);
}

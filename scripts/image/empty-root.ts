/**
 * Runs a program in a root folder as a container does: the root is read-only, /tmp is a file system without execution,
 * the user has no rights and no home, and nothing of this machine is visible but /proc and a few devices.
 */
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const USER = 65532;
const DEVICES = ['null', 'zero', 'random', 'urandom'];

interface Container {
  /** Folder that becomes the root. */
  root: string;
  /** Folder that is mounted as /data. */
  data: string;
  /** False leaves out /proc. */
  hasProc?: boolean;
  /** True mounts /data without execution. */
  isDataNoexec?: boolean;
  env?: Readonly<Record<string, string>>;
}

/** Starts a program in the container. The child has the same process id as the program. */
export function startInRoot(
  { root, data, hasProc = true, isDataNoexec = false, env = {} }: Container,
  command: readonly string[],
  stdio: StdioOptions,
): ChildProcess {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('Mounting an empty root needs Linux and root; use sudo, or a container as root.');
  for (const folder of ['proc', 'dev', 'tmp', 'data']) mkdirSync(join(root, folder), { recursive: true });
  chownSync(data, USER, USER);
  const script = [
    'set -e',
    'mount --bind "$ROOT" "$ROOT"',
    'mount -t tmpfs -o noexec,nosuid,nodev,mode=1777 tmpfs "$ROOT/tmp"',
    'mount --bind "$DATA" "$ROOT/data"',
    ...(isDataNoexec ? ['mount -o remount,bind,noexec "$ROOT/data"'] : []),
    'mount -t tmpfs -o mode=755 tmpfs "$ROOT/dev"',
    ...DEVICES.map((name) => `touch "$ROOT/dev/${name}" && mount --bind /dev/${name} "$ROOT/dev/${name}"`),
    ...(hasProc ? ['mount --rbind /proc "$ROOT/proc"'] : []),
    'mount -o remount,bind,ro "$ROOT"',
    // Nothing of this environment is left for the program, HOME included.
    'exec env -i "$@"',
  ].join('\n');
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const changeRoot = ['/usr/sbin/chroot', `--userspec=${USER}:${USER}`, '--groups=', root];
  return spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', ...variables, ...changeRoot, ...command], {
    stdio,
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ROOT: root, DATA: data },
  });
}

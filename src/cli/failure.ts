import { StartupError } from '../errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'part of its path is a file',
  EEXIST: 'it is a file',
  ENOENT: 'there is no such place',
  EDQUOT: 'the disk quota is used up',
  ENAMETOOLONG: 'its path is too long',
  ELOOP: 'its path has too many symbolic links',
  EIO: 'its disk fails',
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** One sentence for what the data folder did not allow; other failures stay what they are. */
export function folderFailure(error: unknown, folder: string): unknown {
  const code = codeOf(error);
  if (error instanceof StartupError) return error;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code.startsWith('SQLITE_FULL')) {
    return new StartupError(`There is no room left on the disk of ${folder}.`);
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new StartupError(`The store in ${folder} is busy; try again.`);
  }
  if (code === 'SQLITE_NOTADB') {
    return new StartupError(`${folder} holds a file in place of one of ours; choose another data folder.`);
  }
  if (code.startsWith('SQLITE_')) {
    return new StartupError(
      `The data folder ${folder} cannot be used (${(error as Error).message}); check its owner, mode and disk.`,
    );
  }
  const reason = REASONS[code];
  return reason === undefined
    ? error
    : new StartupError(
        `The data folder ${folder} cannot be written (${reason}); choose another with --data-dir.`,
      );
}

/** One sentence for why an address cannot be listened on; other failures stay what they are. */
export function listenFailure(error: unknown, host: string, port: number): unknown {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new StartupError(
        `Port ${port} of ${host} is taken by another program; choose another with --port (0 = any free one).`,
      );
    case 'EACCES':
      return new StartupError(
        `Port ${port} needs more rights than this user has; choose one above 1023 with --port.`,
      );
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
      return new StartupError(`${host} is no address of this machine; choose another with --host.`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartupError(`The host name ${host} is not known; choose another with --host.`);
    default:
      return error;
  }
}

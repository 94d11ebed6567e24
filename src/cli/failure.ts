import { errorCode, StartupError } from '../errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'part of its path is a file',
  EEXIST: 'it is a file',
  EISDIR: 'a folder has the name of a file',
  ENOENT: 'the path does not exist',
  EDQUOT: 'the disk quota is used up',
  ENAMETOOLONG: 'its path is too long',
  ELOOP: 'its path has too many symbolic links',
  EIO: 'its disk fails',
};

/** Describes in one sentence why the data folder cannot be used; returns other errors unchanged. */
export function folderFailure(error: unknown, folder: string): unknown {
  const code = errorCode(error);
  if (error instanceof StartupError) return error;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code.startsWith('SQLITE_FULL')) {
    return new StartupError(`The disk of ${folder} is full; free some space.`);
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new StartupError(`The store in ${folder} is busy; retry later.`);
  }
  if (code === 'SQLITE_NOTADB') {
    return new StartupError(
      `${folder} contains a foreign file with the name of a file of Touchstone; choose another data folder.`,
    );
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

/**
 * Describes in one sentence why a command failed, if the cause is the machine or the input; an unexpected error with
 * its stack.
 */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = errorCode(error);
  // SQLite could not be loaded; the binary names all places that it tried.
  if (error instanceof StartupError || code === 'ERR_DLOPEN_FAILED') return error.message;
  const { path } = error as NodeJS.ErrnoException;
  const reason = REASONS[code] ?? (code === 'ENOSPC' ? 'its disk is full' : undefined);
  if (reason !== undefined && path !== undefined) return `${path} cannot be used (${reason}).`;
  if (code.startsWith('SQLITE_')) return `The store cannot be used (${error.message}, ${code}).`;
  return error.stack ?? error.message;
}

/** An address to listen on, and the flags that set it. */
export interface ListenAddress {
  host: string;
  port: number;
  hostFlag: '--host' | '--grpc-host';
  portFlag: '--port' | '--grpc-port';
}

/** Reports whether another program listens on the address. */
export const isPortInUse = (error: unknown): boolean => errorCode(error) === 'EADDRINUSE';

/** Describes in one sentence why the server cannot listen on an address; returns other errors unchanged. */
export function listenFailure(error: unknown, { host, port, hostFlag, portFlag }: ListenAddress): unknown {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return new StartupError(
        `Port ${port} of ${host} is in use by another program; choose another with ${portFlag} (0 = any free port).`,
      );
    case 'EACCES':
      return new StartupError(
        `Port ${port} requires more rights than this user has; choose one above 1023 with ${portFlag}.`,
      );
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
      return new StartupError(`${host} is not an address of this machine; choose another with ${hostFlag}.`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartupError(`The host name ${host} cannot be resolved; choose another with ${hostFlag}.`);
    default:
      return error;
  }
}

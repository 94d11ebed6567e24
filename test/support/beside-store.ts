import { openFolderForLongRun } from '../../src/cli/data-folder.ts';
import type { StoreConnection } from '../../src/storage/database.ts';

/** Connections to the stores of running servers, by folder. */
const connections = new Map<string, StoreConnection>();

/** Works on the store beside its server. Opening a store takes longer than most tests, so its connection stays until the server ends. */
export function besideServer<T>(folder: string, work: (database: StoreConnection) => T): T {
  const database = connections.get(folder) ?? openFolderForLongRun(folder);
  connections.set(folder, database);
  return work(database);
}

/** Closes the connection to the store of a server that ends. */
export function leaveStore(folder: string): void {
  connections.get(folder)?.close();
  connections.delete(folder);
}

import { parentPort } from 'node:worker_threads';
import type { IoMessage } from '../storage/postgres/io-messages.ts';
import { serveConnection } from '../storage/postgres/serve-connection.ts';
import { StoreWatcher } from '../storage/postgres/watch.ts';

const port = parentPort;
if (!port) throw new Error('started outside a worker thread');
let watcher: StoreWatcher | null = null;
const take = (message: IoMessage): void => {
  if ('link' in message) message.link.on('message', take);
  else if ('watch' in message)
    watcher = new StoreWatcher(message.watch, (report) => port.postMessage(report, []));
  else if ('publish' in message) watcher?.publish(message.publish);
  else serveConnection(message);
};
port.on('message', take);

import { parentPort } from 'node:worker_threads';
import type { OpenConnection } from '../storage/postgres/io-messages.ts';
import { serveConnection } from '../storage/postgres/serve-connection.ts';

const port = parentPort;
if (!port) throw new Error('started outside a worker thread');
port.on('message', (message: OpenConnection) => serveConnection(message));

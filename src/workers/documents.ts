import { parentPort, workerData } from 'node:worker_threads';
import {
  type DocumentKind,
  type DocumentMessage,
  readImportDocument,
} from '../resources/examples/document-rows.ts';

const port = parentPort;
if (!port) throw new Error('started outside a worker thread');
const { kind, bytes } = workerData as { kind: DocumentKind; bytes: Uint8Array };
await readImportDocument(kind, bytes, (message: DocumentMessage) => port.postMessage(message, []));

import { Client } from 'pg';
import type {
  ConnectionRequest,
  ConnectionResponse,
  OpenConnection,
  StatementRequest,
} from './io-messages.ts';

/** Types of values that arrive as text, so that the thread that waits for them decides what they become. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

/** Milliseconds after which the server stops a statement, and one that waits for a lock. */
const STATEMENT_MS = 10_000;
const LOCK_MS = 5_000;

/** Connects to the database and answers the requests of one port, in their order. Errors of the connection are answers too. */
export function serveConnection({ url, port, signal }: OpenConnection): void {
  const flag = new Int32Array(signal);
  const client = new Client({
    connectionString: url,
    statement_timeout: STATEMENT_MS,
    lock_timeout: LOCK_MS,
    application_name: 'touchstone',
  });
  let lost: Error | null = null;
  client.on('error', (error) => {
    lost = error;
  });
  const connected = client.connect().catch((error: Error) => {
    lost = error;
  });
  const answer = (response: ConnectionResponse): void => {
    port.postMessage(response);
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  };
  const serve = async (request: ConnectionRequest): Promise<void> => {
    if ('close' in request) {
      await client.end().catch(() => undefined);
      port.close();
      return;
    }
    try {
      if (lost) throw lost;
      answer(
        await ('script' in request ? runScript(client, request.script) : run(client, request.statement)),
      );
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      answer({ fault: { code: code ?? 'XX000', message } });
    }
  };
  let last = connected;
  port.on('message', (request: ConnectionRequest) => {
    last = last.then(() => serve(request));
  });
}

async function run(client: Client, { text, name, values }: StatementRequest): Promise<ConnectionResponse> {
  const query = { text, name, values: [...values], rowMode: 'array' as const, types: AS_TEXT };
  const { rows, fields, rowCount } = await client.query<(string | null)[]>(query);
  return {
    rows,
    columns: fields.map(({ name: column, dataTypeID }) => ({ name: column, type: dataTypeID })),
    count: rowCount ?? 0,
  };
}

async function runScript(client: Client, script: string): Promise<ConnectionResponse> {
  await client.query(script);
  return { rows: [], columns: [], count: 0 };
}

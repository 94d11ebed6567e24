import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ClientSettings } from '../api/client.ts';
import type { OpenApiDocument } from '../api/document.ts';
import { readFlags } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import { ACCOUNT_FLAGS, readAccount } from './account.ts';
import type { Io } from './io.ts';
import { type CallResponse, createAgentServer } from '../api/agent/agent-server.ts';
import { serveHttp } from './mcp-http.ts';
import { type ToolRequest, toolsOf } from '../api/agent/tools.ts';
import { withoutWords } from './read-server.ts';
import { strangerText, unreachableText } from './server-trouble.ts';

const CALL_TIMEOUT_MS = 60_000;

/**
 * Serves an agent by the Model Context Protocol with the calls of a server as tools: over standard input and output,
 * or with `--port` by HTTP. Runs until the agent ends the connection, or until a signal.
 */
export async function serveAgent(args: readonly string[], io: Io): Promise<void> {
  const { flags, words } = readFlags(args, {
    values: ['--port', ...ACCOUNT_FLAGS],
    switches: ['--allow-writes'],
  });
  withoutWords('mcp', words);
  const account = readAccount('mcp', flags, io.env);
  const port = portOf(flags.get('--port'));
  const document = await readDocument(account);
  const tools = toolsOf(document, { withWrites: flags.has('--allow-writes') });
  const call = (request: ToolRequest): Promise<CallResponse> => callServer(account, request);
  const create = () => createAgentServer(tools, { version: document.info.version, call });
  if (port === null) {
    serveStdio(create);
    await once(process.stdin, 'close');
    return;
  }
  const { port: actual, server } = await serveHttp(create, port);
  // Standard output belongs to the protocol in the other form; messages go the same way in both.
  io.err(`Agents connect to http://127.0.0.1:${actual}/mcp\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  server.close();
  server.closeAllConnections();
}

/** Returns the port of `--port`; null without one. Throws StartupError. */
function portOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new StartupError(
    `--port must be a number from 0 to 65535, not ${JSON.stringify(text.slice(0, 80))}.`,
  );
}

/** Reads the API document of the server. Throws StartupError. */
async function readDocument({ baseUrl }: ClientSettings): Promise<OpenApiDocument> {
  const response = await fetch(`${baseUrl}/openapi.json`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new StartupError(unreachableText(baseUrl, error));
  });
  const document = response.ok ? await response.json().catch(() => null) : null;
  if (typeof document === 'object' && document !== null && 'openapi' in document)
    return document as OpenApiDocument;
  throw new StartupError(strangerText(baseUrl));
}

/** Makes a call with the credentials of the account. A server that cannot be reached is an answer too: the agent reads it. */
async function callServer(
  { baseUrl, apiKey, applicationId }: ClientSettings,
  { method, path, body }: ToolRequest,
): Promise<CallResponse> {
  try {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        'x-api-key': apiKey,
        'x-application-id': applicationId,
        // Calls that could respond without a body then say what they did.
        prefer: 'return=representation',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      // A redirect would take the key to another server.
      redirect: 'manual',
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    return { status: 503, text: error instanceof Error ? error.message : String(error) };
  }
}

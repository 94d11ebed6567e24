import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { Answer } from '../api/agent/agent-server.ts';
import type { ToolRequest } from '../api/agent/tools.ts';
import { openApi } from '../api/openapi.ts';
import { type Authenticator, requireScope } from '../auth.ts';
import type { Route } from '../contract/route.ts';
import { headOf } from '../ingest/http-head.ts';
import type { WatchCredentials } from './watch-credentials.ts';

const PATH = '/mcp';
const MAX_BODY_BYTES = 1024 * 1024;

export interface AgentRouteDeps {
  routes: readonly Route[];
  authenticator: Authenticator;
  /** Records failures of the authentication of a request. */
  watch: WatchCredentials;
}

/** Headers with which the calls of an agent are made. */
type Credentials = Record<'x-api-key' | 'x-application-id', string>;

/**
 * Adds `/mcp`, at which agents call the API by the Model Context Protocol with the key of the request, in `x-api-key` or as
 * a bearer token. The tools only read, unless the address ends in `?allow-writes=true`. Every call of a tool is a request
 * of its own, with the rate limit, the permissions and the audit of any other.
 */
export function addAgentRoute(app: FastifyInstance, { routes, authenticator, watch }: AgentRouteDeps): void {
  const credentials = new WeakMap<FastifyRequest, Credentials>();
  // Most servers have no agent, so the library is loaded by the first one.
  let loading: Promise<Handlers> | null = null;
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
      (_request, body, next) => next(null, body),
    );
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: PATH,
      // Before the body is read.
      onRequest: async (request) => {
        await watch(headOf(request), async () => {
          credentials.set(request, await credentialsOf(authenticator, request));
        });
      },
      handler: async (request, reply) => {
        loading ??= loadHandlers(app, routes);
        const handlers = await loading;
        const { 'allow-writes': allowWrites } = request.query as Record<string, unknown>;
        const handler = allowWrites === 'true' ? handlers.writing : handlers.reading;
        const own = credentials.get(request);
        if (!own) throw new Error('the request was not authenticated');
        return respond(handler, request, reply, own);
      },
    });
    done();
  });
}

async function credentialsOf(
  authenticator: Authenticator,
  { headers }: FastifyRequest,
): Promise<Credentials> {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const scope =
    bearer === undefined
      ? await authenticator.authenticate(headers)
      : await authenticator.authenticateKey(bearer);
  requireScope(scope, 'read');
  return {
    'x-api-key': bearer ?? String(headers['x-api-key']),
    'x-application-id': scope.applicationId,
  };
}

interface Handlers {
  reading: McpHttpHandler;
  writing: McpHttpHandler;
}

async function loadHandlers(app: FastifyInstance, routes: readonly Route[]): Promise<Handlers> {
  const [{ createMcpHandler }, { createAgentServer }, { toolsOf }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('../api/agent/agent-server.ts'),
    import('../api/agent/tools.ts'),
  ]);
  const document = openApi(routes);
  const handlerWith = (withWrites: boolean): McpHttpHandler => {
    const tools = toolsOf(document, { withWrites });
    return createMcpHandler(({ authInfo }) => {
      const own = authInfo?.extra as Credentials | undefined;
      if (!own) throw new Error('the request was not authenticated');
      return createAgentServer(tools, {
        version: document.info.version,
        call: (request) => callServer(app, own, request),
      });
    });
  };
  return { reading: handlerWith(false), writing: handlerWith(true) };
}

/** Makes a call of the API within this process. */
async function callServer(
  app: FastifyInstance,
  own: Credentials,
  { method, path, body }: ToolRequest,
): Promise<Answer> {
  const { statusCode, payload } = await app.inject({
    method: method as 'GET',
    url: path,
    headers: {
      ...own,
      // Calls that could respond without a body then say what they did.
      prefer: 'return=representation',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { payload: JSON.stringify(body) }),
  });
  return { status: statusCode, text: payload };
}

async function respond(
  handler: McpHttpHandler,
  { method, url, headers, body: bytes }: FastifyRequest,
  reply: FastifyReply,
  own: Credentials,
): Promise<FastifyReply> {
  const request = new Request(new URL(url, 'http://localhost'), {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    ),
    ...(Buffer.isBuffer(bytes) && { body: new Uint8Array(bytes) }),
  });
  const authInfo = { token: own['x-api-key'], clientId: own['x-application-id'], scopes: [], extra: own };
  const response = await handler.fetch(request, { authInfo });
  void reply.code(response.status);
  for (const [name, value] of response.headers) void reply.header(name, value);
  return response.body === null ? reply.send() : reply.send(Readable.fromWeb(response.body as never));
}

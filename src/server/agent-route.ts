import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { CallResponse } from '../api/agent/agent-server.ts';
import type { ToolRequest } from '../api/agent/tools.ts';
import { openApi } from '../api/openapi.ts';
import { type Authenticator, requireScope } from '../auth.ts';
import type { Route } from '../contract/route.ts';
import type { Principal } from '../contract/scope.ts';
import { headOf } from '../ingest/http-head.ts';
import type { FairShare } from '../runtime/fair-share.ts';
import { unlessRevoked, type WatchCall } from '../runtime/open-calls.ts';
import { breakUnended } from './break-unended.ts';
import { readCharged } from './json-body.ts';
import { onceResponded } from './once-responded.ts';
import type { WatchCredentials } from './watch-credentials.ts';

const PATH = '/mcp';

export interface AgentRouteDeps {
  routes: readonly Route[];
  authenticator: Authenticator;
  /** Records failures of the authentication of a request. */
  watch: WatchCredentials;
  watchCall: WatchCall;
  /** Memory of request bodies, shared between applications. */
  bodies: FairShare;
}

/** Headers with which the calls of an agent are made. */
type Credentials = Record<'x-api-key' | 'x-application-id', string>;

/**
 * Adds `/mcp`, at which agents call the API by the Model Context Protocol with the key of the request, in `x-api-key` or as
 * a bearer token. The tools only read, unless the address ends in `?allow-writes=true`. Every call of a tool is a request
 * of its own, with the rate limit, the permissions and the audit of any other.
 */
export function addAgentRoute(
  app: FastifyInstance,
  { routes, authenticator, watch, watchCall, bodies }: AgentRouteDeps,
): void {
  const credentials = new WeakMap<FastifyRequest, Credentials>();
  // Most servers have no agent, so the library is loaded by the first one.
  let loading: Promise<Handlers> | null = null;
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      async (request: FastifyRequest) => (await readCharged(request, bodies)).bytes,
    );
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: PATH,
      // Before the body is read.
      onRequest: async (request) => {
        const check = (): Promise<Principal> =>
          watch(headOf(request), () => callerOf(authenticator, request));
        request.principal = await check();
        credentials.set(request, credentialsOf(request, request.principal));
        const { revoked, end } = watchCall(check);
        request.revoked = revoked;
        onceResponded(request.response, end);
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

const bearerOf = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];

async function callerOf(authenticator: Authenticator, request: FastifyRequest): Promise<Principal> {
  const bearer = bearerOf(request);
  const principal = await (bearer === undefined
    ? authenticator.authenticate(request.headers)
    : authenticator.authenticateKey(bearer));
  return requireScope(principal, 'read');
}

const credentialsOf = (request: FastifyRequest, { applicationId }: Principal): Credentials => ({
  'x-api-key': bearerOf(request) ?? String(request.headers['x-api-key']),
  'x-application-id': applicationId,
});

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
): Promise<CallResponse> {
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
  { method, url, headers, body: bytes, revoked }: FastifyRequest,
  reply: FastifyReply,
  own: Credentials,
): Promise<FastifyReply> {
  const request = new Request(new URL(url, 'http://localhost'), {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    ),
    ...(bytes instanceof Uint8Array && { body: new Uint8Array(bytes) }),
  });
  const authInfo = { token: own['x-api-key'], clientId: own['x-application-id'], scopes: [], extra: own };
  const response = await unlessRevoked(revoked, handler.fetch(request, { authInfo }));
  void reply.code(response.status);
  for (const [name, value] of response.headers) void reply.header(name, value);
  if (response.body === null) return reply.send();
  const body = breakUnended(Readable.fromWeb(response.body as never), reply.raw);
  const onRevoked = (): void => void body.destroy();
  revoked.addEventListener('abort', onRevoked);
  return reply.send(body.once('close', () => revoked.removeEventListener('abort', onRevoked)));
}

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyMemory, parseJsonBody } from '../contract/body.ts';
import { readBody } from '../ingest/http-body.ts';
import type { FairShare } from '../runtime/fair-share.ts';
import { noMemory } from '../runtime/memory-budget.ts';
import { onceResponded } from './once-responded.ts';

/** Limit for JSON bodies of the REST API; ingest has its own. */
const MAX_JSON_BYTES = 1024 * 1024;
/** Size below which parsing a body takes too little memory to be charged. */
const SMALL_BYTES = 16 * 1024;

/** Parses JSON bodies. Their memory is charged until the response has ended. */
export function addJsonParser(app: FastifyInstance, bodies: FairShare): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request: FastifyRequest) => readJson(request, bodies));
}

/** Reads the bytes of a body. Their memory is charged to the returned share, until the response has ended. */
export async function readCharged(request: FastifyRequest, bodies: FairShare) {
  const share = bodies.open(request.principal?.application ?? null);
  onceResponded(request.response, () => share.close());
  return { share, bytes: await readBody(request.raw, MAX_JSON_BYTES, share, request.revoked) };
}

async function readJson(request: FastifyRequest, bodies: FairShare): Promise<unknown> {
  const { share, bytes } = await readCharged(request, bodies);
  if (bytes.length > SMALL_BYTES && !share.tryTake(bodyMemory(bytes))) {
    throw noMemory();
  }
  if (!request.routeOptions.config.takesBytes) return parseJsonBody(bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

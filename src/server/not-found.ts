import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/** Answers what no door is there for: 405 where another method would do, 404 elsewhere. Call before adding doors. */
export function answerUnknown(app: FastifyInstance): void {
  const doors = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const methods = doors.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    doors.set(url, methods);
  });
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const path = (request.raw.url ?? '').split('?', 1).join('');
    const methods = [...doors].filter(([url]) => matches(url, path)).flatMap(([, names]) => [...names]);
    if (methods.length === 0) throw new AppError('not_found', 'Not found');
    void reply.header('allow', [...new Set(methods)].sort().join(', '));
    throw new AppError('method_not_allowed', `${request.method} is not possible here`);
  });
}

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return false;
  return wanted.every((part, i) => (part.startsWith(':') ? given[i] !== '' : part === given[i]));
}

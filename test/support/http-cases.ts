import { expect, it } from 'vitest';
import type { Call, TestServer } from './server.ts';

/** One call and what must and must not be in its answer. */
export interface HttpCase extends Call {
  name: string;
  request: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'HEAD'} ${string}`;
  status: number;
  mustContain?: readonly string[];
  mustNotContain?: readonly string[];
  answerHeaders?: Readonly<Record<string, string>>;
}

/** A test for each case. A function where cases need to know the server, which is there only once tests run. */
export function testHttp(server: () => TestServer, cases: readonly HttpCase[]): void {
  it.each(cases)(
    '$name',
    async ({ request, status, mustContain = [], mustNotContain = [], answerHeaders = {}, ...call }) => {
      const [method = '', path = ''] = request.replaceAll('{app}', server().applicationId).split(' ');
      const reply = await server().call(method, path, call);
      expect(`${reply.status} ${reply.text}`).toMatch(new RegExp(`^${status} `));
      for (const text of mustContain)
        expect(reply.text).toContain(text.replaceAll('{app}', server().applicationId));
      for (const text of mustNotContain) expect(reply.text).not.toContain(text);
      for (const [name, value] of Object.entries(answerHeaders)) expect(reply.headers.get(name)).toBe(value);
      expect(reply.headers.get('x-request-id')).toMatch(/^[\w.-]{1,64}$/);
    },
  );
}

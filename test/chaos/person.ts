/** A person who signs in and out: a login that was acknowledged holds, and one that has ended stays so. */
import { setTimeout as delay } from 'node:timers/promises';
import { run } from '../support/process.ts';
import { insist, type Reply, send, type Tried } from './insist.ts';

interface PersonOptions {
  url: string;
  dataDir: string;
  random: () => number;
  /** Pause between two looks, milliseconds. */
  pauseMs: number;
}

const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery';
const SIGN_OUT_SHARE = 0.15;
/** Most ended logins that are used once more. */
const MAX_ENDED = 50;

interface Login {
  cookie: string;
  csrf: string;
}

/** Uses the server as a browser does. */
export class Person {
  readonly faults: string[] = [];
  logins = 0;
  private readonly options: PersonOptions;
  private readonly ended: Login[] = [];

  private constructor(options: PersonOptions) {
    this.options = options;
  }

  /** Creates the account by an invitation from the command line. */
  static async open(options: PersonOptions, applicationId: string, deadline: AbortSignal): Promise<Person> {
    const person = new Person(options);
    const account = [EMAIL, '--role', 'editor', '--application-id', applicationId];
    const invited = await run(['users', 'invite', ...account, '--data-dir', options.dataDir, '--json']);
    const token = /#invitation=([^"\s]+)/.exec(invited.stdout)?.[1];
    if (token === undefined) throw new Error(`users invite ended with ${invited.code}: ${invited.stderr}`);
    await person.begin('/v0/login/invitation', { token, name: 'Ada', password: PASSWORD }, deadline);
    return person;
  }

  async run(stop: AbortSignal, deadline: AbortSignal): Promise<void> {
    const { pauseMs, random } = this.options;
    let login = await this.signIn(deadline);
    while (!stop.aborted) {
      await this.expectStatus(login, 200, 'a login that was acknowledged');
      const before = this.ended[Math.floor(random() * this.ended.length)];
      if (before) await this.expectStatus(before, 401, 'a login that has ended');
      if (random() < SIGN_OUT_SHARE) {
        await this.signOut(login, deadline);
        login = await this.signIn(deadline);
      }
      await delay(pauseMs * (0.5 + random()));
    }
  }

  private signIn(deadline: AbortSignal): Promise<Login> {
    this.logins += 1;
    return this.begin('/v0/login', { email: EMAIL, password: PASSWORD }, deadline);
  }

  /** Begins a login, and returns what the browser keeps of it. */
  private async begin(path: string, body: unknown, deadline: AbortSignal): Promise<Login> {
    const login: Login = { cookie: '', csrf: '' };
    await insist(async () => {
      const reply = await send(this.options.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const tried = triedOf(reply);
      if (reply === null || tried !== 'accepted') return tried;
      const text = reply.body.toString();
      if (reply.status >= 300) throw new Error(`${path} responded with ${reply.status}: ${text}`);
      login.cookie = reply.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; ');
      login.csrf = (JSON.parse(text) as { csrf: string }).csrf;
      return tried;
    }, deadline);
    return login;
  }

  private async signOut(login: Login, deadline: AbortSignal): Promise<void> {
    let isRepeated = false;
    await insist(async () => {
      const reply = await send(`${this.options.url}/v0/login`, {
        method: 'DELETE',
        headers: headersOf(login),
      });
      const tried = triedOf(reply);
      // A request without response may have ended the login.
      if (reply?.status !== 204 && tried === 'accepted' && !(isRepeated && reply?.status === 401))
        this.faults.push(`signing out was answered with ${reply?.status}: ${reply?.body.toString()}`);
      isRepeated = true;
      return tried;
    }, deadline);
    this.ended.push(login);
    if (this.ended.length > MAX_ENDED) this.ended.shift();
  }

  /** Notes a fault if the server responds to a login in another way; no response and 503 are none. */
  private async expectStatus(login: Login, status: number, what: string): Promise<void> {
    const reply = await send(`${this.options.url}/v0/login`, { headers: headersOf(login) });
    if (reply !== null && triedOf(reply) === 'accepted' && reply.status !== status)
      this.faults.push(`${what} was answered with ${reply.status}: ${reply.body.toString().slice(0, 200)}`);
  }
}

const headersOf = ({ cookie, csrf }: Login): Record<string, string> => ({ cookie, 'x-csrf': csrf });

function triedOf(reply: Reply | null): Tried {
  if (reply === null) return 'no response';
  return reply.status === 503 || reply.status === 429 ? 'unavailable' : 'accepted';
}

import type { Log } from '../runtime/log.ts';
import { startTicker, type Ticker } from '../runtime/ticker.ts';

/** Way to sign in. */
export type SignInMethod = 'password' | 'key' | 'link';
/** `failed`: wrong credentials; `limited`: not checked, after too many failures; `busy`: not checked, as too many wait. */
export type SignInOutcome = 'accepted' | 'failed' | 'limited' | 'busy';

/** The account or the API key that somebody tried to sign in with. */
export interface TriedAccount {
  type: 'user' | 'key';
  id: string;
  name: string;
}

export interface SignInEvent {
  method: SignInMethod;
  outcome: SignInOutcome;
  /** Address of the client. */
  address: string;
  /** Network of the address, by which events are counted. */
  network: string;
  requestId: string;
  /** Text that tells accounts apart; it is not logged, as it may name no account. */
  tried: string;
  /** Looks up the account; null if there is none. */
  findAccount: () => Promise<TriedAccount | null>;
}

/** An entry for the audit of the account. */
export interface AuditedSignIn {
  account: TriedAccount;
  action: string;
  detail: string;
  requestId: string;
}

interface Options {
  log: Log;
  /** Counts an event in a metric. */
  count: (method: SignInMethod, outcome: SignInOutcome) => void;
  audit: (entry: AuditedSignIn) => Promise<unknown>;
}

const TURN_MS = 10 * 60_000;
/** Lines and entries of all events in a turn, and entries of one account; further events are counted. */
const MAX_LINES = 100;
const MAX_OF_ACCOUNT = 5;
/** Most groups of like events that are counted apart in a turn. */
const MAX_GROUPS = 1_000;

const MESSAGES: Readonly<Record<SignInOutcome, string>> = {
  accepted: 'somebody signed in',
  failed: 'a sign-in failed: the credentials are wrong',
  limited: 'a sign-in was rejected without a check, after too many failures',
  busy: 'a sign-in was rejected without a check, because too many wait',
};

const ACTIONS: Readonly<Record<'failed' | 'limited', Readonly<Record<TriedAccount['type'], string>>>> = {
  failed: { user: 'signInFailed', key: 'signInWithKeyFailed' },
  limited: { user: 'signInLimited', key: 'signInWithKeyLimited' },
};

/** Like events of a turn: of one account, from one network. */
interface Group {
  event: SignInEvent;
  account: TriedAccount | null;
  /** Events after the first one. */
  more: number;
}

/**
 * Records who signed in, and who failed: the first event of each kind, account and network in ten minutes at once, and then
 * the number of those that followed. Failures are also entries in the audit of the account. Commands store the
 * entries of those who signed in.
 */
export class SignInLog {
  private readonly groups = new Map<string, Group>();
  private readonly entries = new Map<string, number>();
  private readonly options: Options;
  private readonly ticker: Ticker;
  private lines = 0;
  private uncounted = 0;

  constructor(options: Options) {
    this.options = options;
    this.ticker = startTicker(TURN_MS, () => this.endTurn());
  }

  async record(event: SignInEvent): Promise<void> {
    const { method, outcome, network, tried } = event;
    this.options.count(method, outcome);
    const name = `${method} ${outcome} ${tried} ${network}`;
    const group = this.groups.get(name);
    if (group) {
      group.more += 1;
      return;
    }
    if (this.groups.size >= MAX_GROUPS) {
      this.uncounted += 1;
      return;
    }
    const first: Group = { event, account: null, more: 0 };
    this.groups.set(name, first);
    if (this.lines >= MAX_LINES) {
      first.more = 1;
      return;
    }
    this.lines += 1;
    first.account = await event.findAccount().catch(() => null);
    this.write(first, MESSAGES[outcome], {});
    await this.audit(first, `from ${event.address}`);
  }

  /** Records the number of events that followed the first ones, and begins a new turn. */
  async endTurn(): Promise<void> {
    const groups = [...this.groups.values()].filter(({ more }) => more > 0);
    const uncounted = this.uncounted;
    this.groups.clear();
    this.entries.clear();
    this.lines = 0;
    this.uncounted = 0;
    for (const group of groups.slice(0, MAX_LINES)) {
      const { more, event } = group;
      this.write(group, 'further sign-ins', { attempts: more });
      await this.audit(group, `${more} more from ${event.network}`);
    }
    const rest = groups.slice(MAX_LINES).reduce((sum, { more }) => sum + more, uncounted);
    if (rest > 0) this.options.log.warn('further sign-ins of other senders', { attempts: rest });
  }

  async close(): Promise<void> {
    await this.ticker.stop();
    await this.endTurn();
  }

  private write({ event, account }: Group, message: string, more: object): void {
    const { method, outcome, address, requestId } = event;
    const level = outcome === 'accepted' ? 'info' : 'warn';
    const who = account === null ? null : `${account.type} ${account.id}`;
    this.options.log[level](message, { method, outcome, account: who, address, requestId, ...more });
  }

  private async audit({ event, account }: Group, detail: string): Promise<void> {
    const { outcome, requestId } = event;
    if (account === null || (outcome !== 'failed' && outcome !== 'limited')) return;
    const entries = (this.entries.get(account.id) ?? 0) + 1;
    if (entries > MAX_OF_ACCOUNT) return;
    this.entries.set(account.id, entries);
    const action = ACTIONS[outcome][account.type];
    try {
      await this.options.audit({ account, action, detail, requestId });
    } catch (error) {
      this.options.log.warn('a failed sign-in was not recorded in the audit', { error });
    }
  }
}

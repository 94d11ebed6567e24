import type { Log } from '../runtime/log.ts';
import { startTicker, type Ticker } from '../runtime/ticker.ts';

/** Credentials that are checked. The first three are sign-ins; the others precede a change or a choice of a password. */
export type CheckedBy = 'password' | 'key' | 'link' | 'ownPassword' | 'linkToken';
/** `failed`: wrong credentials; `limited`: not checked, after too many failures; `busy`: not checked, as too many wait. */
export type SignInOutcome = 'accepted' | 'failed' | 'limited' | 'busy';

/** The account or the API key that someone tried to sign in with. */
export interface TriedAccount {
  type: 'user' | 'key';
  id: string;
  name: string;
}

export interface SignInEvent {
  method: CheckedBy;
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
  count: (method: CheckedBy, outcome: SignInOutcome) => void;
  audit: (entry: AuditedSignIn) => Promise<unknown>;
}

const TURN_MS = 10 * 60_000;
/** Accounts of a turn. Each has one line at least for each outcome, whatever others try. */
const MAX_ACCOUNTS = 1_000;
/** Networks that are listed apart for one account and outcome, and entries of one account. */
const MAX_OF_ACCOUNT = 5;
/** Further lines of all accounts in a turn, and lines at its end. */
const MAX_LINES = 100;
/** Networks that are listed apart for attempts which name no account: anyone can make up any number of them. */
const MAX_STRANGERS = 20;
/** Attempts without a check whose account is looked up at one time; those that were checked cost more than that anyway. */
const MAX_LOOKUPS = 50;

const FAILURES: Readonly<Record<Exclude<SignInOutcome, 'accepted'>, string>> = {
  failed: 'failed: the credentials are wrong',
  limited: 'was rejected without a check, after too many failures',
  busy: 'was rejected without a check, because too many wait',
};

const ATTEMPTS: Readonly<Record<CheckedBy, string>> = {
  password: 'a sign-in',
  key: 'a sign-in',
  link: 'a sign-in',
  linkToken: 'the use of a link',
  ownPassword: 'a check of the current password',
};

/** Names of the entries in the audit. */
const ACTIONS: Readonly<Partial<Record<CheckedBy, string>>> = {
  password: 'signIn',
  key: 'signInWithKey',
  ownPassword: 'changePassword',
};

/** Reports whether credentials of this kind sign someone in. */
export const isSignIn = (method: CheckedBy): boolean => method !== 'ownPassword' && method !== 'linkToken';

/** Like events of a turn: of one account, or of none, from one network. */
interface Group {
  event: SignInEvent;
  account: TriedAccount | null;
  /** Null for further networks, which are counted together. */
  network: string | null;
  /** Events without a line of their own. */
  more: number;
}

/**
 * Records who signed in, and who failed: the first event of each kind, account and network in ten minutes at once, and then
 * the number of those that followed. Attempts that name no account are counted together, so that made-up ones take no
 * line from an account. Failures are also entries in the audit of the account. Commands store the entries of those who
 * signed in.
 */
export class SignInLog {
  private readonly groups = new Map<string, Group>();
  /** Networks by outcome and account. */
  private readonly networks = new Map<string, number>();
  private readonly entries = new Map<string, number>();
  private readonly options: Options;
  private readonly ticker: Ticker;
  private lines = 0;
  private lookups = 0;
  private uncounted = 0;

  constructor(options: Options) {
    this.options = options;
    this.ticker = startTicker(TURN_MS, () => this.endTurn());
  }

  async record(event: SignInEvent): Promise<void> {
    const { method, outcome, network, tried } = event;
    this.options.count(method, outcome);
    // Right credentials without a sign-in are followed by a change, which has an entry of its own.
    if (outcome === 'accepted' && !isSignIn(method)) return;
    const seen = this.groups.get(nameOf(event, tried, network));
    if (seen) {
      seen.more += 1;
      return;
    }
    const account = await this.find(event);
    const group = this.groupOf(event, account);
    if (!group) return;
    this.write(group, messageOf(event), {});
    await this.audit(group, `from ${event.address}`);
  }

  /** Records the number of events that followed the first ones, and begins a new turn. */
  async endTurn(): Promise<void> {
    const groups = [...this.groups.values()].filter(({ more }) => more > 0);
    // Groups of accounts come before those of made-up addresses, because only the first ones have a line.
    groups.sort((a, b) => Number(a.account === null) - Number(b.account === null));
    const uncounted = this.uncounted;
    this.groups.clear();
    this.networks.clear();
    this.entries.clear();
    this.lines = 0;
    this.uncounted = 0;
    for (const group of groups.slice(0, MAX_LINES)) {
      const { more, network } = group;
      this.write(group, isSignIn(group.event.method) ? 'further sign-ins' : 'further attempts', {
        attempts: more,
        ...(network === null && { address: 'of further networks' }),
      });
      await this.audit(group, `${more} more from ${network ?? 'further networks'}`);
    }
    const rest = groups.slice(MAX_LINES).reduce((sum, { more }) => sum + more, uncounted);
    if (rest > 0) this.options.log.warn('further sign-ins of other senders', { attempts: rest });
  }

  async close(): Promise<void> {
    await this.ticker.stop();
    await this.endTurn();
  }

  /** Looks up the account of an event; null if there is none, or while too many are looked up. */
  private async find({ outcome, findAccount }: SignInEvent): Promise<TriedAccount | null> {
    const isChecked = outcome === 'accepted' || outcome === 'failed';
    if (!isChecked && this.lookups >= MAX_LOOKUPS) return null;
    this.lookups += 1;
    try {
      return await findAccount();
    } catch {
      return null;
    } finally {
      this.lookups -= 1;
    }
  }

  /** Counts an event; returns its group if the event is to have a line. */
  private groupOf(event: SignInEvent, account: TriedAccount | null): Group | null {
    const who = account === null ? '' : event.tried;
    const of = nameOf(event, who, '');
    const networks = this.networks.get(of) ?? 0;
    const isApart = networks < (account === null ? MAX_STRANGERS : MAX_OF_ACCOUNT);
    const name = isApart ? nameOf(event, who, event.network) : of;
    const known = this.groups.get(name) ?? this.groups.get(nameOf(event, who, event.network));
    if (known) {
      known.more += 1;
      return null;
    }
    if (networks === 0 && account !== null && this.networks.size >= MAX_ACCOUNTS) {
      this.uncounted += 1;
      return null;
    }
    this.networks.set(of, networks + 1);
    // An account keeps its first line, and strangers have lines of their own.
    const hasLine = isApart && (networks === 0 || account === null || this.lines < MAX_LINES);
    if (hasLine && networks > 0 && account !== null) this.lines += 1;
    const group: Group = {
      event,
      account,
      network: isApart ? event.network : null,
      more: hasLine ? 0 : 1,
    };
    this.groups.set(name, group);
    return hasLine ? group : null;
  }

  private write({ event, account }: Group, message: string, more: object): void {
    const { method, outcome, address, requestId } = event;
    const level = outcome === 'accepted' ? 'info' : 'warn';
    const who = account === null ? null : `${account.type} ${account.id}`;
    this.options.log[level](message, { method, outcome, account: who, address, requestId, ...more });
  }

  private async audit({ event, account }: Group, detail: string): Promise<void> {
    const { method, outcome, requestId } = event;
    const action = ACTIONS[method];
    if (account === null || action === undefined || (outcome !== 'failed' && outcome !== 'limited')) return;
    const entries = (this.entries.get(account.id) ?? 0) + 1;
    if (entries > MAX_OF_ACCOUNT) return;
    this.entries.set(account.id, entries);
    const suffix = outcome === 'failed' ? 'Failed' : 'Limited';
    try {
      await this.options.audit({ account, action: `${action}${suffix}`, detail, requestId });
    } catch (error) {
      this.options.log.warn('a failed sign-in was not recorded in the audit', { error });
    }
  }
}

const nameOf = ({ method, outcome }: SignInEvent, who: string, network: string): string =>
  `${method} ${outcome} ${who} ${network}`;

const messageOf = ({ method, outcome }: SignInEvent): string =>
  outcome === 'accepted' ? 'someone signed in' : `${ATTEMPTS[method]} ${FAILURES[outcome]}`;

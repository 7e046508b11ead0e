import { readRefreshToken } from '../src/sessions/refresh-token';
import type { Command, Outcome, Pair } from './commands';
import { ttlSeconds } from './program-parts';

/** How long a turned token still gets its successor, in milliseconds (D19). */
const GRACE_MS = 10_000;

interface ModelAccount {
  password: string;
  isDisabled: boolean;
  isRemoved: boolean;
}

interface SignIn {
  readonly account: number;
  /** Of a session: its number, and when it was used last, by the store's clock. */
  readonly sessionId?: number;
  usedAt: number;
  isEnded: boolean;
}

interface Access {
  readonly signIn: number;
  readonly text: string;
  /** What the clock that people set showed. */
  readonly issuedAt: number;
  /** By the clock that nobody sets. */
  readonly bornAt: number;
}

interface Refresh {
  readonly signIn: number;
  readonly text: string;
  /** By the clock that nobody sets. */
  turnedAt?: number;
  successor?: string;
}

/** What ought to be: the promises of D17 to D19, put as plainly as they can be. */
export interface Model {
  counted: number;
  shown: number;
  /** The store's clock: follows what is shown, but never back. */
  store: number;
  readonly accounts: ModelAccount[];
  readonly signIns: SignIn[];
  readonly access: Access[];
  readonly refresh: Refresh[];
}

/** What a bearer of an access token is told. */
export type TokenState = 'stands' | 'refused' | 'disabled';

/** As the accounts begin, at the time that is given. */
export function beginning(shown: number, passwords: readonly string[]): Model {
  const accounts = passwords.map((password) => ({ password, isDisabled: false, isRemoved: false }));
  return { counted: 0, shown, store: shown, accounts, signIns: [], access: [], refresh: [] };
}

/** Lets time pass, or sets the clock: whatever is shown, the store's never goes back. */
export function moveTime(model: Model, passed: number, stepped: number): void {
  model.counted += passed;
  model.shown += passed + stepped;
  model.store = Math.max(model.store + passed, model.shown);
}

/** What the bearer of an access token ought to be told. */
export function stateOf(model: Model, text: string): TokenState {
  const token = model.access.find((each) => each.text === text);
  if (token === undefined || !isInForce(token, model)) return 'refused';
  const signIn = model.signIns[token.signIn];
  const account = model.accounts[signIn.account];
  if (account.isRemoved) return 'refused';
  if (account.isDisabled) return 'disabled';
  return signIn.isEnded ? 'refused' : 'stands';
}

/** Neither has it expired by the date, nor has its time passed; nor does it come from the future. */
function isInForce({ issuedAt, bornAt }: Access, { shown, counted }: Model): boolean {
  const life = ttlSeconds.access * 1000;
  return shown - issuedAt < life && shown - issuedAt >= -5_000 && counted - bornAt < life;
}

/** The numbers of the sessions that an account's owner ought to see. */
export function sessionsOf({ signIns, shown }: Model, account: number): number[] {
  return signIns
    .filter((each) => each.account === account && !each.isEnded && expiry(each) > shown)
    .flatMap(({ sessionId }) => sessionId ?? []);
}

function expiry({ usedAt }: SignIn): number {
  return usedAt + ttlSeconds.session * 1000;
}

/**
 * Says what a command leaves behind.
 *
 * @param before what was when the command began: of two at once, one may have been let in before the other was done
 * @returns `undefined` if such a command cannot have come out so
 */
export function after(model: Model, command: Command, outcome: Outcome, before = model): Model | undefined {
  const next = structuredClone(model);
  const isPossible = follow[command.do](next, command as never, outcome, before);
  return isPossible ? next : undefined;
}

type Follow = {
  readonly [Kind in Command['do']]: (
    next: Model,
    command: Extract<Command, { readonly do: Kind }>,
    outcome: Outcome,
    before: Model,
  ) => boolean;
};

const follow: Follow = {
  'sign in'(next, { account, password, keeps }, outcome) {
    const { isRemoved, isDisabled, password: right } = next.accounts[account];
    if (isRemoved || password !== right) return outcome === 'none';
    if (isDisabled) return outcome === 'disabled';
    if (typeof outcome !== 'object') return false;
    const sessionId = outcome.refresh === undefined ? undefined : sessionIdOf(outcome.refresh);
    const signIn = next.signIns.push({ account, sessionId, usedAt: next.store, isEnded: false }) - 1;
    receive(next, signIn, outcome);
    return keeps === (outcome.refresh !== undefined);
  },

  refresh(next, { text }, outcome) {
    const token = next.refresh.find((each) => each.text === text);
    const signIn = token && next.signIns[token.signIn];
    if (token === undefined || signIn === undefined || signIn.isEnded || expiry(signIn) <= next.store)
      return outcome === 'none';
    if (token.turnedAt === undefined) return turn(next, token, signIn, outcome);
    const successor = next.refresh.find((each) => each.text === token.successor);
    const isNewest = successor !== undefined && successor.turnedAt === undefined;
    if (isNewest && next.counted - token.turnedAt <= GRACE_MS) return again(next, token, outcome);
    signIn.isEnded = true;
    return outcome === 'none';
  },

  'log out'(next, { by }, outcome, before) {
    if (typeof outcome === 'string' && outcome !== 'done') return outcome === stateOf(next, by);
    signInOf(next, by).isEnded = true;
    return stateOf(before, by) === 'stands';
  },

  'end one'(next, { by, sessionId }, outcome, before) {
    if (outcome === 'refused' || outcome === 'disabled') return outcome === stateOf(next, by);
    const { account } = signInOf(next, by);
    return stateOf(before, by) === 'stands' && endOne(next, account, sessionId, outcome);
  },

  'change the password'(next, { by, password }, outcome) {
    const state = stateOf(next, by);
    if (state !== 'stands') return outcome === state;
    const own = signInOf(next, by);
    next.accounts[own.account].password = password;
    endAll(next, own.account, own);
    return outcome === 'done';
  },

  'end one by hand': (next, { account, sessionId }, outcome) => endOne(next, account, sessionId, outcome),

  'end all by hand'(next, { account }, outcome) {
    if (next.accounts[account].isRemoved) return outcome === 'none';
    endAll(next, account);
    return outcome === 'done';
  },

  disable(next, { account }, outcome) {
    if (next.accounts[account].isRemoved) return outcome === 'none';
    next.accounts[account].isDisabled = true;
    endAll(next, account);
    return outcome === 'done';
  },

  enable(next, { account }, outcome) {
    if (next.accounts[account].isRemoved) return outcome === 'none';
    next.accounts[account].isDisabled = false;
    return outcome === 'done';
  },

  remove(next, { account }, outcome) {
    if (next.accounts[account].isRemoved) return outcome === 'none';
    next.accounts[account].isRemoved = true;
    endAll(next, account);
    return outcome === 'done';
  },
};

/** The one successor, which nobody has seen before. */
function turn(next: Model, token: Refresh, signIn: SignIn, outcome: Outcome): boolean {
  if (typeof outcome !== 'object' || outcome.refresh === undefined) return false;
  const isNew = next.refresh.every(({ text }) => text !== outcome.refresh);
  Object.assign(token, { turnedAt: next.counted, successor: outcome.refresh });
  signIn.usedAt = next.store;
  receive(next, token.signIn, outcome);
  return isNew;
}

/** The same successor, with another access token. */
function again(next: Model, { signIn, successor }: Refresh, outcome: Outcome): boolean {
  if (typeof outcome !== 'object') return false;
  receive(next, signIn, { access: outcome.access });
  return outcome.refresh === successor;
}

function receive(next: Model, signIn: number, { access, refresh }: Pair): void {
  next.access.push({ signIn, text: access, issuedAt: next.shown, bornAt: next.counted });
  if (refresh !== undefined) next.refresh.push({ signIn, text: refresh });
}

function endOne(next: Model, account: number, sessionId: number, outcome: Outcome): boolean {
  const found = next.signIns.find(
    (each) => each.account === account && each.sessionId === sessionId && !each.isEnded,
  );
  if (found) found.isEnded = true;
  return outcome === (found ? 'done' : 'none');
}

function endAll({ signIns }: Model, account: number, kept?: SignIn): void {
  for (const each of signIns) if (each.account === account && each !== kept) each.isEnded = true;
}

function signInOf({ access, signIns }: Model, text: string): SignIn {
  const token = access.find((each) => each.text === text);
  if (token === undefined) throw new TypeError('a command is done with a token that was given out');
  return signIns[token.signIn];
}

/** The number that a refresh token carries. */
export function sessionIdOf(text: string): number {
  return readRefreshToken(text)?.sessionId ?? 0;
}

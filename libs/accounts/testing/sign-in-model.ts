import { parseRefreshToken } from '../src/sessions/refresh-token';
import type { Command, Outcome, Pair } from './commands';
import { ttlSeconds } from './instance';

/** Grace period of a rotated token (D19). */
const GRACE_MS = 10_000;

interface ModelAccount {
  password: string;
  isDisabled: boolean;
  isRemoved: boolean;
}

interface SignIn {
  readonly account: number;
  /** Only of a session. */
  readonly sessionId?: number;
  /** By the clock of the store. */
  readonly openedAt: number;
  usedAt: number;
  isEnded: boolean;
}

interface Access {
  readonly signIn: number;
  readonly text: string;
  /** By the system clock. */
  readonly issuedAt: number;
  /** By the monotonic clock. */
  readonly createdAt: number;
}

interface Refresh {
  readonly signIn: number;
  readonly text: string;
  /** By the monotonic clock. */
  rotatedAt?: number;
  successor?: string;
}

/** The expected state, by D17 to D19. */
export interface Model {
  monotonic: number;
  wall: number;
  /** The clock of the store: follows the system clock, but never back. */
  store: number;
  readonly accounts: ModelAccount[];
  readonly signIns: SignIn[];
  readonly access: Access[];
  readonly refresh: Refresh[];
}

/** The expected check of an access token. */
export type TokenState = 'valid' | 'refused' | 'disabled';

/** The initial state. */
export function initialModel(wall: number, passwords: readonly string[]): Model {
  const accounts = passwords.map((password) => ({ password, isDisabled: false, isRemoved: false }));
  return { monotonic: 0, wall, store: wall, accounts, signIns: [], access: [], refresh: [] };
}

/** Advances all clocks, and sets the system clock. */
export function moveTime(model: Model, passed: number, stepped: number): void {
  model.monotonic += passed;
  model.wall += passed + stepped;
  model.store = Math.max(model.store + passed, model.wall);
}

/** The expected check of an access token. */
export function stateOf(model: Model, text: string): TokenState {
  const token = model.access.find((each) => each.text === text);
  if (token === undefined || !isValidAt(token, model)) return 'refused';
  const signIn = model.signIns[token.signIn];
  const account = model.accounts[signIn.account];
  if (account.isRemoved) return 'refused';
  if (account.isDisabled) return 'disabled';
  return signIn.isEnded ? 'refused' : 'valid';
}

/** Neither expired by date or age, nor issued in the future. */
function isValidAt({ issuedAt, createdAt }: Access, { wall, monotonic }: Model): boolean {
  const lifetime = ttlSeconds.access * 1000;
  return wall - issuedAt < lifetime && wall - issuedAt >= -5_000 && monotonic - createdAt < lifetime;
}

/** The expected session ids of an account. */
export function sessionsOf({ signIns, wall }: Model, account: number): number[] {
  return signIns
    .filter((each) => each.account === account && !each.isEnded && expiry(each) > wall)
    .flatMap(({ sessionId }) => sessionId ?? []);
}

function expiry({ openedAt, usedAt }: SignIn): number {
  return Math.min(usedAt + ttlSeconds.session * 1000, openedAt + ttlSeconds.total * 1000);
}

/**
 * The expected state after a command.
 *
 * @param before the state when the command started; with two concurrent commands, the guard may have checked it then
 * @returns `undefined` if the outcome is not permitted
 */
export function after(model: Model, command: Command, outcome: Outcome, before = model): Model | undefined {
  const next = structuredClone(model);
  const isPermitted = transitions[command.do](next, command as never, outcome, before);
  return isPermitted ? next : undefined;
}

type Transitions = {
  readonly [Kind in Command['do']]: (
    next: Model,
    command: Extract<Command, { readonly do: Kind }>,
    outcome: Outcome,
    before: Model,
  ) => boolean;
};

const transitions: Transitions = {
  'sign in'(next, { account, password, withSession }, outcome) {
    const { isRemoved, isDisabled, password: right } = next.accounts[account];
    if (isRemoved || password !== right) return outcome === 'none';
    if (isDisabled) return outcome === 'disabled';
    if (typeof outcome !== 'object') return false;
    const sessionId = outcome.refresh === undefined ? undefined : sessionIdOf(outcome.refresh);
    const openedAt = next.store;
    const signIn = next.signIns.push({ account, sessionId, openedAt, usedAt: openedAt, isEnded: false }) - 1;
    receive(next, signIn, outcome);
    return withSession === (outcome.refresh !== undefined);
  },

  refresh(next, { text }, outcome) {
    const token = next.refresh.find((each) => each.text === text);
    const signIn = token && next.signIns[token.signIn];
    if (token === undefined || signIn === undefined || signIn.isEnded || expiry(signIn) <= next.store)
      return outcome === 'none';
    if (token.rotatedAt === undefined) return rotate(next, token, signIn, outcome);
    const successor = next.refresh.find((each) => each.text === token.successor);
    const isNewest = successor !== undefined && successor.rotatedAt === undefined;
    if (isNewest && next.monotonic - token.rotatedAt <= GRACE_MS) return repeat(next, token, outcome);
    signIn.isEnded = true;
    return outcome === 'none';
  },

  'log out'(next, { by }, outcome, before) {
    if (typeof outcome === 'string' && outcome !== 'done') return outcome === stateOf(next, by);
    signInOf(next, by).isEnded = true;
    return stateOf(before, by) === 'valid';
  },

  'end one'(next, { by, sessionId }, outcome, before) {
    if (outcome === 'refused' || outcome === 'disabled') return outcome === stateOf(next, by);
    const { account } = signInOf(next, by);
    return stateOf(before, by) === 'valid' && endOne(next, account, sessionId, outcome);
  },

  'change the password'(next, { by, password }, outcome) {
    const state = stateOf(next, by);
    if (state !== 'valid') return outcome === state;
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

/** Issues a new successor. */
function rotate(next: Model, token: Refresh, signIn: SignIn, outcome: Outcome): boolean {
  if (typeof outcome !== 'object' || outcome.refresh === undefined) return false;
  const isNew = next.refresh.every(({ text }) => text !== outcome.refresh);
  Object.assign(token, { rotatedAt: next.monotonic, successor: outcome.refresh });
  signIn.usedAt = next.store;
  receive(next, token.signIn, outcome);
  return isNew;
}

/** Returns the same successor, with another access token. */
function repeat(next: Model, { signIn, successor }: Refresh, outcome: Outcome): boolean {
  if (typeof outcome !== 'object') return false;
  receive(next, signIn, { access: outcome.access });
  return outcome.refresh === successor;
}

function receive(next: Model, signIn: number, { access, refresh }: Pair): void {
  next.access.push({ signIn, text: access, issuedAt: next.wall, createdAt: next.monotonic });
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
  if (token === undefined) throw new TypeError('a command uses an issued token');
  return signIns[token.signIn];
}

/** The session id in a refresh token. */
export function sessionIdOf(text: string): number {
  return parseRefreshToken(text)?.sessionId ?? 0;
}

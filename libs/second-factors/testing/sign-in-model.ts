import { parseRefreshToken, ttlSeconds } from '@app/accounts/testing';

interface ModelAccount {
  /** The e-mail at sign-up. Later e-mails end with it. */
  readonly home: string;
  email: string;
  emailChangedAt?: number;
  /** The link that works. */
  reset?: string;
  password: string;
  totp?: Totp;
  isDisabled: boolean;
  isRemoved: boolean;
}

/** An authenticator application. */
interface Totp {
  readonly secret: string;
  /** The last used step. Codes up to this step are rejected. */
  lastStep: number;
  /** A step with a code that a meanwhile revoked sign-in may have used. */
  uncertainStep?: number;
}

/** The token of a sign-in that requires a second factor. */
interface PendingToken {
  readonly account: number;
  readonly text: string;
  readonly expiresAt: number;
  isEnded: boolean;
  /** Whether the sign-in may have begun before an enrolment, which then has ended it. */
  isUncertain: boolean;
}

/** A sign-in, with or without a session. */
export interface SignIn {
  readonly account: number;
  /** The session id, for sign-ins with a session. */
  readonly sessionId?: number;
  readonly openedAt: number;
  usedAt: number;
  isEnded: boolean;
}

interface Access {
  readonly signIn: number;
  readonly text: string;
  /** The token's claim. */
  readonly email: string;
  readonly issuedAt: number;
}

/** A refresh token. */
export interface Refresh {
  readonly signIn: number;
  readonly text: string;
  rotatedAt?: number;
  successor?: string;
}

interface Reset {
  readonly account: number;
  readonly text: string;
  readonly expiresAt: number;
}

interface Key {
  readonly account: number;
  readonly text: string;
  readonly id: number;
  readonly expiresAt: number;
  isEnded: boolean;
}

/** The expected state, by D17 to D19 and D30. */
export interface Model {
  now: number;
  readonly accounts: ModelAccount[];
  readonly signIns: SignIn[];
  readonly access: Access[];
  readonly refresh: Refresh[];
  readonly resets: Reset[];
  readonly keys: Key[];
  readonly pending: PendingToken[];
}

/** The expected check of an access token. */
export type TokenState = 'valid' | 'refused' | 'disabled';

/** The initial state. */
export function initialModel(
  now: number,
  people: readonly { readonly email: string; readonly password: string }[],
): Model {
  const accounts = people.map(({ email, password }) => {
    return { home: email, email, password, isDisabled: false, isRemoved: false };
  });
  const issued = { signIns: [], access: [], refresh: [], resets: [], keys: [], pending: [] };
  return { now, accounts, ...issued };
}

/** Advances the clock. */
export function moveTime(model: Model, passed: number): void {
  model.now += passed;
}

/** The expected check of an access token. */
export function stateOf(model: Model, text: string): TokenState {
  const token = model.access.find((each) => each.text === text);
  if (token === undefined || !isValidAt(token, model)) return 'refused';
  const signIn = model.signIns[token.signIn];
  const account = model.accounts[signIn.account];
  if (account.isRemoved || !hadEmail(account, token)) return 'refused';
  if (account.isDisabled) return 'disabled';
  return signIn.isEnded ? 'refused' : 'valid';
}

/** Returns whether a token has a possible e-mail. A token issued before the last e-mail change may have a previous e-mail. */
function hadEmail({ email, emailChangedAt }: ModelAccount, token: Access): boolean {
  const issuedAt = Math.floor(token.issuedAt / 1000) * 1000;
  return token.email === email || (emailChangedAt !== undefined && issuedAt <= emailChangedAt);
}

/** The expected check of an API key. */
export function keyStateOf(model: Model, text: string): TokenState {
  const key = model.keys.find((each) => each.text === text);
  return key === undefined || key.isEnded || key.expiresAt <= model.now ? 'refused' : 'valid';
}

/** An access token's account. */
export function ownerOf(model: Model, { text }: Access): ModelAccount {
  return model.accounts[signInOf(model, text).account];
}

/** Returns whether a token is unexpired. */
function isValidAt({ issuedAt }: Access, { now }: Model): boolean {
  return now - issuedAt < ttlSeconds.access * 1000;
}

/** The expected session ids of an account. */
export function sessionsOf({ signIns, now }: Model, account: number): number[] {
  return signIns
    .filter((each) => each.account === account && !each.isEnded && expiry(each) > now)
    .flatMap(({ sessionId }) => sessionId ?? []);
}

/** Returns when a session expires. */
export function expiry({ openedAt, usedAt }: SignIn): number {
  return Math.min(usedAt + ttlSeconds.session * 1000, openedAt + ttlSeconds.total * 1000);
}

/** An access token's sign-in. */
export function signInOf({ access, signIns }: Model, text: string): SignIn {
  const token = access.find((each) => each.text === text);
  if (token === undefined) throw new TypeError('a command uses an issued token');
  return signIns[token.signIn];
}

/** Returns the current time step for authenticator application codes. */
export function totpStep({ now }: Model): number {
  return Math.floor(now / 30_000);
}

/** The session id in a refresh token. */
export function sessionIdOf(text: string): number {
  return parseRefreshToken(text)?.sessionId ?? 0;
}

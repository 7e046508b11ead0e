import {
  AccountDisabledError,
  InvalidResetTokenError,
  MfaRequiredError,
  type SignedInUser,
} from '@app/accounts';
import { actorOf, callerOf } from '@app/accounts/testing';
import { UnauthenticatedError } from '@app/auth';
import { UnknownOutcomeError } from '@app/persistence';
import { generateSync } from 'otplib/functional';
import { InvalidTotpCodeError, TotpEnrolledError, TotpNotEnrolledError } from '../src/totp/errors';
import type { Instance } from './instance';

/** The tokens of a sign-in or a refresh. */
export interface Pair {
  readonly access: string;
  readonly refresh?: string;
}

/** An API key's text, or a reset token. */
export interface Issued {
  readonly issued: string;
  /** The key's id. */
  readonly id: number;
}

/** The token of a sign-in that requires a second factor. */
export interface Pending {
  readonly pending: string;
}

/** The secret of a second factor. */
export interface Enrolled {
  readonly secret: string;
}

/** A session in the store, with tokens that were lost with a connection. */
export interface Opened {
  readonly opened: number;
}

/**
 * A command's outcome. `none` means that its arguments were rejected (401 or 404), `refused` that its caller was rejected, and
 * `mfa` that a sign-in lacks its second step. `unknown` means that the connection was lost at a commit and the store shows no
 * issued item.
 */
export type Outcome =
  'done' | 'none' | 'refused' | 'disabled' | 'mfa' | 'unknown' | Pair | Opened | Issued | Pending | Enrolled;

/** A command on an account; `by` is an access token. */
export type Command =
  | {
      readonly do: 'sign in';
      readonly account: number;
      readonly email: string;
      readonly password: string;
      /** Whether a session is opened. */
      readonly withSession: boolean;
    }
  | { readonly do: 'complete'; readonly token: string; readonly code: string; readonly isRight: boolean }
  | { readonly do: 'enrol' | 'end the factor'; readonly by: string }
  | { readonly do: 'refresh'; readonly text: string }
  | { readonly do: 'log out'; readonly by: string }
  | { readonly do: 'end one'; readonly by: string; readonly sessionId: number }
  | {
      readonly do: 'change the password';
      readonly by: string;
      readonly email: string;
      readonly password: string;
    }
  | { readonly do: 'change the e-mail'; readonly by: string; readonly email: string }
  | { readonly do: 'ask for a reset'; readonly email: string }
  | { readonly do: 'complete a reset'; readonly token: string; readonly password: string }
  | { readonly do: 'make a key'; readonly by: string; readonly expiresInDays?: number }
  | { readonly do: 'end a key'; readonly by: string; readonly keyId: number }
  | { readonly do: 'end one by hand'; readonly account: number; readonly sessionId: number }
  | { readonly do: 'end all by hand' | 'disable' | 'enable' | 'remove'; readonly account: number };

/** A stored account. */
export interface Person {
  readonly id: number;
  /** The e-mail at sign-up. */
  readonly email: string;
}

const ip = '192.0.2.7';

/** Runs a command in an instance. */
export async function perform(
  program: Instance,
  people: readonly Person[],
  command: Command,
): Promise<Outcome> {
  try {
    return await handlers[command.do](program, command as never, people);
  } catch (error) {
    if (error instanceof AccountDisabledError) return 'disabled';
    if (error instanceof UnauthenticatedError) return 'refused';
    if (error instanceof MfaRequiredError) return 'mfa';
    if (error instanceof UnknownOutcomeError) return 'unknown';
    if (rejections.some((type) => error instanceof type)) return 'none';
    throw error;
  }
}

const rejections = [InvalidResetTokenError, InvalidTotpCodeError, TotpEnrolledError, TotpNotEnrolledError];

type Handlers = {
  readonly [Kind in Command['do']]: (
    program: Instance,
    command: Extract<Command, { readonly do: Kind }>,
    people: readonly Person[],
  ) => Promise<Outcome>;
};

const handlers: Handlers = {
  'sign in': (program, command, people) => orOpened(program, people, () => signIn(program, command)),
  complete: (program, { token: mfaToken, code }, people) =>
    orOpened(program, people, () =>
      program.sessionSignIn.complete(mfaToken, { kind: 'totp', proof: { code } }, { ip }).then(pairOf),
    ),
  enrol,
  'end the factor': (program, { by }) =>
    asCaller(program, by, (caller) => program.enrolments.end(caller, 'totp', ip)),
  refresh: ({ sessionSignIn }, { text }) => sessionSignIn.refresh(text, ip).then(pairOf),
  'log out': (program, { by }) =>
    asCaller(program, by, (caller) => program.sessions.logout(caller, ip).then(() => true)),
  'end one': (program, { by, sessionId }) =>
    asCaller(program, by, ({ userId }) => program.sessions.revoke(userId, sessionId)),
  'change the password': (program, { by, email, password }) =>
    asCaller(program, by, (caller) => change(program, caller, { email, password })),
  'change the e-mail': (program, { by, email }) =>
    asCaller(program, by, (caller) => change(program, caller, { email })),
  'ask for a reset': askForReset,
  'complete a reset': ({ resetCompletion }, { token, password }) =>
    resetCompletion.complete(token, password, ip).then(() => 'done'),
  'make a key': makeKey,
  'end a key': (program, { by, keyId }) =>
    asCaller(program, by, ({ userId }) => program.keys.revoke(userId, keyId)),
  'end one by hand': ({ sessions }, { account, sessionId }, people) =>
    sessions.revoke(people[account].id, sessionId).then(doneIf),
  'end all by hand': ({ sessions }, { account }, people) =>
    sessions.revokeAll(people[account].id).then((keys) => doneIf(keys !== undefined)),
  disable: (program, { account }, people) => setDisabled(program, people[account].id, true),
  enable: (program, { account }, people) => setDisabled(program, people[account].id, false),
  remove: ({ administration }, { account }, people) => administration.remove(people[account].id).then(doneIf),
};

async function setDisabled({ administration }: Instance, id: number, disabled: boolean): Promise<Outcome> {
  return doneIf((await administration.change(id, { disabled })) !== undefined);
}

/** Returns an outcome. If the connection lost it, the store's content decides. */
async function orFound(run: () => Promise<Outcome>, find: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof UnknownOutcomeError) return find();
    throw error;
  }
}

async function orOpened(
  { sessionsStore }: Instance,
  people: readonly Person[],
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  const list = async () => {
    const lists = people.map(({ id }) => sessionsStore.list(id, { limit: 100, offset: 0 }));
    return (await Promise.all(lists)).flat().map(({ id }) => id);
  };
  const before = await list();
  return orFound(run, async () => {
    const opened = (await list()).find((id) => !before.includes(id));
    return opened === undefined ? 'unknown' : { opened };
  });
}

async function signIn(
  program: Instance,
  { email, password, withSession }: Extract<Command, { readonly do: 'sign in' }>,
): Promise<Outcome> {
  if (withSession) {
    const begun = await program.beginSession(email, password, { ip });
    return begun && 'mfaToken' in begun ? { pending: begun.mfaToken } : pairOf(begun);
  }
  const access = await program.signIn.login(email, password, { ip });
  return access === undefined ? 'none' : { access };
}

async function enrol(
  program: Instance,
  { by }: Extract<Command, { readonly do: 'enrol' | 'end the factor' }>,
): Promise<Outcome> {
  const caller = await callerOf(program, by);
  if (caller === undefined) return 'refused';
  const { secret } = await program.totp.begin(caller);
  const confirm = () => program.totp.confirm(caller, totpCode(secret), ip).then(() => ({ secret }));
  return orFound(confirm, async () => {
    const factors = await program.enrolments.list(caller.userId);
    return factors.some(({ kind }) => kind === 'totp') ? { secret } : 'unknown';
  });
}

/** Returns the code that an authenticator application shows now. */
export function totpCode(secret: string, now = Date.now()): string {
  return generateSync({ secret, epoch: Math.floor(now / 1000) });
}

async function change(
  { accounts }: Instance,
  caller: SignedInUser,
  credentials: { readonly email: string; readonly password?: string },
): Promise<boolean> {
  return (await accounts.change(caller.userId, credentials, actorOf(caller))) !== undefined;
}

/** @returns the token in the added mail; `none` if there is no mail */
async function askForReset(
  { resets, accountsStore, outbox }: Instance,
  { email }: Extract<Command, { readonly do: 'ask for a reset' }>,
): Promise<Outcome> {
  const account = await accountsStore.findByEmail(email);
  const mailIds = async () => {
    const mails = await outbox.listAbout(account?.id ?? 0, { limit: 100, offset: 0 });
    return mails.filter(({ kind }) => kind === 'password-reset').map(({ id }) => id);
  };
  // Those of two programs are in no order while the clock is set.
  const before = await mailIds();
  const tokenOr = async (otherwise: Outcome): Promise<Outcome> => {
    const added = (await mailIds()).find((id) => !before.includes(id));
    const [mail] = added === undefined ? [] : await outbox.listSince(added - 1);
    const token = mail?.text?.link?.split('#token=')[1];
    return token === undefined ? otherwise : { issued: token, id: 0 };
  };
  return orFound(
    () => resets.request(email, ip).then(() => tokenOr('none')),
    () => tokenOr('unknown'),
  );
}

async function makeKey(
  program: Instance,
  { by, expiresInDays }: Extract<Command, { readonly do: 'make a key' }>,
): Promise<Outcome> {
  const caller = await callerOf(program, by);
  if (caller === undefined) return 'refused';
  const { row, key } = await program.keys.create(caller, { name: 'a key', expiresInDays }, ip);
  return { issued: key, id: row.id };
}

/** Authenticates first, as the guard does. */
async function asCaller(
  program: Instance,
  token: string,
  work: (caller: SignedInUser) => Promise<boolean>,
): Promise<Outcome> {
  const caller = await callerOf(program, token);
  return caller === undefined ? 'refused' : doneIf(await work(caller));
}

function pairOf(pair: { readonly accessToken: string; readonly refreshToken: string } | undefined): Outcome {
  return pair === undefined ? 'none' : { access: pair.accessToken, refresh: pair.refreshToken };
}

function doneIf(isDone: boolean): Outcome {
  return isDone ? 'done' : 'none';
}

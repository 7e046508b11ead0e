import { UnauthenticatedError } from '@app/auth';
import { AccountDisabledError } from '../src/errors';
import type { SignedInUser } from '../src/access-check';
import type { Instance } from './instance';

/** The tokens of a sign-in or a refresh. */
export interface Pair {
  readonly access: string;
  readonly refresh?: string;
}

/** The outcome of a command: `none` rejects its arguments (401 or 404), `refused` its caller. */
export type Outcome = 'done' | 'none' | 'refused' | 'disabled' | Pair;

/** A command on an account; `by` is an access token. */
export type Command =
  | {
      readonly do: 'sign in';
      readonly account: number;
      readonly password: string;
      /** Whether a session is opened. */
      readonly withSession: boolean;
    }
  | { readonly do: 'refresh'; readonly text: string }
  | { readonly do: 'log out'; readonly by: string }
  | { readonly do: 'end one'; readonly by: string; readonly sessionId: number }
  | { readonly do: 'change the password'; readonly by: string; readonly password: string }
  | { readonly do: 'end one by hand'; readonly account: number; readonly sessionId: number }
  | { readonly do: 'end all by hand' | 'disable' | 'enable' | 'remove'; readonly account: number };

/** A stored account. */
export interface Person {
  readonly id: number;
  readonly email: string;
}

const ip = '192.0.2.7';

/** Runs a command in one instance. */
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
    throw error;
  }
}

type Handlers = {
  readonly [Kind in Command['do']]: (
    program: Instance,
    command: Extract<Command, { readonly do: Kind }>,
    people: readonly Person[],
  ) => Promise<Outcome>;
};

const handlers: Handlers = {
  'sign in': (program, command, people) => signIn(program, people[command.account].email, command),
  refresh: ({ sessionSignIn }, { text }) => sessionSignIn.refresh(text, ip).then(pairOf),
  'log out': (program, { by }) =>
    asCaller(program, by, (caller) => program.sessions.logout(caller, ip).then(() => true)),
  'end one': (program, { by, sessionId }) =>
    asCaller(program, by, ({ userId }) => program.sessions.end(userId, sessionId)),
  'change the password': (program, { by, password }, people) =>
    asCaller(program, by, async (caller) => {
      const { id, email } = people.find((each) => each.id === caller.userId) ?? people[0];
      return (await program.accounts.change(id, { email, password }, caller)) !== undefined;
    }),
  'end one by hand': ({ sessions }, { account, sessionId }, people) =>
    sessions.end(people[account].id, sessionId).then(doneIf),
  'end all by hand': ({ sessions }, { account }, people) =>
    sessions.endAll(people[account].id).then((keys) => doneIf(keys !== undefined)),
  disable: (program, { account }, people) => setDisabled(program, people[account].id, true),
  enable: (program, { account }, people) => setDisabled(program, people[account].id, false),
  remove: ({ administration }, { account }, people) => administration.remove(people[account].id).then(doneIf),
};

async function setDisabled({ administration }: Instance, id: number, disabled: boolean): Promise<Outcome> {
  return doneIf((await administration.change(id, { disabled })) !== undefined);
}

async function signIn(
  { signIn: plain, sessionSignIn }: Instance,
  email: string,
  { password, withSession }: Extract<Command, { readonly do: 'sign in' }>,
): Promise<Outcome> {
  if (withSession) return pairOf(await sessionSignIn.open(email, password, ip));
  const access = await plain.login(email, password, ip);
  return access === undefined ? 'none' : { access };
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

/** @throws AccountDisabledError */
export async function callerOf(
  { access, tokens }: Instance,
  token: string,
): Promise<SignedInUser | undefined> {
  const claims = tokens.verify(token);
  return claims && access.callerOf(claims);
}

function pairOf(pair: { readonly accessToken: string; readonly refreshToken: string } | undefined): Outcome {
  return pair === undefined ? 'none' : { access: pair.accessToken, refresh: pair.refreshToken };
}

function doneIf(isDone: boolean): Outcome {
  return isDone ? 'done' : 'none';
}

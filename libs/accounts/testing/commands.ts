import { UnauthenticatedError } from '@app/auth';
import { AccountDisabledError } from '../src/errors';
import type { SignedInUser } from '../src/accounts';
import type { ProgramParts } from './program-parts';

/** What somebody gets who signs in or refreshes. */
export interface Pair {
  readonly access: string;
  readonly refresh?: string;
}

/** What somebody is told: `none` is a 401 or a 404 of what was asked for, `refused` one of who asks. */
export type Outcome = 'done' | 'none' | 'refused' | 'disabled' | Pair;

/** Something that somebody does with an account; `by` is an access token. */
export type Command =
  | {
      readonly do: 'sign in';
      readonly account: number;
      readonly password: string;
      /** Whether it is a session that is opened, or a plain login. */
      readonly keeps: boolean;
    }
  | { readonly do: 'refresh'; readonly text: string }
  | { readonly do: 'log out'; readonly by: string }
  | { readonly do: 'end one'; readonly by: string; readonly sessionId: number }
  | { readonly do: 'change the password'; readonly by: string; readonly password: string }
  | { readonly do: 'end one by hand'; readonly account: number; readonly sessionId: number }
  | { readonly do: 'end all by hand' | 'disable' | 'enable' | 'remove'; readonly account: number };

/** An account as a program knows it. */
export interface Person {
  readonly id: number;
  readonly email: string;
}

const ip = '192.0.2.7';

/** Does a command in one program, and says what came of it. */
export async function perform(
  program: ProgramParts,
  people: readonly Person[],
  command: Command,
): Promise<Outcome> {
  try {
    return await ways[command.do](program, command as never, people);
  } catch (error) {
    if (error instanceof AccountDisabledError) return 'disabled';
    if (error instanceof UnauthenticatedError) return 'refused';
    throw error;
  }
}

type Ways = {
  readonly [Kind in Command['do']]: (
    program: ProgramParts,
    command: Extract<Command, { readonly do: Kind }>,
    people: readonly Person[],
  ) => Promise<Outcome>;
};

const ways: Ways = {
  'sign in': (program, command, people) => signIn(program, people[command.account].email, command),
  refresh: ({ sessions }, { text }) => sessions.refresh(text, ip).then(pairOf),
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
  'end all by hand': ({ sessions }, { account }, people) => sessions.endAll(people[account].id).then(doneIf),
  disable: (program, { account }, people) => setDisabled(program, people[account].id, true),
  enable: (program, { account }, people) => setDisabled(program, people[account].id, false),
  remove: ({ administration }, { account }, people) => administration.remove(people[account].id).then(doneIf),
};

async function setDisabled(
  { administration }: ProgramParts,
  id: number,
  disabled: boolean,
): Promise<Outcome> {
  return doneIf((await administration.change(id, { disabled })) !== undefined);
}

async function signIn(
  { accounts, sessions }: ProgramParts,
  email: string,
  { password, keeps }: Extract<Command, { readonly do: 'sign in' }>,
): Promise<Outcome> {
  if (keeps) return pairOf(await sessions.open(email, password, ip));
  const access = await accounts.signIn(email, password, ip);
  return access === undefined ? 'none' : { access };
}

/** As the guard does it: who does not stand is refused before anything is done. */
async function asCaller(
  program: ProgramParts,
  token: string,
  work: (caller: SignedInUser) => Promise<boolean>,
): Promise<Outcome> {
  const caller = await whoIs(program, token);
  return caller === undefined ? 'refused' : doneIf(await work(caller));
}

/** @throws AccountDisabledError */
export async function whoIs(
  { accounts, tokens }: ProgramParts,
  token: string,
): Promise<SignedInUser | undefined> {
  const claims = tokens.verify(token);
  return claims && accounts.whoIs(claims);
}

function pairOf(pair: { readonly accessToken: string; readonly refreshToken: string } | undefined): Outcome {
  return pair === undefined ? 'none' : { access: pair.accessToken, refresh: pair.refreshToken };
}

function doneIf(isDone: boolean): Outcome {
  return isDone ? 'done' : 'none';
}

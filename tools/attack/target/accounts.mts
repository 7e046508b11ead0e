import {
  takesBearer,
  membersOf,
  nameOf,
  type Operation,
  isPublic,
  isForAnyCaller,
  has,
} from '../openapi/openapi.mts';
import { Caller, findSignIn } from './callers.mts';
import { requestOf, validBody } from './requests.mts';
import { NotOffered, Unmade } from './results.mts';
import { nextSeed, type Target } from './target.mts';

const accountPath = /\/(?:users|accounts|members|profiles|customers)(?:\/(?:me|self|current|\{[^}]+\}))?$/;

/** The member of a body that names an account. */
export const nameMember = /^(?:user_?name|e-?mail|login)$/i;

/** Whether an operation has the path of the account list or a single account. */
export function isOfAccounts({ path }: Pick<Operation, 'path'>): boolean {
  return accountPath.test(path);
}

/** Finds the operation that makes an account. It is public, or reserved to callers who manage accounts. */
export function findSignUp(operations: readonly Operation[]): Operation | undefined {
  const signIn = findSignIn(operations)?.operation;
  const signUps = operations.filter(
    (operation) =>
      operation !== signIn &&
      operation.method === 'POST' &&
      (isPublic(operation) || (takesBearer(operation) && isOfAccounts(operation))) &&
      has(operation.body, /^pass/i) &&
      has(operation.body, nameMember) &&
      !/log-?in|sign-?in|session|token|reset|undo/i.test(operation.path),
  );
  return signUps.find(isPublic) ?? signUps[0];
}

/** Finds the operation with which a caller removes its own account, or an administrator removes any account. */
export function findRemoval(operations: readonly Operation[]): Operation | undefined {
  const candidates = operations.filter(
    (operation) =>
      operation.method === 'DELETE' &&
      takesBearer(operation) &&
      (isOfAccounts(operation) || /\/(?:me|account)$/.test(operation.path)),
  );
  return candidates.find(({ path }) => !path.includes('{')) ?? candidates[0];
}

/** The operation by which a caller changes his password. */
export function findPasswordChange(operations: readonly Operation[]): Operation | undefined {
  return operations.find(
    (operation) =>
      isForAnyCaller(operation) &&
      /^P(?:UT|ATCH|OST)$/.test(operation.method) &&
      has(operation.body, /pass(?:word|phrase)$/i) &&
      (isOfAccounts(operation) || /password/i.test(operation.path)),
  );
}

/** A body for {@link findPasswordChange}. */
export function passwordChange(operation: Operation, caller: Caller, password: string): unknown {
  const changed = membersOf(operation).flatMap((name) => {
    if (nameMember.test(name)) return [[name, caller.username]];
    if (/pass(?:word|phrase)$/i.test(name))
      return [[name, /current|old/i.test(name) ? caller.password : password]];
    return [];
  });
  return { ...Object(validBody(operation)), ...Object.fromEntries(changed) };
}

/** Parameters of a path that stand for an account, with the caller's own id. */
export function ownPath({ path }: Operation, caller: Caller): Record<string, string> {
  const [, name] = /\/(?:users|accounts|members|profiles|customers)\/\{([^}]+)\}/.exec(path) ?? [];
  return name === undefined || caller.id === undefined ? {} : { [name]: caller.id };
}

/**
 * Makes an account for a single check and signs it in.
 *
 * @param from the source address for the sign-up and the sign-ins
 * @throws NotOffered if the service has no sign-up operation
 * @throws Unmade if the service refuses
 */
export async function makeAccount(target: Target, from?: string): Promise<Caller> {
  const { operations, wire, signIn, callers } = target;
  const signUp = findSignUp(operations);
  if (!signUp || !signIn) throw new NotOffered('no route makes an account');
  const body: unknown = validBody(signUp);
  const seed = nextSeed();
  const password = `a password of the attack ${seed}`;
  const entries = Object.entries(Object(body)).map(([name, value]: [string, unknown]) => [
    name,
    /^pass/i.test(name) ? password : value,
  ]);
  const headers = signUp.security.length > 0 ? await callers.admin.headers() : {};
  const attempt = requestOf(signUp, { body: Object.fromEntries(entries), headers });
  const answer = attempt && (await wire.send({ ...attempt, from }));
  const name = entries.find(([member]) => nameMember.test(String(member)))?.[1];
  const why = `${nameOf(signUp)} made no account that can sign in`;
  if (answer === undefined || answer.status >= 300 || typeof name !== 'string')
    throw new Unmade(`${why}: it answered ${answer?.status ?? 'nothing'}`);
  const caller = new Caller(`account ${seed}`, `${name}:${password}`, signIn, wire, from);
  try {
    await caller.accessToken();
    return signUp.security.length > 0 ? await withOwnPassword(target, caller) : caller;
  } catch (error) {
    throw new Unmade(why, { cause: error });
  }
}

/** Changes the password of an account that an administrator made. Some services refuse every other request until then. */
async function withOwnPassword({ operations, wire, signIn }: Target, caller: Caller): Promise<Caller> {
  const change = findPasswordChange(operations);
  const password = `${caller.password} of its own`;
  const attempt =
    change &&
    requestOf(change, {
      path: ownPath(change, caller),
      body: passwordChange(change, caller, password),
      headers: await caller.headers(),
    });
  const answer = attempt && (await wire.send({ ...attempt, from: caller.from }));
  if (answer === undefined || answer.status >= 300) return caller;
  const owner = new Caller(caller.name, `${caller.username}:${password}`, signIn, wire, caller.from);
  await owner.accessToken();
  return owner;
}

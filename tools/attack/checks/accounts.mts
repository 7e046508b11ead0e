import { type Answer, type Attempt, jsonTo } from '../wire/exchange.mts';
import { isForAnyCaller, isPublic, membersOf, nameOf, type Operation } from '../openapi/openapi.mts';
import { atOnce } from '../target/at-once.mts';
import {
  findPasswordChange,
  findRemoval,
  isOfAccounts,
  makeAccount,
  ownPath,
  passwordChange,
  nameMember,
} from '../target/accounts.mts';
import { rotated } from '../target/addresses.mts';
import { refreshBy, type Caller } from '../target/callers.mts';
import { callerOf, requestOf } from '../target/requests.mts';
import { isNoServerError, type Findings } from '../target/results.mts';
import { check, type Check, nextSeed, type Target } from '../target/target.mts';
import { findMailedCodes } from '../ways/mailed-codes.mts';
import { enrolPasskey, passkeySignIn, signInOptions } from '../ways/passkeys.mts';
import { expectNoSignIn, expectOneSignIn } from '../ways/sign-ins.mts';

const area = 'accounts';

/** The number of accounts that the check removes in turn while each account sends requests. */
const removals = 8;
/** The number of passwords that the check tries for a single account from a single address. */
const guesses = 40;
/** The number of mails to a single account that the check requests from a single address. */
const resets = 150;
/** The number of requested mails that an account may receive. */
const maxMails = 20;

/** Checks that an account that is removed while its requests run gets refusals instead of a 500. */
const removed = check(area, 'an account removed while its requests run', async (target, findings) => {
  const { operations, wire } = target;
  const removal = findRemoval(operations);
  if (!removal) return findings.note('no route removes an account');
  const others = operations.filter((operation) => operation !== removal && mayUse(operation));
  for (let count = 0; count < removals; count += 1) {
    const account = await makeAccount(target);
    const headers = await account.headers();
    const attempts = others.flatMap(
      (operation) => requestOf(operation, { path: ownPath(operation, account), headers }) ?? [],
    );
    const remover = callerOf(removal, target) === target.callers.admin ? target.callers.admin : account;
    const end = requestOf(removal, { path: ownPath(removal, account), headers: await remover.headers() });
    if (!end) return findings.lack(`no request of ${nameOf(removal)} can be made`);
    const half = Math.ceil(attempts.length / 2);
    const sent = [...attempts.slice(half), end, ...attempts.slice(0, half), ...attempts.slice(half)];
    const answers = await Promise.all(sent.map((attempt) => wire.send(attempt)));
    const ended = answers[sent.indexOf(end)]?.status ?? 0;
    findings.expect(ended < 300, `${nameOf(removal)} answers ${ended} to the account itself`, end);
    for (const [at, attempt] of sent.entries()) {
      const status = answers[at]?.status ?? 0;
      const problem = `${nameOf(attempt)} answers ${status} while its account is removed`;
      findings.expect(isNoServerError(status), problem, attempt);
    }
  }
});

/** Selects operations that leave the account and its sessions intact. */
function mayUse(operation: Operation): boolean {
  return isForAnyCaller(operation) && !/log-?out|sign-?out|session/i.test(operation.path);
}

/** Checks that a password change ends the sessions that somebody else opened with the old password. */
const changedPassword = check(area, 'sessions after a changed password', async (target, findings) => {
  const change = findPasswordChange(target.operations);
  if (!change) return findings.note('no route changes a password');
  const owner = await makeAccount(target);
  const thief = await openedBy(target, owner);
  const body = passwordChange(change, owner, `a new password of the attack ${nextSeed()}`);
  const attempt = requestOf(change, { path: ownPath(change, owner), body, headers: await owner.headers() });
  const status = attempt && (await target.wire.send(attempt)).status;
  if (attempt === undefined || status === undefined || status >= 300)
    return findings.lack(`${nameOf(change)} changed no password: it answered ${status ?? 'nothing'}`);
  await expectEnded(target, thief, nameOf(change), attempt);
});

/** Checks that a password reset ends every session and that its link works once. */
const resetPassword = check(area, 'sessions after a reset password', async (target, findings) => {
  const { wire, mailsTo } = target;
  const { request, complete } = findResets(target.operations);
  if (!request || !complete || !mailsTo)
    return findings.note('needs routes that reset a password, and the mails of the service');
  const owner = await makeAccount(target);
  const thief = await openedBy(target, owner);
  await wire.send(requestFor(request, owner.username));
  const [token] = await mailsTo(owner.username);
  if (token === undefined) return findings.lack(`${nameOf(request)} sent no mail with a link`);
  const password = `a new password of the attack ${nextSeed()}`;
  const attempt = jsonTo(complete, { token, password });
  await findings.answers(attempt, (status) => status < 300, nameOf(complete), 'to the link of a mail');
  await expectEnded(target, thief, nameOf(complete), attempt);
  await findings.answers(attempt, (again) => again >= 400, nameOf(complete), 'to a used link');
  const old = await owner.signIn();
  findings.expect(old.status >= 400, `the old password is answered ${old.status} after a reset`);
});

/** Checks that the first reset by mail, which proves the e-mail, ends passkeys that somebody else may have enrolled. */
const resetPasskeys = check(area, 'passkeys after a reset password', async (target, findings) => {
  const { wire, mailsTo } = target;
  const { request, complete } = findResets(target.operations);
  if (!request || !complete || !mailsTo)
    return findings.note('needs routes that reset a password, and the mails of the service');
  await expectPasskeyEnds(target, async (username) => {
    await wire.send(requestFor(request, username));
    const [token] = await mailsTo(username);
    const password = `a new password of the attack ${nextSeed()}`;
    return jsonTo(complete, { token, password });
  });
});

/** Checks that the first mailed code ends passkeys in the same way. */
const codePasskeys = check(area, 'passkeys after a code by mail', async (target, findings) => {
  const codes = findMailedCodes(fromAnother(target));
  if (!codes) return findings.note('needs routes that mail a code, and the mails of the service');
  await expectPasskeyEnds(target, async (username) => {
    const nonce = await codes.ask(username);
    return codes.attempt(nonce, await codes.codeTo(username));
  });
});

/** Returns a target with a different first address, because earlier checks have used up its failed sign-ins. */
function fromAnother(target: Target): Target {
  return { ...target, addresses: rotated(target.addresses, 2) };
}

/** Expects that a passkey ends when `prove` sends the request with which the mailbox owner proves the e-mail. */
async function expectPasskeyEnds(
  attacked: Target,
  prove: (username: string) => Promise<Attempt>,
): Promise<void> {
  const target = fromAnother(attacked);
  const { wire, addresses, findings } = target;
  const { owner, routes, authenticator } = await enrolPasskey(target);
  const signIn = async () =>
    passkeySignIn(routes, authenticator.get(await signInOptions(target, routes)), addresses);
  await expectOneSignIn(findings, 'a passkey', [[wire, await signIn()]]);
  const proof = await prove(owner.username);
  await findings.answers(proof, (status) => status < 300, proof.path, 'to what a mail has');
  await expectNoSignIn(findings, 'a passkey from before the e-mail was proven', await signIn());
}

/** The session that somebody who knows the password of an account can open. */
interface Opened {
  readonly headers: { readonly authorization: string };
  readonly refreshToken: string | undefined;
}

async function openedBy({ refresh }: Target, owner: Caller): Promise<Opened> {
  const headers = await owner.anotherSignIn();
  return { headers, refreshToken: refresh && (await owner.openSession(refresh)).refreshToken };
}

async function expectEnded(
  { wire, operations, refresh, findings }: Target,
  { headers, refreshToken }: Opened,
  cause: string,
  shown: Attempt,
): Promise<void> {
  const read = operations.find(
    (operation) => operation.method === 'GET' && mayUse(operation) && !operation.path.includes('{'),
  );
  const attempts = [
    ...(read ? [{ method: 'GET', path: read.path, headers }] : []),
    ...(refresh && refreshToken !== undefined ? [refreshBy(refresh, refreshToken)] : []),
  ];
  for (const attempt of attempts) {
    const { status } = await wire.send(attempt);
    const problem = `${nameOf(attempt)} answers ${status} to another session after ${cause}`;
    findings.expect(status === 401, problem, shown);
  }
}

/** Checks that the service limits password guesses for an account from a single address. */
const guessedPasswords = check(area, 'guessed passwords', async (target, findings) => {
  const {
    signIn,
    callers,
    wire,
    addresses: [, , , from],
  } = target;
  if (!signIn || !callers.admin.canSignIn || from === undefined)
    return findings.note('needs a route to sign in, and two addresses');
  const guess = () => ({ ...callers.admin.signInAttempt({ password: `a guess ${nextSeed()}` }), from });
  await expectLimit(guesses, guess, 'guesses at the password of one account', { wire, findings });
});

/** Checks that the service limits the mails to an account that a single address may request. */
const requestedMails = check(area, 'requested mails', async (target, findings) => {
  const {
    operations,
    callers,
    wire,
    addresses: [, , , from],
    mailsTo,
  } = target;
  const { request } = findResets(operations);
  if (!request || !callers.other.canSignIn) return findings.note('no route sends a mail to whoever is named');
  const { username } = callers.other;
  const makeRequest = () => ({ ...requestFor(request, username), from });
  await expectLimit(resets, makeRequest, `requests of ${nameOf(request)} for one account`, {
    wire,
    findings,
  });
  if (!mailsTo) return;
  const { length } = await mailsTo(username);
  findings.note(`${length} mails`);
  findings.expect(
    length <= maxMails,
    `${nameOf(request)} has sent ${length} mails to one account`,
    makeRequest(),
  );
});

async function expectLimit(
  count: number,
  make: () => Attempt,
  title: string,
  { wire, findings }: { readonly wire: Target['wire']; readonly findings: Findings },
): Promise<void> {
  const answers: Answer[] = [];
  await atOnce(Array(count), async () => answers.push(await wire.send(make())));
  const isLimited = answers.some(({ status }) => [403, 423, 429].includes(status));
  const last = answers.at(-1)?.status;
  findings.expect(isLimited, `${count} ${title} from one address are answered, the last by ${last}`, make());
}

/** Checks that the private e-mail in an account stays hidden from callers without a token. */
const publicAccounts = check(area, 'accounts without a token', async (target, findings) => {
  const { operations, wire, callers } = target;
  const named = Object.values(callers).filter(({ canSignIn }) => canSignIn);
  const open = operations.filter(({ method, security }) => method === 'GET' && security.length === 0);
  for (const operation of open) {
    const isOne = isOfAccounts(operation) && operation.path.includes('{');
    for (const caller of isOne ? named : named.slice(0, 1)) {
      const attempt = requestOf(operation, { path: ownPath(operation, caller) });
      if (attempt === undefined) continue;
      const { text } = await wire.send(attempt);
      const shown = named.find(({ username }) => text.includes(username))?.username;
      findings.expect(!shown, `${nameOf(operation)} names ${shown} to callers without a token`, attempt);
    }
  }
  if (findings.cases === 0) findings.note('no route is public, or no account has a name');
});

/** The routes that mail a link, and that take the link's token. */
function findResets(operations: readonly Operation[]) {
  const posts = operations.filter(
    (operation) =>
      operation.method === 'POST' && isPublic(operation) && /reset|forgot|recover/i.test(operation.path),
  );
  const request = posts.find((post) => nameMember.test(membersOf(post).join()));
  const complete = posts.find((post) =>
    ['password', 'token'].every((name) => membersOf(post).includes(name)),
  );
  return { request, complete };
}

function requestFor(operation: Operation, username: string): Attempt {
  return jsonTo(operation, { [membersOf(operation)[0] ?? 'email']: username });
}

/** They run before the floods, which use up the sign-ups of each address. */
export const recoveries: readonly Check[] = [resetPasskeys, codePasskeys];

export const accounts: readonly Check[] = [
  publicAccounts,
  removed,
  changedPassword,
  resetPassword,
  guessedPasswords,
  requestedMails,
];

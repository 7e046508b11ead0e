import { refreshTokenIn } from '../wire/answers.mts';
import { type Answer, type Attempt, jsonAttempt } from '../wire/exchange.mts';
import { nameOf, type Operation } from '../openapi/openapi.mts';
import { atOnce } from '../target/at-once.mts';
import {
  findPasswordChange,
  findRemoval,
  isOfAccounts,
  makeAccount,
  ownPath,
  passwordChange,
} from '../target/accounts.mts';
import { rotated } from '../target/addresses.mts';
import type { Caller } from '../target/callers.mts';
import { callerOf, requestOf, takesBearer } from '../target/requests.mts';
import type { Findings } from '../target/results.mts';
import { type Check, nextSeed, type Target } from '../target/target.mts';
import { findMailedCodes } from '../ways/mailed-codes.mts';
import { enrolPasskey, passkeySignIn, signInOptions } from '../ways/passkeys.mts';
import { expectNoSignIn, expectOneSignIn } from '../ways/sign-ins.mts';

const area = 'accounts';

/** Accounts that are removed, one after the other, while each sends its requests. */
const removals = 8;
/** Passwords of one account that are tried from one address. */
const guesses = 40;
/** Mails to one account that are requested from one address. */
const resets = 150;
/** That one account gets of them. */
const maxMails = 20;

/** An account that is removed while its requests run gets refusals, and no 500. */
const removed: Check = {
  area,
  name: 'an account removed while its requests run',
  run: async (target, findings) => {
    const { operations, wire } = target;
    const removal = findRemoval(operations);
    if (!removal) return findings.note('no route removes an account');
    const others = operations.filter((one) => one !== removal && mayUse(one));
    for (let count = 0; count < removals; count += 1) {
      const account = await makeAccount(target);
      const headers = await account.headers();
      const attempts = others.flatMap(
        (one) => requestOf(one, { path: ownPath(one, account), headers }) ?? [],
      );
      const remover = callerOf(removal, target) === target.callers.admin ? target.callers.admin : account;
      const end = requestOf(removal, { path: ownPath(removal, account), headers: await remover.headers() });
      if (!end) return findings.lack(`no request of ${nameOf(removal)} can be made`);
      const half = Math.ceil(attempts.length / 2);
      const sent = [...attempts.slice(half), end, ...attempts.slice(0, half), ...attempts.slice(half)];
      const answers = await Promise.all(sent.map((attempt) => wire.send(attempt)));
      const ended = answers[sent.indexOf(end)]?.status ?? 0;
      findings.expect(ended < 300, `${nameOf(removal)} answers ${ended} to the account itself`, end);
      answers.forEach(({ status }, at) => {
        const isExpected = status > 0 && (status < 500 || status === 503);
        findings.expect(
          isExpected,
          `${sent[at]?.method} ${sent[at]?.path} answers ${status} while its account is removed`,
          sent[at],
        );
      });
    }
  },
};

/** What ends nothing else of the account. */
function mayUse(operation: Operation): boolean {
  return (
    takesBearer(operation) &&
    operation.security.some(({ roles }) => roles.length === 0) &&
    !/log-?out|sign-?out|session/i.test(operation.path)
  );
}

/** Whoever changes a password ends the sessions that another has opened with the old one. */
const changedPassword: Check = {
  area,
  name: 'sessions after a changed password',
  run: async (target, findings) => {
    const change = findPasswordChange(target.operations);
    if (!change) return findings.note('no route changes a password');
    const owner = await makeAccount(target);
    const thief = await openedBy(target, owner);
    const body = passwordChange(change, owner, `a new password of the attack ${nextSeed()}`);
    const attempt = requestOf(change, { path: ownPath(change, owner), body, headers: await owner.headers() });
    const status = attempt && (await target.wire.send(attempt)).status;
    if (attempt === undefined || status === undefined || status >= 300)
      return findings.lack(`${nameOf(change)} changed no password: it answered ${status ?? 'nothing'}`);
    await expectEnded(target, findings, thief, nameOf(change), attempt);
  },
};

/** Whoever resets a password ends every session, and uses the link once. */
const resetPassword: Check = {
  area,
  name: 'sessions after a reset password',
  run: async (target, findings) => {
    const { operations, wire, mailsTo } = target;
    const [request, complete] = [findResetRequest(operations), findResetCompletion(operations)];
    if (!request || !complete || !mailsTo)
      return findings.note('needs routes that reset a password, and the mails of the service');
    const owner = await makeAccount(target);
    const thief = await openedBy(target, owner);
    await wire.send(requestFor(request, owner.username));
    const [token] = await mailsTo(owner.username);
    if (token === undefined) return findings.lack(`${nameOf(request)} sent no mail with a link`);
    const password = `a new password of the attack ${nextSeed()}`;
    const attempt = jsonAttempt(complete.method, complete.path, { token, password });
    const { status } = await wire.send(attempt);
    findings.expect(status < 300, `${nameOf(complete)} answers ${status} to the link of a mail`, attempt);
    await expectEnded(target, findings, thief, nameOf(complete), attempt);
    const again = await wire.send(attempt);
    findings.expect(
      again.status >= 400,
      `${nameOf(complete)} answers ${again.status} to a used link`,
      attempt,
    );
    const old = await owner.signIn();
    findings.expect(old.status >= 400, `the old password is answered ${old.status} after a reset`);
  },
};

/** The first reset by mail proves an e-mail: somebody else may have created its account, and enrolled a passkey. */
const resetPasskeys: Check = {
  area,
  name: 'passkeys after a reset password',
  run: async (target, findings) => {
    const { operations, wire, mailsTo } = target;
    const [request, complete] = [findResetRequest(operations), findResetCompletion(operations)];
    if (!request || !complete || !mailsTo)
      return findings.note('needs routes that reset a password, and the mails of the service');
    await expectPasskeyEnds(target, findings, async (username) => {
      await wire.send(requestFor(request, username));
      const [token] = await mailsTo(username);
      const password = `a new password of the attack ${nextSeed()}`;
      return jsonAttempt(complete.method, complete.path, { token, password });
    });
  },
};

/** So does the first code by mail. */
const codePasskeys: Check = {
  area,
  name: 'passkeys after a code by mail',
  run: async (target, findings) => {
    const codes = findMailedCodes(fromAnother(target));
    if (!codes) return findings.note('needs routes that mail a code, and the mails of the service');
    await expectPasskeyEnds(target, findings, async (username) => {
      const nonce = await codes.ask(username);
      return codes.attempt(nonce, await codes.codeTo(username));
    });
  },
};

/** Earlier checks have used up the failed sign-ins of the first address. */
function fromAnother(target: Target): Target {
  return { ...target, addresses: rotated(target.addresses, 2) };
}

/** @param prove makes the request by which the owner of the mailbox proves the e-mail */
async function expectPasskeyEnds(
  attacked: Target,
  findings: Findings,
  prove: (username: string) => Promise<Attempt>,
): Promise<void> {
  const target = fromAnother(attacked);
  const { wire, addresses } = target;
  const { owner, routes, authenticator } = await enrolPasskey(target);
  const signIn = async () =>
    passkeySignIn(routes, authenticator.get(await signInOptions(target, routes)), addresses);
  await expectOneSignIn(findings, 'a passkey', [[wire, await signIn()]]);
  const proof = await prove(owner.username);
  const { status } = await wire.send(proof);
  findings.expect(status < 300, `${proof.path} answers ${status} to what a mail has`, proof);
  await expectNoSignIn(wire, findings, 'a passkey from before the e-mail was proven', await signIn());
}

/** What somebody has who knows an account's password. */
interface Opened {
  readonly headers: { readonly authorization: string };
  readonly refreshToken: string | undefined;
}

async function openedBy({ wire, refresh }: Target, owner: Caller): Promise<Opened> {
  const headers = await owner.anotherSignIn();
  const opened =
    refresh && (await wire.send(jsonAttempt(refresh.open.method, refresh.open.path, owner.credentials)));
  return { headers, refreshToken: refreshTokenIn(opened?.text ?? '') };
}

async function expectEnded(
  { wire, operations, refresh }: Target,
  findings: Findings,
  { headers, refreshToken }: Opened,
  cause: string,
  shown: Attempt,
): Promise<void> {
  const read = operations.find((one) => one.method === 'GET' && mayUse(one) && !one.path.includes('{'));
  if (read) {
    const { status } = await wire.send({ method: 'GET', path: read.path, headers });
    findings.expect(
      status === 401,
      `${nameOf(read)} answers ${status} to another session after ${cause}`,
      shown,
    );
  }
  if (refresh && refreshToken !== undefined) {
    const { method, path } = refresh.refresh;
    const { status } = await wire.send(jsonAttempt(method, path, { [refresh.member]: refreshToken }));
    findings.expect(
      status === 401,
      `${method} ${path} answers ${status} to another session after ${cause}`,
      shown,
    );
  }
}

/** Passwords of one account cannot be tried from one address without an end. */
const guessedPasswords: Check = {
  area,
  name: 'guessed passwords',
  run: async ({ signIn, callers, wire, addresses: [, , , from] }, findings) => {
    if (!signIn || !callers.admin.canSignIn || from === undefined)
      return findings.note('needs a route to sign in, and two addresses');
    const { method, path } = signIn.operation;
    const guess = () => ({
      ...jsonAttempt(method, path, {
        ...callers.admin.credentials,
        [signIn.passwordMember]: `a guess ${nextSeed()}`,
      }),
      from,
    });
    await expectLimit(guesses, guess, 'guesses at the password of one account', { wire, findings });
  },
};

/** Mails to an account cannot be requested from one address without an end. */
const requestedMails: Check = {
  area,
  name: 'requested mails',
  run: async ({ operations, callers, wire, addresses: [, , , from], mailsTo }, findings) => {
    const request = findResetRequest(operations);
    if (!request || !callers.other.canSignIn)
      return findings.note('no route sends a mail to whoever is named');
    const { username } = callers.other;
    const one = () => ({ ...requestFor(request, username), from });
    await expectLimit(resets, one, `requests of ${nameOf(request)} for one account`, { wire, findings });
    if (!mailsTo) return;
    const { length } = await mailsTo(username);
    findings.note(`${length} mails`);
    findings.expect(length <= maxMails, `${nameOf(request)} has sent ${length} mails to one account`, one());
  },
};

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

/** Nobody without a token reads of an account what only its owner knows: its e-mail. */
const publicAccounts: Check = {
  area,
  name: 'accounts without a token',
  run: async ({ operations, wire, callers }, findings) => {
    const named = Object.values(callers).filter(({ canSignIn }) => canSignIn);
    const open = operations.filter(({ method, security }) => method === 'GET' && security.length === 0);
    for (const operation of open) {
      const isOne = isOfAccounts(operation) && operation.path.includes('{');
      for (const caller of isOne ? named : named.slice(0, 1)) {
        const attempt = requestOf(operation, { path: ownPath(operation, caller) });
        if (attempt === undefined) continue;
        const { text } = await wire.send(attempt);
        const found = named.find(({ username }) => text.includes(username));
        findings.expect(
          !found,
          `${nameOf(operation)} names ${found?.username} to callers without a token`,
          attempt,
        );
      }
    }
    if (findings.cases === 0) findings.note('no route is public, or no account has a name');
  },
};

function findResetRequest(operations: readonly Operation[]): Operation | undefined {
  return operations.find(
    (one) =>
      isReset(one) &&
      membersOf(one).length === 1 &&
      /^(?:user_?name|e-?mail|login)$/i.test(membersOf(one)[0] ?? ''),
  );
}

function findResetCompletion(operations: readonly Operation[]): Operation | undefined {
  return operations.find(
    (one) => isReset(one) && ['password', 'token'].every((name) => membersOf(one).includes(name)),
  );
}

function isReset({ method, path, security }: Operation): boolean {
  return method === 'POST' && security.length === 0 && /reset|forgot|recover/i.test(path);
}

function requestFor(operation: Operation, username: string): Attempt {
  return jsonAttempt(operation.method, operation.path, { [membersOf(operation)[0] ?? 'email']: username });
}

function membersOf({ body }: Operation): string[] {
  return Object.keys(body?.properties ?? {});
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

import { nameOf, type Operation } from '../openapi/openapi.mts';
import { findPasswordChange, makeAccount, ownPath, passwordChange } from '../target/accounts.mts';
import { requestOf } from '../target/requests.mts';
import { isRefusal } from '../target/results.mts';
import { check, type Check, nextSeed, type StartedProgram, type Target } from '../target/target.mts';
import { findMailedCodes } from '../ways/mailed-codes.mts';
import { beginSignIn, type Enrolled, enrolApplication, recovery } from '../ways/second-factors.mts';
import {
  atTwoPrograms,
  expectNoSignIn,
  expectNoSignInElsewhere,
  expectOneSignIn,
  expectOneUse,
} from '../ways/sign-ins.mts';
import { jsonTo } from '../wire/exchange.mts';
import { stepSeconds, totpCode } from '../wire/totp.mts';
import { Wire } from '../wire/wire.mts';
import { expectRefusedEverywhere } from './authentication.mts';

const area = 'ways to sign in';

/** Checks that a code is accepted once, in any program, even at the same moment. */
const usedCodes = check(area, 'codes of an application that were used', (target) =>
  expectOneUseOf(target, {
    what: 'a code of an application',
    codeOf: ({ secret }) => totpCode(secret, 1),
  }),
);

const usedRecoveryCodes = check(area, 'recovery codes that were used', (target) =>
  expectOneUseOf(target, {
    what: 'a recovery code',
    codeOf: ({ recoveryCodes: [code = ''] }) => code,
    factor: recovery,
  }),
);

interface Use {
  readonly what: string;
  readonly codeOf: (enrolled: Enrolled) => string;
  readonly factor?: RegExp;
}

async function expectOneUseOf(target: Target, { what, codeOf, factor }: Use): Promise<void> {
  const { findings } = target;
  const enrolled = await enrolApplication(target);
  const { routes, owner, usedCode } = enrolled;
  await atTwoPrograms(target, async (wires) => {
    const confirmed = (await beginSignIn(routes, owner, target.wire)).attempt(usedCode);
    await expectNoSignIn(findings, 'the code that confirmed its enrolment', confirmed);
    const code = codeOf(enrolled);
    const begun = await Promise.all([...wires, ...wires].map((wire) => beginSignIn(routes, owner, wire)));
    await expectOneSignIn(
      findings,
      what,
      begun.map((pending, at) => [wires[at % wires.length] ?? target.wire, pending.attempt(code, factor)]),
    );
    for (const wire of wires) {
      const again = (await beginSignIn(routes, owner, wire)).attempt(code, factor);
      await expectNoSignIn(findings, `${what} that was used`, again, wire);
    }
  });
}

/** Checks that a pending sign-in token completes only its own sign-in, once. */
const pendingTokens = check(area, 'the token between two factors', async (target, findings) => {
  const enrolled = await enrolApplication(target);
  const stranger = await enrolApplication(target);
  const { wire } = target;
  const { routes, owner, recoveryCodes } = enrolled;
  const [first = '', second = '', third = ''] = recoveryCodes;
  const pending = await beginSignIn(routes, owner, wire);
  const fault = 'the token of a pending sign-in';
  await expectRefusedEverywhere(target, [{ fault, authorization: `Bearer ${pending.token}` }]);
  for (const [operation, member] of otherTokens(target.operations, routes.tokenMember)) {
    const valid = requestOf(operation);
    const body = { ...Object(JSON.parse(valid?.body?.toString() ?? '{}')), [member]: pending.token };
    const attempt = jsonTo(operation, body);
    await findings.answers(attempt, isRefusal, nameOf(operation), `to ${fault} as its ${member}`);
  }
  for (const [what, attempt] of [
    ['code', pending.attempt(totpCode(stranger.secret, 1))],
    ['recovery code', pending.attempt(stranger.recoveryCodes[0] ?? '', recovery)],
  ] as const)
    await expectNoSignIn(findings, `${fault} with the ${what} of another account`, attempt);
  await expectNoSignInElsewhere(target, fault, pending.attempt(first, recovery));
  await expectOneSignIn(findings, fault, [
    [wire, pending.attempt(first, recovery)],
    [wire, pending.attempt(second, recovery)],
  ]);
  const kept = await beginSignIn(routes, owner, wire);
  if (!(await changePassword(target, enrolled))) return;
  const late = kept.attempt(third, recovery);
  await expectNoSignIn(findings, `${fault}, begun before its password changed,`, late);
});

const aheadMs = 86_400_000;
/** A second factor completes a sign-in within five minutes. */
const waitMs = 310_000;
const tokenSeconds = 60;

/** Checks that a pending sign-in expires if its second factor does not arrive. */
const latePending = check(area, 'a second factor that comes late', async (target, findings) => {
  const { startWithClock } = target;
  if (!startWithClock) return findings.note('needs a program that can be started again');
  const begun = await withProgram(target, await startWithClock(aheadMs, tokenSeconds), async (there) => {
    const enrolled = await enrolApplication(there, aheadMs / 1000 / stepSeconds);
    return { ...enrolled, late: await beginSignIn(enrolled.routes, enrolled.owner, there.wire) };
  });
  const { routes, owner, late, recoveryCodes } = begun;
  const [code = ''] = recoveryCodes;
  await withProgram(target, await startWithClock(aheadMs + waitMs, tokenSeconds), async ({ wire }) => {
    const what = `a second factor ${waitMs / 1000} s after the password`;
    await expectNoSignIn(findings, what, late.attempt(code, recovery), wire);
    const soon = await beginSignIn(routes, owner, wire);
    await expectOneSignIn(findings, 'a second factor', [[wire, soon.attempt(code, recovery)]]);
  });
});

/** Runs with the program as the service under attack. */
async function withProgram<Made>(
  target: Target,
  program: StartedProgram,
  run: (there: Target) => Promise<Made>,
): Promise<Made> {
  const wire = new Wire(new URL(program.url), target.wire.watch);
  const { user, other: stranger, admin } = target.callers;
  const callers = { user: user.at(wire), other: stranger.at(wire), admin: admin.at(wire) };
  try {
    return await run({ ...target, wire, callers });
  } finally {
    wire.close();
    await program.stop();
  }
}

/** Finds public operations that take a token of a different kind. */
function otherTokens(operations: readonly Operation[], own: string): [Operation, string][] {
  return operations.flatMap((operation) => {
    const member = Object.keys(operation.body?.properties ?? {}).find(
      (name) => /token$/i.test(name) && name !== own,
    );
    const isPublic = operation.method === 'POST' && operation.security.length === 0;
    const pairs: [Operation, string][] = isPublic && member !== undefined ? [[operation, member]] : [];
    return pairs;
  });
}

async function changePassword(target: Target, { owner }: Enrolled): Promise<boolean> {
  const { findings } = target;
  const change = findPasswordChange(target.operations);
  const body = change && passwordChange(change, owner, `a new password of the attack ${nextSeed()}`);
  const attempt =
    change && requestOf(change, { path: ownPath(change, owner), body, headers: await owner.headers() });
  const status = attempt && (await target.wire.send(attempt)).status;
  const isChanged = status !== undefined && status < 300;
  if (!isChanged) findings.lack('no password could be changed while a sign-in was pending');
  return isChanged;
}

/** The number of wrong tries, which exceeds the limit for a six-digit code. */
const wrongTries = 10;

/** Checks that a mailed code works only for the client that requested it, for a few tries, and for a single sign-in. */
const mailedCodes = check(area, 'codes by mail', async (target, findings) => {
  const { wire, addresses } = target;
  const codes = findMailedCodes(target);
  if (!codes) return findings.note('needs routes that mail a code, and the mails of the service');
  const [from] = addresses;
  const [owner, stranger] = [await makeAccount(target, from), await makeAccount(target, from)];
  const ask = ({ username }: typeof owner) => codes.ask(username);
  const codeFor = () => codes.codeTo(owner.username);
  const sent = (nonce: string, code: string) => codes.attempt(nonce, code);
  const nonce = await ask(owner);
  const code = await codeFor();
  if (code === '') return findings.note(`${nameOf(codes.request)} mailed no code: it is off`);
  await expectNoSignIn(findings, 'the code that another client asked for', sent(await ask(stranger), code));
  await expectNoSignInElsewhere(target, 'a code of a mail', sent(nonce, code));
  await expectOneUse(target, 'a code of a mail', sent(nonce, code));
  await expectNoSignIn(findings, 'the code of a mail that was used', sent(nonce, code));
  const guessed = await ask(owner);
  const right = await codeFor();
  const wrong = right === '000000' ? '000001' : '000000';
  for (let tries = 0; tries < wrongTries; tries += 1) await wire.send(sent(guessed, wrong));
  await expectNoSignIn(findings, `the code of a mail after ${wrongTries} wrong ones`, sent(guessed, right));
});

export const ways: readonly Check[] = [usedCodes, usedRecoveryCodes, pendingTokens, latePending, mailedCodes];

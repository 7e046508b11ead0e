import { randomBytes } from 'node:crypto';
import { nameOf } from '../openapi/openapi.mts';
import { isRefusal } from '../target/results.mts';
import { check, type Check, type Target } from '../target/target.mts';
import {
  confirmation,
  endOfFactor,
  enrolmentOptions,
  enrolPasskey,
  makeCandidate,
  type PasskeyCandidate,
  type PasskeyOwner,
  passkeySignIn,
  signInOptions,
} from '../ways/passkeys.mts';
import { beginSignIn, findTwoSteps } from '../ways/second-factors.mts';
import {
  atTwoPrograms,
  expectNoSignIn,
  expectNoSignInElsewhere,
  expectOneSignIn,
  expectOneUse,
} from '../ways/sign-ins.mts';
import { Authenticator, type Deviations, type PasskeyOptions } from '../wire/authenticator.mts';

const area = 'ways to sign in';
const elsewhere = 'attacker.example';

/** Checks that a signature signs in once, for the challenge, the page and the account that it was requested for. */
const signatures = check(area, 'signatures of passkeys', async (target, findings) => {
  const [first, second] = [await enrolPasskey(target), await enrolPasskey(target)];
  const { wire, addresses } = target;
  const { routes, owner, authenticator } = first;
  // First, while the tokens of the owners are valid.
  const ofEnrolment = authenticator.get(await enrolmentOptions(wire, routes, owner));
  await expectKept(target, first, second);
  const options = await signInOptions(target, routes);
  const used = passkeySignIn(routes, authenticator.get(options), addresses);
  await expectNoSignInElsewhere(target, 'a signature of a passkey', used);
  await atTwoPrograms(target, async (wires) => {
    const again = [...wires, ...wires].map((sender) => [sender, used] as const);
    await expectOneSignIn(findings, 'a signature of a passkey', again);
    for (const sender of wires) await expectNoSignIn(findings, 'a signature that was used', used, sender);
  });
  for (const [what, deviations] of faultySignatures(first, second)) {
    const credential = authenticator.get(await signInOptions(target, routes), deviations);
    const attempt = passkeySignIn(routes, credential, addresses);
    await expectNoSignIn(findings, `a signature of a passkey ${what}`, attempt);
  }
  const { id, userHandle } = authenticator;
  const forged = second.authenticator.get(await signInOptions(target, routes), { id, userHandle });
  for (const [what, credential] of [
    ['of another passkey under its name', forged],
    ['for the challenge of an enrolment', ofEnrolment],
  ] as const) {
    const attempt = passkeySignIn(routes, credential, addresses);
    await expectNoSignIn(findings, `a signature ${what}`, attempt);
  }
  await expectCounted(target, first);
});

/** Checks that a caller cannot end a different account's passkey. */
async function expectKept(
  target: Target,
  { routes, owner }: PasskeyOwner,
  second: PasskeyOwner,
): Promise<void> {
  const { wire, addresses, findings } = target;
  const attempt = routes.end && (await endOfFactor(routes.end, owner, second.id));
  if (!routes.end || !attempt) return findings.note('no route ends a passkey');
  await findings.answers(attempt, [403, 404], nameOf(routes.end), "for another's passkey");
  const signed = second.authenticator.get(await signInOptions(target, routes));
  const signIn = passkeySignIn(routes, signed, addresses);
  await expectOneSignIn(findings, 'a passkey that somebody else has tried to end', [[wire, signIn]]);
}

function faultySignatures(
  { authenticator: { origin } }: PasskeyOwner,
  { authenticator: { userHandle } }: PasskeyOwner,
): readonly (readonly [string, Deviations])[] {
  return [
    ['for another page', { origin: `https://${elsewhere}` }],
    ['for another port of its page', { origin: `${origin.replace(/:\d+$/, '')}:8443` }],
    ['for another service', { rpId: elsewhere }],
    ['without a user who was verified', { isVerified: false }],
    ['without a user who was there', { isPresent: false, isVerified: false }],
    ['of another ceremony', { type: 'webauthn.create' }],
    ['for a challenge of its own', { challenge: randomBytes(32).toString('base64url') }],
    ['of another account', { userHandle }],
  ];
}

/** A passkey that was copied shows by a counter that does not go on. */
async function expectCounted(target: Target, enrolled: PasskeyOwner): Promise<void> {
  const { wire, addresses, findings } = target;
  const { routes, authenticator } = enrolled;
  const signed = async (counter: number) => {
    const options: PasskeyOptions = await signInOptions(target, routes);
    return passkeySignIn(routes, authenticator.get(options, { counter }), addresses);
  };
  await expectOneSignIn(findings, 'a passkey that counts', [[wire, await signed(5)]]);
  await expectNoSignIn(findings, 'a counter of a passkey that does not go on', await signed(5));
  await expectNoSignIn(findings, 'a counter of a passkey that goes back', await signed(3));
}

/** Checks that a passkey is the second factor for its own account only, with a challenge of that sign-in. */
const secondFactor = check(area, 'passkeys as second factor', async (target, findings) => {
  const steps = findTwoSteps(target);
  if (!steps) return findings.note('no route completes a sign-in by a second factor');
  const [first, second] = [await enrolPasskey(target), await enrolPasskey(target)];
  const { wire, addresses } = target;
  const { routes, authenticator } = first;
  const pending = await beginSignIn(steps, first.owner, wire);
  const ofOther = await beginSignIn(steps, second.owner, wire);
  const own = () => signInOptions(target, routes, pending);
  const userHandle = authenticator.userHandle;
  for (const [what, credential] of [
    ["another account's passkey", second.authenticator.get(await own())],
    ["another account's passkey that names this one", second.authenticator.get(await own(), { userHandle })],
    [
      "a challenge of another account's sign-in",
      authenticator.get(await signInOptions(target, routes, ofOther)),
    ],
    ['a challenge of a sign-in without a user name', authenticator.get(await signInOptions(target, routes))],
  ] as const)
    await expectNoSignIn(findings, `${what}, as second factor`, pending.attempt(credential));
  const unverified = authenticator.get(await own(), { isVerified: false });
  const alone = passkeySignIn(routes, unverified, addresses);
  await expectNoSignIn(findings, 'a challenge of a second factor, without the password,', alone);
  const right = pending.attempt(authenticator.get(await own()));
  await expectOneUse(target, 'a passkey as second factor', right);
});

/** Checks that only the account and page that began an enrolment can add the passkey, and that it replaces no passkey. */
const enrolments = check(area, 'enrolment of passkeys', async (target, findings) => {
  const enrolled = await enrolPasskey(target);
  const [candidate, second] = [await makeCandidate(target), await makeCandidate(target)];
  const { wire, addresses } = target;
  const { routes, origin } = candidate;
  const ask = ({ owner }: PasskeyCandidate = candidate) => enrolmentOptions(wire, routes, owner);
  const faulty: readonly (readonly [string, PasskeyOptions, Deviations?])[] = [
    ['for another page', await ask(), { origin: `https://${elsewhere}` }],
    ['for another service', await ask(), { rpId: elsewhere }],
    ['without a user who was verified', await ask(), { isVerified: false }],
    ['of another ceremony', await ask(), { type: 'webauthn.get' }],
    ['of a frame of another site', await ask(), { crossOrigin: true }],
    ["for another account's challenge", await ask(second)],
    ['for the challenge of a sign-in', await signInOptions(target, routes)],
    ["under the name of another account's", await ask(), { id: enrolled.authenticator.id }],
  ];
  for (const [what, options, deviations] of faulty) {
    const credential = new Authenticator(origin).create(options, deviations);
    const attempt = await confirmation(candidate, credential);
    await findings.answers(attempt, isRefusal, attempt.path, `to a passkey ${what}`);
  }
  for (const transports of [null, 5, 'usb', {}, [5], ['usb', {}]]) {
    const credential = new Authenticator(origin).create(await ask());
    const changed = { ...credential, response: { ...credential.response, transports } };
    const attempt = await confirmation(candidate, changed);
    const { status } = await wire.send(attempt);
    const what = JSON.stringify(transports);
    findings.expect(status < 500, `${attempt.path} answers ${status} to the transports ${what}`, attempt);
  }
  const signed = enrolled.authenticator.get(await signInOptions(target, routes));
  const signIn = passkeySignIn(routes, signed, addresses);
  await expectOneSignIn(findings, 'a passkey whose name another account has tried to take', [[wire, signIn]]);
  const options = await ask();
  const attempts = [1, 2].map(() => confirmation(candidate, new Authenticator(origin).create(options)));
  const answers = await Promise.all((await Promise.all(attempts)).map((attempt) => wire.send(attempt)));
  const count = answers.filter(({ status }) => status < 300).length;
  findings.expect(count === 1, `a challenge, sent twice at once, enrolled ${count} passkeys`);
});

export const passkeys: readonly Check[] = [signatures, secondFactor, enrolments];

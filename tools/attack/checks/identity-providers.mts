import { takesBearer, has, nameOf, type Operation } from '../openapi/openapi.mts';
import { makeAccount } from '../target/accounts.mts';
import { rotated } from '../target/addresses.mts';
import { type Caller, idIn } from '../target/callers.mts';
import { parametersIn } from '../target/members.mts';
import { requestOf } from '../target/requests.mts';
import { isRefusal } from '../target/results.mts';
import { check, type Check, nextSeed, type Target } from '../target/target.mts';
import { accessTokenIn } from '../wire/answers.mts';
import { textIn } from '../ways/second-factors.mts';
import { expectNoSignIn, expectNoSignInElsewhere, expectOneUse } from '../ways/sign-ins.mts';
import type { Attempt } from '../wire/exchange.mts';
import type { IdentityProvider, ProviderResponse } from '../wire/identity-provider.mts';

const area = 'ways to sign in';
const missing = 'needs routes that sign in through providers, and a program that the attack has started';

/** The operations that begin and complete an authorization at a provider. */
interface Steps {
  readonly begin: Operation;
  readonly complete: Operation;
}

/** The values that a client kept, and the response that the provider sent back. */
interface Authorized extends ProviderResponse {
  readonly request: string;
}

/** Checks that an authorization is completed once, by the client that began it, with the response of its own provider. */
const authorizations = check(area, 'identity providers', async (target, findings) => {
  const steps = findSignIn(target);
  const [provider, secondProvider] = target.providers;
  if (!steps || !provider || !secondProvider) return findings.note(missing);
  const subject = `user ${nextSeed()}`;
  const begin = (at = provider) => authorize(target, steps, at, subject);
  const sent = (authorized: Partial<Authorized>, at = provider) => completion(target, steps, at, authorized);
  const first = await begin();
  await expectNoSignInElsewhere(target, 'an authorization', sent(first));
  await expectOneUse(target, 'an authorization of a provider', sent(first));
  await expectNoSignIn(findings, 'an authorization that was used', sent(first));
  const problem = `${nameOf(steps.complete)} exchanges a code without the proof of PKCE`;
  findings.expect(!provider.unproven.includes(first.code), problem, sent(first));
  // Whatever is refused may have been used up.
  for (const [what, mix] of mixes) {
    const attempt = sent(mix(await begin(), await begin(), secondProvider));
    await expectNoSignIn(findings, `an authorization with ${what}`, attempt);
  }
  await expectNoSignIn(findings, 'an authorization of another provider', sent(await begin(secondProvider)));
  const [mine, theirs] = [await begin(), await begin(secondProvider)];
  const mixedUp = sent({ ...theirs, code: mine.code, iss: mine.iss }, secondProvider);
  await expectNoSignIn(findings, 'the code of another provider', mixedUp);
  const leak = `${mixedUp.path} sends the code of a provider to another one`;
  findings.expect(!secondProvider.codes.includes(mine.code), leak, mixedUp);
  await expectLinksApart(target, steps);
});

type Mix = (mine: Authorized, yours: Authorized, secondProvider: IdentityProvider) => Partial<Authorized>;

const mixes: readonly (readonly [string, Mix])[] = [
  ['what another client was sent', ({ request }, yours) => ({ ...yours, request })],
  ['the code of another client', (mine, { code }) => ({ ...mine, code })],
  ['the state of another client', (mine, { state }) => ({ ...mine, state })],
  ['another issuer', (mine, _, { issuer: iss }) => ({ ...mine, iss })],
  ['no issuer', ({ request, code, state }) => ({ request, code, state })],
  ['a request that nobody began', (mine) => ({ ...mine, request: `A${mine.request.slice(0, -1)}` })],
];

/** The operations that sign in through a provider. */
export function findSignIn({ operations }: Target): Steps | undefined {
  return findSteps(operations.filter(({ security }) => security.length === 0));
}

/** The operations that link an identity to the account of their caller. */
export function findLink({ operations }: Target): Steps | undefined {
  return findSteps(operations.filter(takesBearer));
}

function findSteps(operations: readonly Operation[]): Steps | undefined {
  const posts = operations.filter(({ method, path }) => method === 'POST' && path.includes('{'));
  const begin = posts.find(({ answer }) => has(answer, /^url$/) && has(answer, /^request$/));
  const complete = posts.find(
    ({ body }) => has(body, /^request$/) && has(body, /^code$/) && has(body, /^state$/),
  );
  return begin && complete && { begin, complete };
}

export async function authorize(
  target: Target,
  { begin }: Steps,
  provider: IdentityProvider,
  subject: string,
  { owner, claims }: { readonly owner?: Caller; readonly claims?: object } = {},
): Promise<Authorized> {
  const answer = await target.wire.send({
    ...stepAt(begin, provider),
    headers: { ...(await owner?.headers()) },
    from: target.addresses[0],
  });
  const url = textIn(answer, 'url');
  const response = URL.canParse(url)
    ? provider.consent(url, subject, claims)
    : { code: '', state: '', iss: '' };
  return { request: textIn(answer, 'request'), ...response };
}

export function completion(
  { addresses: [from] }: Target,
  { complete }: Steps,
  provider: IdentityProvider,
  body: Partial<Authorized>,
  headers?: Attempt['headers'],
): Attempt {
  return { ...stepAt(complete, provider, body, headers), from };
}

function stepAt(
  operation: Operation,
  { name }: IdentityProvider,
  body?: object,
  headers?: Attempt['headers'],
): Attempt {
  const [parameter = ''] = parametersIn(operation.path);
  const attempt = requestOf(operation, { path: { [parameter]: name }, body, headers });
  if (attempt === undefined) throw new TypeError(`${nameOf(operation)} has a body that is not known`);
  return attempt;
}

/** An authorization that links an identity to an account is for this account, and signs nobody in. */
async function expectLinksApart(target: Target, signIn: Steps): Promise<void> {
  const { addresses, findings } = target;
  const link = findLink(target);
  const [provider] = target.providers;
  if (!link || !provider) return findings.note('no route links identities');
  const [mine, yours] = [await makeAccount(target, addresses[0]), await makeAccount(target, addresses[0])];
  const subject = `user ${nextSeed()}`;
  const begun = (steps: Steps, owner?: Caller) => authorize(target, steps, provider, subject, { owner });
  const linked = async (authorized: Authorized, owner: Caller) =>
    completion(target, link, provider, authorized, await owner.headers());
  for (const [what, attempt] of [
    ["another account's authorization", await linked(await begun(link, mine), yours)],
    ['the authorization of a sign-in', await linked(await begun(signIn), yours)],
  ] as const) {
    await findings.answers(attempt, isRefusal, attempt.path, `to ${what}`);
  }
  const attempt = completion(target, signIn, provider, await begun(link, mine));
  await expectNoSignIn(findings, 'an authorization that links an identity', attempt);
}

/** Checks that an identity gets the administrator's account only if a trusted provider has verified its e-mail. */
const emails = check(area, 'e-mails of identity providers', async (target, findings) => {
  const steps = findSignIn(target);
  const [provider] = target.providers;
  const { wire } = target;
  const { admin } = target.callers;
  if (!steps || !provider || !admin.canSignIn) return findings.note(missing);
  await admin.accessToken();
  const own = { email: admin.username };
  for (const [what, claims] of [
    ['an e-mail that is not verified', { ...own, email_verified: false }],
    ['an e-mail that nothing is said of', own],
    ['a text that says it is verified', { ...own, email_verified: 'true' }],
    ...similarTo(admin.username).map((email) => [email, { email, email_verified: true }] as const),
  ] as const) {
    const subject = `user ${nextSeed()}`;
    const attempt = completion(
      target,
      steps,
      provider,
      await authorize(target, steps, provider, subject, { claims }),
    );
    const id = idIn(accessTokenIn((await wire.send(attempt)).text) ?? '');
    const isLinked = id !== undefined && id === admin.id;
    findings.expect(!isLinked, `${attempt.path} gives the account of ${admin.username} to ${what}`, attempt);
  }
});

/** Checks that provider claims about users are trusted no more than client input. */
const claimsOfUsers = check(area, 'claims of identity providers', async (attacked, findings) => {
  // Refused responses count as failed sign-ins of their address, so the other checks use a different address.
  const target = { ...attacked, addresses: rotated(attacked.addresses, 4) };
  const steps = findSignIn(target);
  const [provider] = target.providers;
  if (!steps || !provider) return findings.note(missing);
  for (const name of ['sub', 'email', 'email_verified', 'auth_time', 'name'])
    for (const value of hostile) {
      const claims = { [name]: value };
      const authorized = await authorize(target, steps, provider, `user ${nextSeed()}`, { claims });
      const attempt = completion(target, steps, provider, authorized);
      const { status } = await target.wire.send(attempt);
      const what = `${name}: ${JSON.stringify(value).slice(0, 40)}`;
      findings.expect(status < 500, `${attempt.path} answers ${status} to the claim ${what}`, attempt);
    }
});

const hostile = [null, true, -1, 1.5, 1e15, '', 'a\0b', '\ud800', 'x'.repeat(5000), [5], {}];

/** Returns e-mails that case folding, widths and domains make equal, although each may be a separate mailbox. */
function similarTo(email: string): string[] {
  return [
    email.replace('i', '\u0131'),
    email.replace('k', '\u212a'),
    email.replace('s', '\u017f'),
    email.replace(/^[a-z]/, wide),
    email.replace(/@[a-z]/, ([at = '', letter = '']) => `${at}${wide(letter)}`),
    email.replace('.', '\u3002'),
  ].filter((similar) => similar !== email);
}

/** A full-width letter. */
function wide(letter: string): string {
  return String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0);
}

export const identityProviders: readonly Check[] = [authorizations, emails, claimsOfUsers];

import { has, namesThing, isForAnyCaller, nameOf, type Operation, takesBearer } from '../openapi/openapi.mts';
import { makeAccount } from '../target/accounts.mts';
import { unusedAddress } from '../target/addresses.mts';
import type { Caller } from '../target/callers.mts';
import { isRefusal } from '../target/results.mts';
import { check, type Check, type Target } from '../target/target.mts';
import { accessTokenIn, refreshTokenIn } from '../wire/answers.mts';
import { type Answer, type Attempt, jsonTo } from '../wire/exchange.mts';

const area = 'ways to sign in';
const missing = 'no route opens a session in a cookie';

/** The attacker's page, as the browser names it. */
type Page = Readonly<Record<string, string>>;

/** The routes of a session whose refresh token is in a cookie, and an account that may sign in. */
interface CookieSession {
  readonly owner: Caller;
  readonly open: (page: Page) => Attempt;
  /** Refreshes with the cookies that a browser would send. */
  readonly refresh: (page: Page, cookies: string) => Attempt;
  /** The program's own page. */
  readonly own: Page;
  /** The same host with HTTPS, where the cookie has a prefix. */
  readonly secure: Page;
}

async function prepare(target: Target): Promise<CookieSession | undefined> {
  const { operations, refresh: routes, origin, wire, addresses, findings } = target;
  const route = operations.find(
    (operation) => transportOf(operation) !== undefined && has(operation.body, /^pass/i),
  );
  if (!route || !routes) {
    findings.note(missing);
    return undefined;
  }
  const transport = transportOf(route) ?? '';
  const from = unusedAddress(addresses);
  const owner = await makeAccount(target, from);
  return {
    owner,
    open: (page) => ({ ...jsonTo(route, { ...owner.credentials, [transport]: 'cookie' }, page), from }),
    refresh: (page, cookie) => ({ ...routes.refresh, headers: { ...page, cookie }, body: undefined, from }),
    own: { origin: origin ?? wire.url.origin },
    secure: { origin: `https://${wire.url.host}` },
  };
}

/** The body member that chooses a cookie. */
function transportOf({ method, security, body }: Operation): string | undefined {
  if (method !== 'POST' || security.length > 0) return undefined;
  return Object.entries(body?.properties ?? {}).find(([, schema]) => schema.enum?.includes('cookie'))?.[0];
}

/** Opens a session from a page that may. Returns the cookie as a browser sends it back. */
async function opened(
  { wire, findings }: Target,
  attempt: Attempt,
): Promise<{ cookie: string; answer: Answer }> {
  const answer = await wire.send(attempt);
  const cookie = cookieIn(answer)?.split(';', 1)[0] ?? '';
  if (cookie === '') findings.lack(`${nameOf(attempt)} answered ${answer.status} without a cookie`);
  return { cookie, answer };
}

function cookieIn({ headers }: Answer): string | undefined {
  return headers['set-cookie']?.find((line) => !/^[^=]+=;/.test(line));
}

/** Expects that a request neither succeeds nor plants a cookie. */
async function expectRefused({ wire, findings }: Target, attempt: Attempt, what: string): Promise<void> {
  const answer = await wire.send(attempt);
  const isRefused =
    isRefusal(answer.status) && cookieIn(answer) === undefined && accessTokenIn(answer.text) === undefined;
  findings.expect(isRefused, `${nameOf(attempt)} answers ${answer.status} to ${what}`, attempt);
}

/** Lists the pages that may neither open nor refresh a session: of different sites, of a subdomain, and clients without a page. */
function foreignPages({ own: { origin = '' } }: CookieSession): readonly (readonly [string, Page])[] {
  const [scheme, host] = origin.split('//');
  return [
    ['a page of another site', { origin: 'https://attacker.example' }],
    ['a page of another site that a browser marks', { origin, 'sec-fetch-site': 'cross-site' }],
    ['a sandboxed page', { origin: 'null' }],
    ['a page of a subdomain', { origin: `${scheme}//attacker.${host}` }],
    ['a page of a host with the same beginning', { origin: `${origin}.attacker.example` }],
    ['a form without an origin', {}],
  ];
}

/** Checks that scripts cannot read the refresh token, and that its cookie serves a single purpose. */
const attributes = check(area, 'attributes of session cookies', async (target, findings) => {
  const session = await prepare(target);
  if (!session) return;
  const read = target.operations.find(
    (operation) =>
      operation.method === 'GET' &&
      takesBearer(operation) &&
      isForAnyCaller(operation) &&
      !namesThing(operation),
  );
  for (const page of [session.own, session.secure]) {
    const attempt = session.open(page);
    const { cookie, answer } = await opened(target, attempt);
    const line = cookieIn(answer) ?? '';
    for (const pattern of [
      /; HttpOnly/i,
      /; SameSite=Strict/i,
      /; Path=\/(?:;|$)/i,
      ...(page === session.secure ? [/^__Host-/, /; Secure/i] : []),
    ])
      findings.expect(
        pattern.test(line),
        `${nameOf(attempt)} sets a cookie without ${pattern.source}`,
        attempt,
      );
    findings.expect(!/; Domain/i.test(line), `${nameOf(attempt)} sets a cookie for subdomains`, attempt);
    const isHidden = refreshTokenIn(answer.text) === undefined;
    findings.expect(isHidden, `${nameOf(attempt)} sends the token of the cookie in the body too`, attempt);
    if (read)
      await findings.answers(
        { ...read, headers: { ...page, cookie }, body: undefined },
        [401],
        nameOf(read),
        'to a session cookie',
      );
  }
});

/** Checks that a foreign page cannot sign the browser in as the attacker (login CSRF). */
const signIns = check(area, 'sign-ins by foreign pages', async (target) => {
  const session = await prepare(target);
  if (!session) return;
  await opened(target, session.open(session.own));
  for (const [what, page] of foreignPages(session)) await expectRefused(target, session.open(page), what);
});

/** Checks that a foreign page cannot refresh the browser's session, which would use up its token. */
const refreshes = check(area, 'refreshes by foreign pages', async (target, findings) => {
  const session = await prepare(target);
  if (!session) return;
  const { cookie } = await opened(target, session.open(session.own));
  for (const [what, page] of foreignPages(session))
    await expectRefused(target, session.refresh(page, cookie), what);
  const kept = session.refresh(session.own, cookie);
  await findings.answers(kept, (status) => status < 300, nameOf(kept), 'to its own page afterwards');
});

/** Checks that a cookie that a subdomain or HTTP has planted replaces no session. */
const planted = check(area, 'planted session cookies', async (target, findings) => {
  const session = await prepare(target);
  if (!session) return;
  const { cookie: mine } = await opened(target, session.open(session.secure));
  const { cookie: theirs } = await opened(target, session.open(session.secure));
  const { cookie: insecure } = await opened(target, session.open(session.own));
  for (const [what, cookies] of [
    ['two cookies with the name', `${mine}; ${theirs}`],
    ['two cookies with the name, the other first', `${theirs}; ${mine}`],
    ['a cookie without the prefix', theirs.replace(/^__\w+-/, '')],
    ['a cookie that HTTP has set', insecure],
  ] as const)
    await expectRefused(target, session.refresh(session.secure, cookies), what);
  const kept = session.refresh(session.secure, `${insecure}; ${mine}`);
  await findings.answers(kept, (status) => status < 300, nameOf(kept), 'to a cookie beside a planted cookie');
});

export const sessionCookies: readonly Check[] = [attributes, signIns, refreshes, planted];

import { refreshBy } from '../target/callers.mts';
import { setTimeout as pause } from 'node:timers/promises';
import { accessTokenIn, refreshTokenIn } from '../wire/answers.mts';
import { namesThing, takesBearer, nameOf } from '../openapi/openapi.mts';
import { atOnce } from '../target/at-once.mts';
import { requestOf } from '../target/requests.mts';
import { check, type Check, nextSeed, type StartedProgram, type Target } from '../target/target.mts';
import { bearer, claimsOf, type FaultyToken, faultySigned, faultyTokens } from '../wire/tokens.mts';
import { withToken, type Answer, type Attempt, jsonTo } from '../wire/exchange.mts';
import { Wire } from '../wire/wire.mts';

const area = 'authentication';

/** The expected statuses. A 20 KB token may exceed the header limit of a service. */
const refused = new Set([401, 400, 431]);

/** Checks that protected routes refuse every faulty token, and that routes with an optional caller do not treat it as absent. */
const faulty = check(area, 'faulty tokens', async (target, findings) => {
  const valid = await target.callers.user.accessToken();
  const signed = target.secret === undefined ? [] : faultySigned(valid, target.secret, Date.now());
  if (target.secret === undefined) findings.note('tokens signed with the service’s own secret need --secret');
  await expectRefusedEverywhere(target, [...faultyTokens(valid), ...signed]);
});

/** Checks that a refresh token is refused as an access token. */
const otherKind = check(area, 'tokens of another kind', async (target, findings) => {
  const { refresh, callers } = target;
  if (!refresh || !callers.user.canSignIn) return findings.note('the service has no refresh tokens');
  const { refreshToken: token } = await callers.user.openSession(refresh);
  if (token === undefined) return findings.lack('no refresh token was issued');
  await expectRefusedEverywhere(target, [bearer('a refresh token', token)]);
});

/** Checks that a token is refused after its sign-out. */
const revoked = check(area, 'a token after its sign-out', async (target, findings) => {
  const { callers, wire, refresh, signIn } = target;
  const logout = target.operations.find(
    ({ method, path }) => method === 'POST' && /log-?out|sign-?out/i.test(path),
  );
  const open = refresh?.open ?? signIn?.operation;
  if (!logout || !open || !callers.other.canSignIn)
    return findings.note('the service has no route to sign out');
  const { text } = await wire.send(jsonTo(open, callers.other.credentials));
  const token = accessTokenIn(text) ?? '';
  const ended = await wire.send(withToken({ method: 'POST', path: logout.path }, token));
  findings.expect(ended.status < 300, `POST ${logout.path} answered ${ended.status} to a valid token`);
  await expectRefusedEverywhere(target, [bearer('a token after its sign-out', token)]);
});

/** Checks that a real token, issued at the start, is refused after its expiry. */
const expired = check(area, 'a token after its expiry', async (target, findings) => {
  const token = target.callers.other.firstToken;
  if (token === undefined) return findings.note('the tokens were given, and are not waited for');
  const { exp } = claimsOf(token);
  const wait = Number(exp) * 1000 - Date.now();
  if (!(wait < target.effort.longestWaitMs)) return findings.note('the expiry of a token was not waited for');
  await pause(Math.max(0, wait) + 1000);
  await expectRefusedEverywhere(target, [bearer('a token that has expired', token)]);
});

/** Checks that a refresh token has a single successor. An earlier token is refused, however soon it is sent again. */
const refreshReuse = check(area, 'a refresh token before the last', async (target, findings) => {
  const { refresh, callers, wire } = target;
  if (!refresh || !callers.other.canSignIn) return findings.note('the service has no refresh tokens');
  const turned = async (token: string) =>
    refreshTokenIn((await wire.send(refreshBy(refresh, token))).text) ?? '';
  const { refreshToken: first = '' } = await callers.other.openSession(refresh);
  const second = await turned(first);
  if ([first, second, await turned(second)].includes(''))
    return findings.lack('the refresh tokens could not be turned');
  const again = refreshBy(refresh, first);
  const { status } = await wire.send(again);
  findings.expect(status === 401, `a refresh token whose successor was used is answered ${status}`, again);
});

/** Checks that forged refresh tokens are refused. */
const forgedRefresh = check(
  area,
  'forged refresh tokens',
  async ({ refresh, wire, addresses: [from] }, findings) => {
    if (refresh === undefined) return findings.note('the service has no refresh tokens');
    const random = Buffer.alloc(48, nextSeed()).toString('base64url');
    for (const token of [`forged-${nextSeed()}`, 'A'.repeat(5000), random, '\u0000']) {
      const attempt = refreshBy(refresh, token, from);
      const { status } = await wire.send(attempt);
      const problem = `a forged refresh token is answered ${status}`;
      findings.expect([400, 401, 422, 429].includes(status), problem, attempt);
    }
  },
);

const hourMs = 3_600_000;
const tokenSeconds = 1;
const longerThanTokenMs = 2500;

/** Checks that an expired token stays invalid in a program that starts after the clock was set back. */
const clockSetBack = check(
  area,
  'an expired token after the clock was set back',
  async (target, findings) => {
    const { startWithClock, signIn, callers, operations } = target;
    const route = operations.find(
      (operation) => operation.method === 'GET' && takesBearer(operation) && !namesThing(operation),
    );
    if (!startWithClock || !signIn || !route)
      return findings.note('needs a program that can be started again');
    const credentials = callers.admin.signInAttempt();
    const ahead = await startWithClock(hourMs, tokenSeconds);
    const token = accessTokenIn((await sendTo(ahead, credentials)).text);
    await pause(longerThanTokenMs);
    await sendTo(ahead, credentials);
    await ahead.stop();
    if (token === undefined) return findings.lack('nobody could sign in while the clock was ahead');
    const back = await startWithClock(0, tokenSeconds);
    const attempt = withToken({ method: 'GET', path: route.path }, token);
    const { status } = await sendTo(back, attempt);
    await back.stop();
    const problem = `${nameOf(route)} answers ${status} to a token that had expired`;
    findings.expect(status === 401, problem, attempt);
  },
);

async function sendTo({ url }: StartedProgram, attempt: Attempt): Promise<Answer> {
  const wire = new Wire(new URL(url));
  try {
    return await wire.send(attempt);
  } finally {
    wire.close();
  }
}

/** Expects that every route that takes a token refuses these tokens. */
export async function expectRefusedEverywhere(target: Target, tokens: readonly FaultyToken[]): Promise<void> {
  const { findings } = target;
  for (const operation of target.operations) {
    const { security, optionalSecurity = security } = operation;
    const isClosed = security.length > 0;
    const isBearer = optionalSecurity.some(({ kind }) => kind === 'bearer');
    if (!isClosed && !isBearer) continue;
    await atOnce(tokens, async ({ fault, authorization }) => {
      if (!isClosed && authorization === undefined) return;
      const valid = requestOf(operation);
      if (valid === undefined) return;
      const header = isBearer || authorization === undefined ? authorization : undefined;
      const attempt = {
        ...valid,
        headers: { ...valid.headers, ...(header === undefined ? {} : { authorization: header }) },
      };
      await findings.answers(attempt, refused, nameOf(operation), `to ${fault}`);
    });
  }
}

export const authentication: readonly Check[] = [
  faulty,
  otherKind,
  revoked,
  refreshReuse,
  forgedRefresh,
  clockSetBack,
  expired,
];

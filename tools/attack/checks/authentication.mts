import { setTimeout as pause } from 'node:timers/promises';
import { accessTokenIn, refreshTokenIn } from '../wire/answers.mts';
import { nameOf } from '../openapi/openapi.mts';
import { atOnce } from '../target/at-once.mts';
import { requestOf, takesBearer } from '../target/requests.mts';
import { type Check, nextSeed, type StartedProgram, type Target } from '../target/target.mts';
import { claimsOf, type FaultyToken, faultySigned, faultyTokens } from '../wire/tokens.mts';
import { type Answer, type Attempt, jsonAttempt } from '../wire/exchange.mts';
import { Wire } from '../wire/wire.mts';
import type { Findings } from '../target/results.mts';

const area = 'authentication';

/** A token of 20 KB may exceed what a service accepts as headers at all. */
const refused = new Set([401, 400, 431]);

/** Every route that is not public refuses every faulty token, and one whose caller is optional does not take it for none. */
const faulty: Check = {
  area,
  name: 'faulty tokens',
  run: async (target, findings) => {
    const valid = await target.callers.user.accessToken();
    const signed = target.secret === undefined ? [] : faultySigned(valid, target.secret, Date.now());
    if (target.secret === undefined)
      findings.note('tokens signed with the service’s own secret need --secret');
    await expectRefusedEverywhere(target, findings, [...faultyTokens(valid), ...signed]);
  },
};

/** A token of another kind: a refresh token is no access token. */
const otherKind: Check = {
  area,
  name: 'tokens of another kind',
  run: async (target, findings) => {
    const { refresh, callers, wire } = target;
    if (refresh === undefined || !callers.user.canSignIn)
      return findings.note('the service has no refresh tokens');
    const { method, path } = refresh.open;
    const { text } = await wire.send(jsonAttempt(method, path, callers.user.credentials));
    const token = refreshTokenIn(text);
    if (token === undefined) return findings.lack('no refresh token was issued');
    await expectRefusedEverywhere(target, findings, [
      { fault: 'a refresh token', authorization: `Bearer ${token}` },
    ]);
  },
};

/** After its sign-out a token is refused. */
const revoked: Check = {
  area,
  name: 'a token after its sign-out',
  run: async (target, findings) => {
    const { operations, callers, wire, refresh, signIn } = target;
    const logout = operations.find(
      ({ method, path }) => method === 'POST' && /log-?out|sign-?out/i.test(path),
    );
    const open = refresh?.open ?? signIn?.operation;
    if (!logout || !open || !callers.other.canSignIn)
      return findings.note('the service has no route to sign out');
    const { text } = await wire.send(jsonAttempt(open.method, open.path, callers.other.credentials));
    const token = accessTokenIn(text) ?? '';
    const ended = await wire.send({
      method: 'POST',
      path: logout.path,
      headers: { authorization: `Bearer ${token}` },
    });
    findings.expect(ended.status < 300, `POST ${logout.path} answered ${ended.status} to a valid token`);
    await expectRefusedEverywhere(target, findings, [
      { fault: 'a token after its sign-out', authorization: `Bearer ${token}` },
    ]);
  },
};

/** A real token, issued at the start, is refused when its time is over. */
const expired: Check = {
  area,
  name: 'a token after its expiry',
  run: async (target, findings) => {
    const token = target.callers.other.firstToken;
    if (token === undefined) return findings.note('the tokens were given, and are not waited for');
    const { exp } = claimsOf(token);
    const wait = Number(exp) * 1000 - Date.now();
    if (!(wait < target.effort.longestWaitMs))
      return findings.note('the expiry of a token was not waited for');
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait) + 1000));
    await expectRefusedEverywhere(target, findings, [
      { fault: 'a token that has expired', authorization: `Bearer ${token}` },
    ]);
  },
};

/** A refresh token has one successor: the one before the last is refused, however soon it comes again. */
const refreshReuse: Check = {
  area,
  name: 'a refresh token before the last',
  run: async ({ refresh, callers, wire }, findings) => {
    if (refresh === undefined || !callers.other.canSignIn)
      return findings.note('the service has no refresh tokens');
    const turn = (token: string): Attempt =>
      jsonAttempt(refresh.refresh.method, refresh.refresh.path, { [refresh.member]: token });
    const opened = await wire.send(
      jsonAttempt(refresh.open.method, refresh.open.path, callers.other.credentials),
    );
    const first = refreshTokenIn(opened.text) ?? '';
    const second = refreshTokenIn((await wire.send(turn(first))).text) ?? '';
    const third = refreshTokenIn((await wire.send(turn(second))).text) ?? '';
    if ([first, second, third].some((token) => token === ''))
      return findings.lack('the refresh tokens could not be turned');
    const reused = await wire.send(turn(first));
    findings.expect(
      reused.status === 401,
      `a refresh token whose successor was used is answered ${reused.status}`,
      turn(first),
    );
  },
};

/** Forged refresh tokens are refused. */
const forgedRefresh: Check = {
  area,
  name: 'forged refresh tokens',
  run: async ({ refresh, wire, addresses: [from] }, findings) => {
    if (refresh === undefined) return findings.note('the service has no refresh tokens');
    const forged = [
      `forged-${nextSeed()}`,
      'A'.repeat(5000),
      Buffer.alloc(48, nextSeed()).toString('base64url'),
      '\u0000',
    ];
    for (const token of forged) {
      const attempt = {
        ...jsonAttempt(refresh.refresh.method, refresh.refresh.path, { [refresh.member]: token }),
        from,
      };
      const { status } = await wire.send(attempt);
      findings.expect(
        [400, 401, 422, 429].includes(status),
        `a forged refresh token is answered ${status}`,
        attempt,
      );
    }
  },
};

const hourMs = 3_600_000;
const tokenSeconds = 1;
const longerThanTokenMs = 2500;

/** An expired token is not valid in a program that starts after the clock was set back. */
const clockSetBack: Check = {
  area,
  name: 'an expired token after the clock was set back',
  run: async ({ startWithClock, signIn, callers, operations }, findings) => {
    const route = operations.find(
      (one) => one.method === 'GET' && takesBearer(one) && !one.path.includes('{'),
    );
    if (!startWithClock || !signIn || !route)
      return findings.note('needs a program that can be started again');
    const { method, path } = signIn.operation;
    const credentials = jsonAttempt(method, path, callers.admin.credentials);
    const ahead = await startWithClock(hourMs, tokenSeconds);
    const token = accessTokenIn((await sendTo(ahead, credentials)).text);
    await pause(longerThanTokenMs);
    await sendTo(ahead, credentials);
    await ahead.stop();
    if (token === undefined) return findings.lack('nobody could sign in while the clock was ahead');
    const back = await startWithClock(0, tokenSeconds);
    const attempt: Attempt = {
      method: 'GET',
      path: route.path,
      headers: { authorization: `Bearer ${token}` },
    };
    const { status } = await sendTo(back, attempt);
    await back.stop();
    findings.expect(
      status === 401,
      `${nameOf(route)} answers ${status} to a token that had expired`,
      attempt,
    );
  },
};

async function sendTo({ url }: StartedProgram, attempt: Attempt): Promise<Answer> {
  const wire = new Wire(new URL(url));
  try {
    return await wire.send(attempt);
  } finally {
    wire.close();
  }
}

/** Every route that takes a token refuses these. */
export async function expectRefusedEverywhere(
  target: Target,
  findings: Findings,
  tokens: readonly FaultyToken[],
): Promise<void> {
  for (const operation of target.operations) {
    const { security, optionalSecurity = security } = operation;
    const isClosed = security.length > 0;
    const isBearer = optionalSecurity.some(({ kind }) => kind === 'bearer');
    if (!isClosed && !isBearer) continue;
    await atOnce(tokens, async ({ fault, authorization }) => {
      if (!isClosed && authorization === undefined) return;
      const valid = requestOf(operation);
      if (valid === undefined) return;
      const given = isBearer || authorization === undefined ? authorization : undefined;
      const attempt = {
        ...valid,
        headers: { ...valid.headers, ...(given === undefined ? {} : { authorization: given }) },
      };
      const { status } = await target.wire.send(attempt);
      findings.expect(refused.has(status), `${nameOf(operation)} answers ${status} to ${fault}`, attempt);
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

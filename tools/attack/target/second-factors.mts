import type { Operation, Schema } from '../openapi/openapi.mts';
import { jsonAttempt } from '../wire/exchange.mts';
import type { Answer, Attempt } from '../wire/exchange.mts';
import { totpCode } from '../wire/totp.mts';
import type { Wire } from '../wire/wire.mts';
import { makeAccount, whyNoAccount } from './accounts.mts';
import type { Caller } from './callers.mts';
import { requestOf, takesBearer } from './requests.mts';
import type { Target } from './target.mts';

/** The routes of codes of an authenticator application as second factor. */
interface SecondFactorRoutes {
  readonly enrol: Operation;
  readonly confirm: Operation;
  /** Takes the password, and gives the token of a pending sign-in. */
  readonly begin: Operation;
  readonly complete: Operation;
  /** The member of `complete` that has this token. */
  readonly tokenMember: string;
}

const pendingToken = /^(?:mfa|challenge|pending)_?token$/i;

/** Finds them by what they take and give. */
function findSecondFactor({ operations, refresh, signIn }: Target): SecondFactorRoutes | undefined {
  const posts = operations.filter(({ method }) => method === 'POST');
  const enrol = posts.find(
    (one) => takesBearer(one) && has(one.answer, /^secret$/) && has(one.answer, /^(?:uri|qr)/),
  );
  const confirm = posts.find(
    (one) => takesBearer(one) && has(one.body, /^code$/) && has(one.answer, /recovery_?codes/i),
  );
  const complete = posts.find(
    (one) => one.security.length === 0 && has(one.body, pendingToken) && has(one.body, /^code$/),
  );
  const begin = refresh?.open ?? signIn?.operation;
  const tokenMember = has(complete?.body, pendingToken);
  return enrol && confirm && complete && begin && tokenMember !== undefined
    ? { enrol, confirm, begin, complete, tokenMember }
    : undefined;
}

/** An account whose sign-ins need a second factor. */
export interface Enrolled {
  readonly routes: SecondFactorRoutes;
  readonly owner: Caller;
  readonly secret: string;
  /** Of the confirmation: used. */
  readonly usedCode: string;
  readonly recoveryCodes: readonly string[];
}

/** Makes an account with an authenticator application. @returns why it cannot be made */
export async function enrolApplication(target: Target): Promise<Enrolled | string> {
  const routes = findSecondFactor(target);
  if (!routes) return 'no route enrols an authenticator application';
  const { wire, addresses } = target;
  const owner = await makeAccount(target, addresses[0]);
  if (!owner) return whyNoAccount(target);
  const headers = await owner.headers();
  const begun = await wire.send(
    requestOf(routes.enrol, { headers }) ?? { method: 'POST', path: routes.enrol.path },
  );
  const secret = textIn(begun, 'secret');
  const usedCode = totpCode(secret);
  const { method, path } = routes.confirm;
  const confirmed = await wire.send(jsonAttempt(method, path, { code: usedCode }, headers));
  const [, list = ''] = /"recovery_?codes"\s*:\s*(\[[^\]]*\])/i.exec(confirmed.text) ?? [];
  if (list === '') return `${path} answers ${confirmed.status} to the code of an application`;
  return { routes, owner, secret, usedCode, recoveryCodes: JSON.parse(list) };
}

/** A sign-in that waits for its second factor. */
export interface Pending {
  readonly token: string;
  /** Completes it; a code of an application unless another factor is named. */
  readonly attempt: (code: string, factor?: RegExp) => Attempt;
}

/** Signs in with the password alone. */
export async function beginSignIn(
  { begin, complete, tokenMember }: SecondFactorRoutes,
  { credentials, from }: Caller,
  wire: Wire,
): Promise<Pending> {
  const { text } = await wire.send({ ...jsonAttempt(begin.method, begin.path, credentials), from });
  const token = new RegExp(`"${tokenMember}"\\s*:\\s*"([^"]+)"`).exec(text)?.[1] ?? '';
  const kinds = /"factors"\s*:\s*\[([^\]]*)\]/.exec(text)?.[1]?.match(/[\w-]+/g) ?? [];
  return {
    token,
    attempt: (code, factor = /totp|otp|app/i) => {
      const body = { [tokenMember]: token, factor: kinds.find((kind) => factor.test(kind)), code };
      return { ...jsonAttempt(complete.method, complete.path, body), from };
    },
  };
}

/** Of a list in a response, as the factor of a recovery code. */
export const recovery = /recovery|backup/i;

function has(schema: Schema | undefined, name: RegExp): string | undefined {
  return Object.keys(schema?.properties ?? {}).find((one) => name.test(one));
}

/** A member of a response; empty without it. */
export function textIn({ text }: Answer, name: string): string {
  return new RegExp(`"${name}"\\s*:\\s*"([^"]+)"`).exec(text)?.[1] ?? '';
}

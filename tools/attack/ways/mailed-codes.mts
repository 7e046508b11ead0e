import { membersOf, type Operation } from '../openapi/openapi.mts';
import type { Target } from '../target/target.mts';
import { type Attempt, jsonTo } from '../wire/exchange.mts';
import { textIn } from './second-factors.mts';

/** The sign-in by a code in a mail. */
export interface MailedCodes {
  readonly request: Operation;
  /** Requests a code, and returns the nonce that completes the sign-in with the code. */
  ask(username: string): Promise<string>;
  /** Returns the newest mailed code; `''` if the outbox has no code. */
  codeTo(username: string): Promise<string>;
  attempt(nonce: string, code: string): Attempt;
}

/** Finds the routes for mailed codes; `undefined` if the service has no such routes or no readable mails. */
export function findMailedCodes({ operations, wire, mailsTo, addresses }: Target): MailedCodes | undefined {
  const posts = operations.filter(({ method, security }) => method === 'POST' && security.length === 0);
  const request = posts.find(
    (post) => membersOf(post).length === 1 && Object.keys(post.answer?.properties ?? {}).join() === 'nonce',
  );
  const complete = posts.find((post) => ['nonce', 'code'].every((name) => membersOf(post).includes(name)));
  if (!request || !complete || !mailsTo) return undefined;
  const [member = ''] = membersOf(request);
  const [from] = addresses;
  return {
    request,
    ask: async (username) =>
      textIn(await wire.send({ ...jsonTo(request, { [member]: username }), from }), 'nonce'),
    codeTo: async (username) => (await mailsTo(username))[0] ?? '',
    attempt: (nonce, code) => ({ ...jsonTo(complete, { nonce, code }), from }),
  };
}

import { has, nameOf, type Operation, type Schema } from '../openapi/openapi.mts';
import { claimsOf } from '../wire/tokens.mts';
import { type Answer, type Attempt, jsonTo } from '../wire/exchange.mts';
import type { Wire } from '../wire/wire.mts';
import { accessTokenIn, refreshTokenIn } from '../wire/answers.mts';

/** An account as it is given: `email:password`, or `Bearer <token>` for a service without a sign-in of its own. */
export type GivenAccount = string;

/** A route that exchanges a name and a password for a token, and the members of its body. */
export interface SignInRoute {
  readonly operation: Operation;
  readonly nameMember: string;
  readonly passwordMember: string;
}

/** Tokens are renewed this long before they expire. */
const marginMs = 20_000;

/** An account that calls the service, which keeps its token valid. */
export class Caller {
  readonly name: string;
  private readonly given: GivenAccount;
  private readonly route: SignInRoute | undefined;
  private readonly wire: Wire;
  private token: string | undefined;
  /** A sign-in's first token, kept to see it expire. */
  firstToken: string | undefined;
  /** The source address for the sign-ins; `undefined` for the default address. */
  readonly from: string | undefined;

  constructor(
    name: string,
    account: GivenAccount,
    route: SignInRoute | undefined,
    wire: Wire,
    from?: string,
  ) {
    this.from = from;
    this.name = name;
    this.given = account;
    this.route = route;
    this.wire = wire;
    this.token = /^Bearer (.+)$/.exec(account)?.[1];
    if (this.canSignIn) this.wire.watch.keep(`the password of ${name}`, this.password);
  }

  /** Returns a caller with the same account at a different program. */
  at(wire: Wire): Caller {
    return new Caller(this.name, this.given, this.route, wire, this.from);
  }

  /** Whether it has a password and the service a route for it. */
  get canSignIn(): boolean {
    return this.route !== undefined && !this.given.startsWith('Bearer ');
  }

  /** The body of its sign-in, to be changed by a check. */
  get credentials(): Record<string, string> {
    if (this.route === undefined) return {};
    return { [this.route.nameMember]: this.username, [this.route.passwordMember]: this.password };
  }

  get username(): string {
    return this.given.slice(0, this.given.indexOf(':'));
  }

  get password(): string {
    return this.given.slice(this.given.indexOf(':') + 1);
  }

  /** The account's id, if its tokens tell. */
  get id(): string | undefined {
    return idIn(this.token ?? '');
  }

  /**
   * Returns a valid access token. Keeps the current token unless it expires soon.
   *
   * @throws Error if the account cannot sign in
   */
  async accessToken(): Promise<string> {
    const { exp } = claimsOf(this.token ?? '');
    const isFresh =
      this.token !== undefined && (typeof exp !== 'number' || exp * 1000 - Date.now() > marginMs);
    if (!isFresh && this.canSignIn) this.token = await this.signedIn();
    if (this.canSignIn) this.firstToken ??= this.token;
    if (this.token === undefined) throw new Error(`${this.name} has neither a token nor a way to sign in`);
    return this.token;
  }

  /** Signs in again and returns the new session's headers. */
  async anotherSignIn(): Promise<{ readonly authorization: string }> {
    return { authorization: `Bearer ${await this.signedIn()}` };
  }

  private async signedIn(): Promise<string> {
    const { status, text } = await this.signIn();
    const token = accessTokenIn(text);
    if (token === undefined)
      throw new Error(`${this.name} could not sign in: ${status} ${text.slice(0, 200)}`);
    return token;
  }

  /** An authenticated request's headers. */
  async headers(): Promise<{ readonly authorization: string }> {
    return { authorization: `Bearer ${await this.accessToken()}` };
  }

  /** Sends the account's credentials. */
  signIn(from = this.from): Promise<Answer> {
    return this.wire.send({ ...this.signInAttempt(), from });
  }

  /** Makes a sign-in request, optionally with a different name or password. */
  signInAttempt({ name = this.username, password = this.password } = {}): Attempt {
    if (this.route === undefined) throw new Error(`the document has no route for ${this.name} to sign in`);
    const { operation, nameMember, passwordMember } = this.route;
    return jsonTo(operation, { [nameMember]: name, [passwordMember]: password });
  }

  /** Opens a session with a refresh token. Returns the response and the token, if it has a token. */
  async openSession(
    { open }: RefreshRoutes,
    from?: string,
  ): Promise<Answer & { readonly refreshToken?: string }> {
    const answer = await this.wire.send({ ...jsonTo(open, this.credentials), from });
    return { ...answer, refreshToken: refreshTokenIn(answer.text) };
  }
}

/** Returns the account id in a token; `undefined` if the token does not state it. */
export function idIn(token: string): string | undefined {
  const { sub } = claimsOf(token);
  return typeof sub === 'string' || typeof sub === 'number' ? String(sub) : undefined;
}

/**
 * Finds the sign-in route. It is public, takes a name and a password in its body, and responds with a token. If several routes
 * match, returns the route with the fewest response members, so that it opens nothing besides the token.
 */
export function findSignIn(operations: readonly Operation[]): SignInRoute | undefined {
  const routes = operations.flatMap((operation) => {
    const { properties = {} } = operation.body ?? {};
    const names = Object.keys(properties);
    const passwordMember = names.find((name) => /^pass(?:word|phrase)?$/i.test(name));
    const nameMember = names.find((name) => /^(?:user_?name|e?-?mail|login|identifier|user)$/i.test(name));
    const isSignIn = operation.method === 'POST' && operation.security.length === 0 && givesToken(operation);
    return isSignIn && passwordMember && nameMember ? [{ operation, nameMember, passwordMember }] : [];
  });
  const members = ({ operation }: SignInRoute) => Object.keys(operation.answer?.properties ?? {}).length;
  return routes.toSorted((a, b) => members(a) - members(b))[0];
}

/** Whether an operation responds with a token. Decides by the path if the response is not described. */
function givesToken(operation: Operation): boolean {
  const names = Object.keys(operation.answer?.properties ?? {});
  return names.length > 0
    ? names.some((name) => /token|jwt/i.test(name))
    : /login|sign-?in|token|session/i.test(nameOf(operation));
}

/** The route that issues a refresh token, and the route that takes it. */
export interface RefreshRoutes {
  readonly open: Operation;
  readonly refresh: Operation;
  /** The member that holds the token in the body of `refresh`. */
  readonly member: string;
}

/** Finds the routes of refresh tokens. */
export function findRefresh(operations: readonly Operation[]): RefreshRoutes | undefined {
  const open = operations.find(({ answer, body }) => refreshMember(answer) && has(body, /^pass/i));
  const refresh = operations.find(
    (operation) => operation.security.length === 0 && refreshMember(operation.body) !== undefined,
  );
  return open && refresh && { open, refresh, member: refreshMember(refresh.body) ?? 'refresh_token' };
}

/** The request that exchanges a refresh token. */
export function refreshBy({ refresh, member }: RefreshRoutes, token: string, from?: string): Attempt {
  return { ...jsonTo(refresh, { [member]: token }), from };
}

function refreshMember(schema: Schema | undefined): string | undefined {
  return has(schema, /^refresh_?token$/i);
}

import { readDuration, setting } from '@app/settings';

/** The asymmetric algorithms that keys of an issuer may have; `HS256` and `none` are not among them. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Values of a claim, and what they are here. */
export interface ClaimMap {
  /** Its name, or its path: `realm_access.roles`. */
  readonly claim: string;
  /** A value of the claim, and the name here; the first that the token has is taken where there is one. */
  readonly names: readonly (readonly [value: string, name: string])[];
}

/** What is accepted of one issuer. */
export interface IssuerRules {
  /** Exactly as in `iss`, and as in the metadata of the issuer. */
  readonly issuer: string;
  /** What `aud` must have. */
  readonly audience: string;
  /** `any` also accepts tokens whose `typ` is not `at+jwt`. */
  readonly type: 'at+jwt' | 'any';
  readonly algorithms: readonly string[];
  /** From `iat` to `exp`; a token that lives longer is rejected. */
  readonly lifetimeSeconds: number;
  /** How far the clock of the issuer may differ. */
  readonly leewaySeconds: number;
  /** Whether a caller has an account, created with its first token. */
  readonly hasAccounts: boolean;
  /** The role of a caller; without it, the one of the account. */
  readonly roles?: ClaimMap;
  /** The scopes that a caller is restricted to; without it, the caller is not. */
  readonly scopes?: ClaimMap;
  /** The claims, `acr` or `amr`, with the values of a sign-in by two factors at the issuer. */
  readonly twoFactors: readonly (readonly [claim: string, value: string])[];
}

type Options = Readonly<Record<string, string>>;

const optionNames = [
  'audience',
  'type',
  'algorithms',
  'lifetime',
  'leeway',
  'accounts',
  'roles',
  'scopes',
  'role-map',
  'scope-map',
  'two-factors',
];

/**
 * Issuers with their options, separated by spaces or lines: `https://id.example.com audience=shop-api lifetime=1h
 * https://other.example.com …`.
 */
export function trustedIssuers() {
  return setting<readonly IssuerRules[]>(
    (text) => {
      const rules = readTrustedIssuers(text);
      return typeof rules === 'string' ? undefined : rules;
    },
    (text) => {
      const rules = readTrustedIssuers(text);
      return typeof rules === 'string' ? rules : '';
    },
  );
}

/** @returns what is wrong, as the rest of a sentence that starts with the name of the variable */
export function readTrustedIssuers(text: string): readonly IssuerRules[] | string {
  const rules: IssuerRules[] = [];
  for (const [issuer = '', ...words] of issuersIn(text.trim().split(/\s+/))) {
    const read = isIssuerUrl(issuer)
      ? readRules(issuer, words)
      : `must begin with the URL of an issuer: https, or http of this machine, without a query, such as https://id.example.com/realms/shop`;
    if (typeof read === 'string') return read;
    if (rules.some((other) => other.issuer === issuer)) return `names the issuer ${issuer} twice`;
    rules.push(read);
  }
  return rules;
}

/** Each begins with its URL. */
function issuersIn(words: readonly string[]): string[][] {
  const issuers: string[][] = [];
  for (const word of words) {
    const last = issuers.at(-1);
    if (last === undefined || /^https?:/.test(word)) issuers.push([word]);
    else last.push(word);
  }
  return issuers;
}

/** Plain HTTP never leaves the machine: whoever is on the way would choose the keys. */
export function isIssuerUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

/** Whether the metadata of an issuer may name this URL, which may have a query (RFC 8414): plain HTTP only where the issuer has it. */
export function isUrlOf(issuer: string, text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol === 'https:') return true;
  return url !== null && issuer.startsWith('http:') && isIssuerUrl(`${url.origin}${url.pathname}`);
}

function isLoopback({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function readRules(issuer: string, words: readonly string[]): IssuerRules | string {
  const options: Record<string, string> = {};
  for (const word of words) {
    const [, name = '', value = ''] = /^([a-z-]+)=(.+)$/.exec(word) ?? [];
    if (!optionNames.includes(name))
      return `has ${JSON.stringify(word)} for ${issuer}: options are ${optionNames.join(', ')}, such as audience=shop-api`;
    if (Object.hasOwn(options, name)) return `has ${name} twice for ${issuer}`;
    options[name] = value;
  }
  return rulesOf(issuer, options);
}

function rulesOf(issuer: string, options: Options): IssuerRules | string {
  const { audience, type = 'at+jwt', accounts = 'on' } = options;
  const [lifetime, leeway] = [options.lifetime ?? '1h', options.leeway ?? '10s'].map(secondsIn);
  const names = options.algorithms?.split(',') ?? algorithms;
  const [roles, scopes] = [mapOf(options, 'roles', 'role-map'), mapOf(options, 'scopes', 'scope-map')];
  if (audience === undefined) return `has no audience for ${issuer}, such as audience=shop-api`;
  if (type !== 'at+jwt' && type !== 'any') return `has a type for ${issuer} that is not at+jwt or any`;
  if (accounts !== 'on' && accounts !== 'off')
    return `has accounts=${accounts} for ${issuer}: it is on or off`;
  const twoFactors = options['two-factors']?.split(',').map(splitPair) ?? [];
  const unknown = names.find((name) => !algorithms.includes(name));
  if (unknown !== undefined)
    return `has the algorithm ${unknown} for ${issuer}: they are ${algorithms.join(', ')}`;
  if (!(lifetime >= 1 && lifetime <= 86_400))
    return `has a lifetime for ${issuer} that is not a duration from 1s to 1d`;
  if (!(leeway >= 1 && leeway <= 60))
    return `has a leeway for ${issuer} that is not a duration from 1s to 1m`;
  if (roles === false || scopes === false)
    return `has a claim or a map alone for ${issuer}: roles=realm_access.roles role-map=operator:admin, and scopes=scope scope-map=orders.read:read`;
  if (!twoFactors.every(([claim]) => claim === 'acr' || claim === 'amr'))
    return `has two-factors for ${issuer} that are not values of acr or amr, such as two-factors=amr:mfa,acr:gold`;
  return {
    issuer,
    audience,
    type,
    algorithms: names,
    lifetimeSeconds: lifetime,
    leewaySeconds: leeway,
    hasAccounts: accounts === 'on',
    roles,
    scopes,
    twoFactors,
  };
}

function secondsIn(text: string): number {
  return (readDuration(text) ?? NaN) / 1000;
}

/** @returns `false` if one is without the other: a role of the issuer is none here because it has the same name */
function mapOf(options: Options, claimOption: string, mapOption: string): ClaimMap | undefined | false {
  const [claim, map] = [options[claimOption], options[mapOption]];
  if (claim === undefined && map === undefined) return undefined;
  if (claim === undefined || map === undefined) return false;
  const names = map.split(',').map(splitPair);
  return names.every(([value]) => value !== '') ? { claim, names } : false;
}

/** The texts before and after the first colon; both are empty if either is. */
function splitPair(pair: string): [string, string] {
  const [, before = '', after = ''] = /^([^:]+):(.+)$/.exec(pair) ?? [];
  return [before, after];
}

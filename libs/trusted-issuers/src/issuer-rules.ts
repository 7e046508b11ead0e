import { isIssuerUrl } from '@app/auth';
import { readDuration, setting } from '@app/settings';

/** The asymmetric algorithms that keys of an issuer may have; `HS256` and `none` are not among them. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** A map from claim values to names in this application. */
export interface ClaimMap {
  /** The claim's name or path, such as `realm_access.roles`. */
  readonly claim: string;
  /** Pairs of a claim value and its name here. For a role, the first pair that matches the token applies. */
  readonly names: readonly (readonly [value: string, name: string])[];
}

/** The rules for an issuer's tokens. */
export interface IssuerRules {
  /** The issuer, exactly as in `iss` and in its metadata. */
  readonly issuer: string;
  /** The required audience in `aud`. */
  readonly audience: string;
  /** The required `typ`; `any` also accepts types besides `at+jwt`. */
  readonly type: 'at+jwt' | 'any';
  readonly algorithms: readonly string[];
  /** The maximum time from `iat` to `exp`. Tokens with a longer lifetime are rejected. */
  readonly lifetimeSeconds: number;
  /** The tolerance for the issuer's clock. */
  readonly leewaySeconds: number;
  /** Whether callers have accounts, which their first token creates. */
  readonly hasAccounts: boolean;
  /** The map for the caller's role. If it is absent, the account's role applies. */
  readonly roles?: ClaimMap;
  /** The map for the caller's scopes. If it is absent, the caller is unrestricted. */
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
 * Issuers with their options, separated by spaces or lines:
 * `https://id.example.com audience=shop-api lifetime=1h https://other.example.com …`.
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

/** @returns the rules, or the error as the rest of a sentence that starts with the variable's name */
export function readTrustedIssuers(text: string): readonly IssuerRules[] | string {
  const rules: IssuerRules[] = [];
  for (const [issuer = '', ...words] of issuersIn(text.trim().split(/\s+/))) {
    const read = isIssuerUrl(issuer)
      ? readRules(issuer, words)
      : `must begin with the URL of an issuer: https, or http of this machine, without a query, such as https://id.example.com/realms/shop`;
    if (typeof read === 'string') return read;
    if (rules.some((rule) => rule.issuer === issuer)) return `names the issuer ${issuer} twice`;
    rules.push(read);
  }
  return rules;
}

/** Splits the words by issuer. Each issuer begins with its URL. */
function issuersIn(words: readonly string[]): string[][] {
  const issuers: string[][] = [];
  for (const word of words) {
    const last = issuers.at(-1);
    if (last === undefined || /^https?:/.test(word)) issuers.push([word]);
    else last.push(word);
  }
  return issuers;
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

/** @returns `false` if only a single option is present, because equal names do not map an issuer's role */
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

import { isIssuerUrl } from '@app/auth';
import { readDuration, setting } from '@app/settings';

/** The rules for introspecting a trusted issuer's opaque tokens. */
export interface IntrospectionRules {
  /** The URL of a trusted issuer. */
  readonly issuer: string;
  /** Our client id at the issuer. */
  readonly client: string;
  readonly secret: string;
  /** The maximum time for which a response is used, in seconds. A token that the issuer revokes is accepted until then. */
  readonly cacheSeconds: number;
}

const form = 'https://id.example.com/realms/shop client=shop-api secret=… cache=1m';

/**
 * A trusted issuer and the client that introspects its tokens: `https://id.example.com/realms/shop client=shop-api secret=…`.
 * Only a single issuer is possible, because an opaque token must only be sent to its own issuer, which it does not name.
 */
export function tokenIntrospection() {
  return setting<IntrospectionRules>(
    (text) => {
      const rules = readIntrospection(text);
      return typeof rules === 'string' ? undefined : rules;
    },
    (text) => {
      const rules = readIntrospection(text);
      return typeof rules === 'string' ? rules : '';
    },
  );
}

/** @returns the rules, or the error as the rest of a sentence that starts with the variable's name; it omits the text */
export function readIntrospection(text: string): IntrospectionRules | string {
  const [issuer = '', ...words] = text.trim().split(/\s+/);
  if (!isIssuerUrl(issuer)) return `must begin with the URL of a trusted issuer, such as ${form}`;
  const options = new Map(words.map((word) => [word.split('=', 1)[0], word.slice(word.indexOf('=') + 1)]));
  if (words.some((word) => !/^(?:client|secret|cache)=./.test(word)) || options.size < words.length)
    return `must have the options client, secret and cache, each once, such as ${form}`;
  const { client, secret, cache = '1m' } = Object.fromEntries(options);
  if (client === undefined || secret === undefined)
    return `must have a client and its secret, such as ${form}`;
  const cacheSeconds = (readDuration(cache) ?? NaN) / 1000;
  if (!(cacheSeconds >= 1 && cacheSeconds <= 3600)) return 'must have a cache of a duration from 1s to 1h';
  return { issuer, client, secret, cacheSeconds };
}

import { prototypeOf } from '../../shapes/values';
import { code } from '../../shapes/code/code';
import type { JsonSchema } from '../../shapes/wire/meaning';
import { contains, isMongoId, isNumberString, isURL, isUUID } from 'class-validator';
import { emailTest } from './email';
import type { ByName, RuleFacts, RuleTest } from './rule';

const HEX = '[0-9a-fA-F]';

const VERSIONS = ['1', '2', '3', '4', '5', '6', '7', '8'];
const MONGO_ID = new RegExp(`^${HEX}{24}$`);
const DIGITS = /^[0-9]+$/;

export const patternTests: ByName<RuleTest> = {
  IsEmail: emailTest,
  /** Compiles regular expressions that have no state (`g`, `y`) and only original members. */
  Matches: {
    test: ([pattern]) =>
      isPlain(pattern) ? (value) => typeof value === 'string' && pattern.test(value) : undefined,
    emit: (value, scope, [pattern]) =>
      code`(typeof ${value} === 'string' && ${scope.hoist(pattern, 'pattern')}.test(${value}))`,
  },
  Contains: { calls: contains },
  IsUrl: { calls: isURL },
  /** Validates usual UUIDs by their characters, with the version digits of the installed library, and others by the library. */
  IsUUID: {
    test: ([version]) => {
      if (version !== undefined && !['all', ...VERSIONS].includes(version as string)) return undefined;
      const isValid = (text: string) => isUUID(text, version as undefined);
      const digits = VERSIONS.filter((digit) => isValid(`00000000-0000-${digit}000-8000-000000000000`));
      if (digits.length === 0) return undefined;
      const usual = new RegExp(
        `^${HEX}{8}-${HEX}{4}-[${digits.join('')}]${HEX}{3}-[89abAB]${HEX}{3}-${HEX}{12}$`,
      );
      return (value) =>
        typeof value === 'string' && value.length === 36 && (usual.test(value) || isValid(value));
    },
  },
  /** Leaves unusual values to the library, which also accepts `0x` before fewer digits. */
  IsMongoId: {
    test: () => (value) => typeof value === 'string' && (MONGO_ID.test(value) || isMongoId(value)),
  },
  /** Accepts digits directly, because they are numbers with every option. */
  IsNumberString: {
    throws: true,
    test:
      ([options]) =>
      (value) =>
        typeof value === 'string' && (DIGITS.test(value) || isNumberString(value, options as undefined)),
  },
  /** Marks rules as expensive that parse phone numbers, or look up time zones with `Intl`. */
  IsPhoneNumber: { isExpensive: true },
  IsTimeZone: { isExpensive: true },
};

function isPlain(pattern: unknown): pattern is RegExp {
  return (
    pattern instanceof RegExp &&
    prototypeOf(pattern) === RegExp.prototype &&
    Reflect.ownKeys(pattern).length === 1 &&
    !pattern.global &&
    !pattern.sticky
  );
}

export const patternFacts: ByName<RuleFacts> = {
  IsEmail: { takes: 'text', keywords: () => ({ type: 'string', format: 'email' }) },
  Matches: { arguments: ['pattern'], takes: 'text', keywords: (pattern: unknown) => patternOf(pattern) },
  Contains: { arguments: ['text'], takes: 'text', keywords: (part: string) => written(escaped(part)) },
  NotContains: {
    arguments: ['text'],
    takes: 'text',
    keywords: (part: string) => ({ type: 'string', not: { pattern: escaped(part) } }),
  },
  IsUrl: { takes: 'text', keywords: url },
  IsUUID: {
    key: 'isUuid',
    arguments: ['version'],
    takes: 'text',
    keywords: (version?: string) => uuid(version),
  },
  IsMongoId: { takes: 'text', keywords: () => written('^[0-9A-Fa-f]{24}$') },
  IsNumberString: { takes: 'text' },
  IsAlpha: {
    takes: 'text',
    keywords: (locale?: string) => (locale === undefined ? written('^[A-Za-z]+$') : undefined),
  },
  IsAlphanumeric: {
    takes: 'text',
    keywords: (locale?: string) => (locale === undefined ? written('^[0-9A-Za-z]+$') : undefined),
  },
  IsHexadecimal: { takes: 'text', keywords: () => written('^(?:0[xXhH])?[0-9A-Fa-f]+$') },
  IsBooleanString: {
    takes: 'text',
    keywords: () => ({ type: 'string', enum: ['true', 'false', '1', '0'] }),
  },
  IsIP: {
    key: 'isIp',
    arguments: ['version'],
    takes: 'text',
    keywords: (version?: string | number) =>
      version === undefined ? undefined : { type: 'string', format: `ipv${version}` },
  },
  IsMobilePhone: { arguments: ['locale'], takes: 'text' },
  IsPhoneNumber: { arguments: ['region'], takes: 'text' },
  IsFQDN: { key: 'isFqdn', takes: 'text' },
  IsFirebasePushId: { key: 'IsFirebasePushId', takes: 'text' },
  IsISBN: { key: 'isIsbn', takes: 'text' },
  IsISIN: { key: 'isIsin', takes: 'text' },
  IsJSON: { key: 'isJson', takes: 'text' },
  IsJWT: { key: 'isJwt', takes: 'text' },
  IsMACAddress: { key: 'isMacAddress', takes: 'text' },
};

/** Returns the schema for a string that matches a pattern. */
function written(pattern: string): JsonSchema {
  return { type: 'string', pattern };
}

/** Escapes a text like `RegExp.escape`, which Node has since 24, for a pattern without a character class. */
function escaped(part: string): string {
  return part.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
}

/** Returns the schema for a pattern. A JSON Schema pattern has no flags and is interpreted as with `u`. */
function patternOf(pattern: unknown): JsonSchema {
  const described = { type: 'string', description: `Matches ${String(pattern)}.` };
  if (!(pattern instanceof RegExp) || !/^u?$/.test(pattern.flags)) return described;
  try {
    return written(new RegExp(pattern.source, 'u').source);
  } catch {
    return described;
  }
}

/** The options that refuse addresses which the keywords allow. */
const narrowing = ['host_whitelist', 'host_blacklist', 'max_allowed_length', 'require_port'];

/** Returns the URL keywords. If the protocol is optional, `example.com` is accepted, so the format is a reference. */
function url(options: Readonly<Record<string, unknown>> = {}): JsonSchema | undefined {
  if (narrowing.some((name) => name in options)) return undefined;
  const {
    protocols = ['http', 'https', 'ftp'],
    require_protocol: isAbsolute,
    validate_length: isBounded,
  } = options;
  const names = [protocols].flat().map(String);
  const hasProtocol = isAbsolute === true && options['require_valid_protocol'] !== false;
  return {
    type: 'string',
    format: isAbsolute ? 'uri' : 'uri-reference',
    minLength: 1,
    ...(isBounded !== false && { maxLength: 2084 }),
    ...(hasProtocol && { pattern: `^(?:${names.map(anyCase).join('|')}):` }),
    examples: [`${names.includes('https') ? 'https' : names[0]}://example.com/`],
  };
}

/** Returns a pattern for a protocol in any case, because a JSON Schema pattern has no flags. */
function anyCase(name: string): string {
  return escaped(name).replaceAll(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);
}

const hex = (count: number) => `[0-9A-Fa-f]{${count}}`;

function uuid(version = '[1-8]'): JsonSchema | undefined {
  if (!/^(?:[1-8]|\[1-8\])$/.test(version)) return undefined;
  const pattern = `^${hex(8)}-${hex(4)}-${version}${hex(3)}-[89ABab]${hex(3)}-${hex(12)}$`;
  return { type: 'string', format: 'uuid', pattern };
}

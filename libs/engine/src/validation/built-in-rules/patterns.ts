import { code } from '../../shapes/code/code';
import type { JsonSchema } from '../../shapes/wire/meaning';
import { contains, isMongoId, isNumberString, isURL, isUUID } from 'class-validator';
import { isEmail } from './email';
import { rule } from './rule';

const HEX = '[0-9a-fA-F]';

const VERSIONS = ['1', '2', '3', '4', '5', '6', '7', '8'];
const MONGO_ID = new RegExp(`^${HEX}{24}$`);
const DIGITS = /^[0-9]+$/;

export const patternRules = [
  isEmail,
  /** Compiles regular expressions that have no state (`g`, `y`) and only original members. */
  rule({
    name: 'Matches',
    arguments: ['pattern'],
    takes: 'text',
    keywords: (pattern: unknown) => patternOf(pattern),
    test: ([pattern]) =>
      isPlain(pattern) ? (value) => typeof value === 'string' && pattern.test(value) : undefined,
    emit: (value, scope, [pattern]) =>
      code`(typeof ${value} === 'string' && ${scope.hoist(pattern, 'pattern')}.test(${value}))`,
  }),
  rule({
    name: 'Contains',
    arguments: ['text'],
    takes: 'text',
    keywords: (part: string) => written(escaped(part)),
    calls: contains,
  }),
  rule({
    name: 'NotContains',
    arguments: ['text'],
    takes: 'text',
    keywords: (part: string) => ({ type: 'string', not: { pattern: escaped(part) } }),
  }),
  rule({ name: 'IsUrl', takes: 'text', calls: isURL, keywords: url }),
  /** Validates usual UUIDs by their characters, with the version digits of the installed library, and others by the library. */
  rule({
    name: 'IsUUID',
    key: 'isUuid',
    arguments: ['version'],
    takes: 'text',
    keywords: (version?: string) => uuid(version),
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
  }),
  /** Leaves unusual values to the library, which also accepts `0x` before fewer digits. */
  rule({
    name: 'IsMongoId',
    takes: 'text',
    keywords: () => written('^[0-9A-Fa-f]{24}$'),
    test: () => (value) => typeof value === 'string' && (MONGO_ID.test(value) || isMongoId(value)),
  }),
  /** Accepts digits directly, because they are numbers with every option. */
  rule({
    name: 'IsNumberString',
    takes: 'text',
    throws: true,
    test:
      ([options]) =>
      (value) =>
        typeof value === 'string' && (DIGITS.test(value) || isNumberString(value, options as undefined)),
  }),
  rule({
    name: 'IsAlpha',
    takes: 'text',
    keywords: (locale?: string) => (locale === undefined ? written('^[A-Za-z]+$') : undefined),
  }),
  rule({
    name: 'IsAlphanumeric',
    takes: 'text',
    keywords: (locale?: string) => (locale === undefined ? written('^[0-9A-Za-z]+$') : undefined),
  }),
  rule({ name: 'IsHexadecimal', takes: 'text', keywords: () => written('^(?:0[xXhH])?[0-9A-Fa-f]+$') }),
  rule({
    name: 'IsBooleanString',
    takes: 'text',
    keywords: () => ({ type: 'string', enum: ['true', 'false', '1', '0'] }),
  }),
  rule({
    name: 'IsIP',
    key: 'isIp',
    arguments: ['version'],
    takes: 'text',
    keywords: (version?: string | number) =>
      version === undefined ? undefined : { type: 'string', format: `ipv${version}` },
  }),
  rule({ name: 'IsMobilePhone', arguments: ['locale'], takes: 'text' }),
  /** Marks rules as expensive that parse phone numbers, or look up time zones with `Intl`. */
  rule({ name: 'IsPhoneNumber', arguments: ['region'], takes: 'text', isExpensive: true }),
  rule({ name: 'IsTimeZone', takes: 'text', isExpensive: true }),
  ...[
    ...['IsAscii', 'IsBIC', 'IsBase32', 'IsBase58', 'IsBase64', 'IsBtcAddress', 'IsCreditCard', 'IsCurrency'],
    ...[
      'IsDataURI',
      'IsDecimal',
      'IsEAN',
      'IsEthereumAddress',
      'IsFullWidth',
      'IsHSL',
      'IsHalfWidth',
      'IsHash',
    ],
    ...['IsHexColor', 'IsIBAN', 'IsISO31661Alpha2', 'IsISO31661Alpha3', 'IsISO4217CurrencyCode', 'IsISRC'],
    ...[
      'IsIdentityCard',
      'IsLatLong',
      'IsLocale',
      'IsLowercase',
      'IsMagnetURI',
      'IsMilitaryTime',
      'IsMimeType',
    ],
    ...['IsMultibyte', 'IsOctal', 'IsPassportNumber', 'IsPort', 'IsPostalCode', 'IsRgbColor', 'IsSemVer'],
    ...['IsStrongPassword', 'IsSurrogatePair', 'IsTaxId', 'IsUppercase', 'IsVariableWidth'],
  ].map((name) => rule({ name, takes: 'text' })),
  rule({ name: 'IsFQDN', key: 'isFqdn', takes: 'text' }),
  rule({ name: 'IsFirebasePushId', key: 'IsFirebasePushId', takes: 'text' }),
  rule({ name: 'IsISBN', key: 'isIsbn', takes: 'text' }),
  rule({ name: 'IsISIN', key: 'isIsin', takes: 'text' }),
  rule({ name: 'IsISSN', takes: 'text' }),
  rule({ name: 'IsJSON', key: 'isJson', takes: 'text' }),
  rule({ name: 'IsJWT', key: 'isJwt', takes: 'text' }),
  rule({ name: 'IsMACAddress', key: 'isMacAddress', takes: 'text' }),
];

function isPlain(pattern: unknown): pattern is RegExp {
  return (
    pattern instanceof RegExp &&
    Object.getPrototypeOf(pattern) === RegExp.prototype &&
    Reflect.ownKeys(pattern).length === 1 &&
    !pattern.global &&
    !pattern.sticky
  );
}

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

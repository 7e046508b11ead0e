import type { JsonSchema } from '@app/shapes';

/** The keywords of a rule, by the arguments of its decorator; `undefined` if none is equivalent. */
type Keywords = (...given: never[]) => JsonSchema | undefined;

const text = { type: 'string' } as const;
const number = { type: 'number' } as const;
const list = { type: 'array' } as const;

/** A string that matches a pattern. */
const written = (pattern: string) => () => ({ ...text, pattern });

/** JSON has no dates: a string is converted before it is validated. */
const dates: Readonly<Record<string, Keywords>> = {
  IsDate: () => ({}),
  IsDateString: () => moment,
  IsISO8601: () => moment,
  IsRFC3339: () => ({ ...text, format: 'date-time' }),
};

const moment = {
  ...text,
  format: 'date-time',
  description: 'Other forms of ISO 8601 are accepted too.',
};

const types: Readonly<Record<string, Keywords>> = {
  IsString: () => text,
  IsBoolean: () => ({ type: 'boolean' }),
  IsInt: () => ({ type: 'integer' }),
  IsNumber: (options?: { maxDecimalPlaces?: number }) =>
    options?.maxDecimalPlaces === undefined ? number : withPlaces(options.maxDecimalPlaces),
  IsObject: () => ({ type: 'object' }),
  IsArray: () => list,
  IsDefined: () => ({}),
  IsNotEmpty: () => ({ not: { enum: ['', null] } }),
};

const choices: Readonly<Record<string, Keywords>> = {
  IsIn: (allowed: unknown) => oneOf(allowed),
  IsEnum: (entries: object) => oneOf([...new Set(Object.values(entries))]),
  IsNotIn: (refused: unknown) => (Array.isArray(refused) ? { not: { enum: refused } } : undefined),
  Equals: (value: unknown) => (isJson(value) ? { const: value } : undefined),
  NotEquals: (value: unknown) => (isJson(value) ? { not: { const: value } } : undefined),
};

const numbers: Readonly<Record<string, Keywords>> = {
  Min: (least: number) => ({ ...number, minimum: least }),
  Max: (most: number) => ({ ...number, maximum: most }),
  IsPositive: () => ({ ...number, exclusiveMinimum: 0 }),
  IsNegative: () => ({ ...number, exclusiveMaximum: 0 }),
};

const texts: Readonly<Record<string, Keywords>> = {
  MinLength: (least: number) => ({ ...text, minLength: least }),
  MaxLength: (most: number) => ({ ...text, maxLength: most }),
  Length: (least: number, most?: number) => ({
    ...text,
    minLength: least,
    ...(most !== undefined && { maxLength: most }),
  }),
  Matches: (pattern: RegExp) => patternOf(pattern),
  Contains: (part: string) => ({ ...text, pattern: escaped(part) }),
  NotContains: (part: string) => ({ ...text, not: { pattern: escaped(part) } }),
  IsAlpha: (locale?: string) => (locale === undefined ? written('^[A-Za-z]+$')() : undefined),
  IsAlphanumeric: (locale?: string) => (locale === undefined ? written('^[0-9A-Za-z]+$')() : undefined),
  IsHexadecimal: written('^(?:0[xXhH])?[0-9A-Fa-f]+$'),
  IsMongoId: written('^[0-9A-Fa-f]{24}$'),
  IsBooleanString: () => ({ ...text, enum: ['true', 'false', '1', '0'] }),
  IsEmail: () => ({ ...text, format: 'email' }),
  IsUUID: (version?: string) => uuid(version),
  IsIP: (version?: string | number) =>
    version === undefined ? undefined : { ...text, format: `ipv${version}` },
};

const lists: Readonly<Record<string, Keywords>> = {
  ArrayMinSize: (least: number) => ({ ...list, minItems: least }),
  ArrayMaxSize: (most: number) => ({ ...list, maxItems: most }),
  ArrayNotEmpty: () => ({ ...list, minItems: 1 }),
};

const table = new Map<string, Keywords>(
  Object.entries({ ...types, ...choices, ...numbers, ...texts, ...lists, ...dates }),
);

/**
 * The keywords of one of class-validator's own rules.
 *
 * @param name of the decorator, such as `MinLength`
 * @param given the arguments of the decorator
 * @returns `undefined` if no keyword is exactly equivalent
 */
export function ruleKeywords(name: string, given: readonly unknown[]): JsonSchema | undefined {
  const keywords = table.get(name);
  return keywords && Reflect.apply(keywords, undefined, given);
}

/** `RegExp.escape`, which Node has since 24, for a pattern without a class of characters. */
function escaped(part: string): string {
  return part.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
}

/** Rules of class-validator that pass strings only, without an equivalent keyword. */
const textRules = new Set(
  `IsAlpha IsAlphanumeric IsAscii IsBIC IsBase32 IsBase58 IsBase64 IsBtcAddress IsByteLength IsCreditCard IsCurrency IsDataURI
  IsDecimal IsEAN IsEthereumAddress IsFQDN IsFirebasePushId IsFullWidth IsHSL IsHalfWidth IsHash IsHexColor IsIBAN IsIP IsISBN
  IsISIN IsISO31661Alpha2 IsISO31661Alpha3 IsISO4217CurrencyCode IsISRC IsISSN IsIdentityCard IsJSON IsJWT IsLatLong IsLocale
  IsLowercase IsMACAddress IsMagnetURI IsMilitaryTime IsMimeType IsMobilePhone IsMultibyte IsNumberString IsOctal
  IsPassportNumber IsPhoneNumber IsPort IsPostalCode IsRgbColor IsSemVer IsStrongPassword IsSurrogatePair IsTaxId IsTimeZone
  IsUUID IsUppercase IsUrl IsVariableWidth`.split(/\s+/),
);

/** Whether one of class-validator's own rules passes strings only. */
export function takesTextOnly(name: string): boolean {
  return textRules.has(name);
}

/** `multipleOf` would be inexact for decimal fractions. */
function withPlaces(places: number): JsonSchema {
  if (places === 0) return { type: 'integer' };
  return { ...number, description: `At most ${places} decimal places.` };
}

function oneOf(allowed: unknown): JsonSchema | undefined {
  if (!Array.isArray(allowed) || !allowed.every(isJson)) return undefined;
  const kinds = new Set(allowed.map((value) => typeof value));
  const [kind = ''] = kinds;
  const type = kinds.size === 1 && ['string', 'number', 'boolean'].includes(kind) ? { type: kind } : {};
  return { ...type, enum: allowed };
}

/** A value that is compared by `===` and that JSON can represent. */
function isJson(value: unknown): boolean {
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
}

/** A pattern in JSON Schema has no flags and is interpreted as with `u`. */
function patternOf(pattern: unknown): JsonSchema {
  const inWords = { ...text, description: `Matches ${String(pattern)}.` };
  if (!(pattern instanceof RegExp) || !/^u?$/.test(pattern.flags)) return inWords;
  try {
    return { ...text, pattern: new RegExp(pattern.source, 'u').source };
  } catch {
    return inWords;
  }
}

const hex = (count: number) => `[0-9A-Fa-f]{${count}}`;

function uuid(version = '[1-8]'): JsonSchema | undefined {
  if (!/^(?:[1-8]|\[1-8\])$/.test(version)) return undefined;
  const pattern = `^${hex(8)}-${hex(4)}-${version}${hex(3)}-[89ABab]${hex(3)}-${hex(12)}$`;
  return { ...text, format: 'uuid', pattern };
}

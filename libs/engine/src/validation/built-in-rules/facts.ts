import { choiceFacts } from './choices';
import { lengthFacts } from './lengths';
import { listFacts } from './lists';
import { momentFacts } from './moments';
import { numberFacts } from './numbers';
import { patternFacts } from './patterns';
import { presenceFacts } from './presence';
import type { BuiltInRule, ByName, RuleFacts } from './rule';
import { typeFacts } from './types';

/** The rules for text without further facts. */
const textRules = [
  ...['IsTimeZone', 'IsAscii', 'IsBIC', 'IsBase32', 'IsBase58', 'IsBase64', 'IsBtcAddress', 'IsCreditCard'],
  ...['IsCurrency', 'IsDataURI', 'IsDecimal', 'IsEAN', 'IsEthereumAddress', 'IsFullWidth', 'IsHSL'],
  ...['IsHalfWidth', 'IsHash', 'IsHexColor', 'IsIBAN', 'IsISO31661Alpha2', 'IsISO31661Alpha3', 'IsISSN'],
  ...['IsISO4217CurrencyCode', 'IsISRC', 'IsIdentityCard', 'IsLatLong', 'IsLocale', 'IsLowercase'],
  ...['IsMagnetURI', 'IsMilitaryTime', 'IsMimeType', 'IsMultibyte', 'IsOctal', 'IsPassportNumber', 'IsPort'],
  ...['IsPostalCode', 'IsRgbColor', 'IsSemVer', 'IsStrongPassword', 'IsSurrogatePair', 'IsTaxId'],
  ...['IsUppercase', 'IsVariableWidth'],
];

const facts: ByName<RuleFacts> = {
  ...presenceFacts,
  ...typeFacts,
  ...choiceFacts,
  ...numberFacts,
  ...lengthFacts,
  ...listFacts,
  ...Object.fromEntries(textRules.map((name): [string, RuleFacts] => [name, { takes: 'text' }])),
  ...patternFacts,
  ...momentFacts,
};

/** Every known class-validator rule. */
export const builtInRules: readonly BuiltInRule[] = Object.entries(facts).map(([name, rule]) => ({
  name,
  key: name.charAt(0).toLowerCase() + name.slice(1),
  ...rule,
}));

const byName = new Map(builtInRules.map((rule) => [rule.name, rule]));
const byKey = new Map(builtInRules.map((rule) => [rule.key, rule]));

/** @param name the decorator's name, such as `MinLength` */
export function builtInRule(name: string | undefined): BuiltInRule | undefined {
  return byName.get(name ?? '');
}

/** Returns the rule for a message key, such as `minLength`. A custom rule may have the same key as a similar rule. */
export function ruleOfKey(key: string): BuiltInRule | undefined {
  return byKey.get(key);
}

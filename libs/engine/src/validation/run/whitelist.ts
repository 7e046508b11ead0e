import type { RuleShape } from '../../shapes/rules/rule-shape';
import { ValidationError } from 'class-validator';
import type { Settings } from '../plan/settings';
import { pushError } from './property-error';
import { strictly } from './strict-change';

const UNKNOWN = 'an unknown value was passed to the validate function';

/** Adds the error for an unknown value. Unlike any other error, it has a `value` whatever the options say, and no property. */
export function pushUnknown(settings: Settings, object: object, errors: ValidationError[]): void {
  const error = new ValidationError();
  if (settings.withTarget) error.target = object;
  Object.assign(error, { value: undefined, property: undefined, children: [] });
  error.constraints = { unknownValue: UNKNOWN };
  errors.push(error);
}

/** The properties with rules, as a set, and in the order that most objects have. */
export interface Listed {
  readonly known: RuleShape['byName'];
  readonly names: readonly string[];
}

export function listedIn({ byName, properties }: RuleShape): Listed {
  const names = properties.map(({ name }) => name).filter((name) => byName[name]?.length);
  return { known: byName, names };
}

/** Removes the fields that no rule knows from an instance, or rejects them. */
export function applyWhitelist(
  listed: Listed,
  settings: Settings,
  object: object,
  errors: ValidationError[],
): void {
  const fields = object as Record<string, unknown>;
  const unknown = unknownIn(listed, object);
  if (unknown === undefined) return;
  for (const name of unknown) {
    if (!settings.forbidNonWhitelisted) strictly.remove(object, name);
    else
      pushError(settings, errors, object, fields[name], name, undefined, {
        whitelistValidation: `property ${name} should not exist`,
      });
  }
}

/** Returns the instance fields that a whitelist does not contain, or `undefined` if all fields are listed. */
function unknownIn({ known: byName, names }: Listed, object: object): string[] | undefined {
  let unknown: string[] | undefined;
  let at = 0;
  for (const name in object) {
    const from = at;
    while (at < names.length && name !== names[at]) at += 1;
    if (at < names.length) at += 1;
    else if (byName[name] && byName[name].length !== 0) at = names.indexOf(name) + 1;
    else {
      at = from;
      if (Object.hasOwn(object, name)) (unknown ??= []).push(name);
    }
  }
  return unknown;
}

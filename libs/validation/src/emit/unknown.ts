import type { RuleShape } from '@app/shapes';
import { ValidationError } from 'class-validator';
import type { Settings } from '../plan/settings';
import { pushError } from './property-error';

const UNKNOWN = 'an unknown value was passed to the validate function';

/** An error unlike any other: it has a `value` whatever the options say, and its property is nobody's. */
export function pushUnknown(settings: Settings, object: object, errors: ValidationError[]): void {
  const error = new ValidationError();
  if (settings.withTarget) error.target = object;
  Object.assign(error, { value: undefined, property: undefined, children: [] });
  error.constraints = { unknownValue: UNKNOWN };
  errors.push(error);
}

/** Whether an instance has a field that a whitelist does not know. */
export function hasUnknown(object: object, known: RuleShape['known']): boolean {
  for (const name in object) if (!known[name]?.length) return true;
  return false;
}

/** The properties with rules: as a set, and in the order of most objects. */
export interface Listed {
  readonly known: RuleShape['known'];
  readonly names: readonly string[];
}

export function listedIn({ known, properties }: RuleShape): Listed {
  return { known, names: properties.map(({ name }) => name).filter((name) => known[name]?.length) };
}

/** Takes the fields that no rule knows from an instance, or refuses them. */
export function applyWhitelist(
  { known, names }: Listed,
  settings: Settings,
  object: object,
  errors: ValidationError[],
): void {
  const fields = object as Record<string, unknown>;
  let unknown: string[] | undefined;
  let at = 0;
  for (const name in object) {
    const from = at;
    while (at < names.length && name !== names[at]) at += 1;
    if (at < names.length) at += 1;
    else if (known[name] && known[name].length !== 0) at = names.indexOf(name) + 1;
    else {
      at = from;
      if (Object.hasOwn(object, name)) (unknown ??= []).push(name);
    }
  }
  if (unknown === undefined) return;
  for (const name of unknown) {
    if (!settings.forbidNonWhitelisted) delete fields[name];
    else {
      const error = pushError(settings, errors, object, fields[name], name);
      error.constraints = { whitelistValidation: `property ${name} should not exist` };
      error.children = undefined as never;
    }
  }
}

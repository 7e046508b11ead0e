import type { Code } from '../../shapes/code/code';
import type { Scope } from '../../shapes/code/scope';
import { ValidationError } from 'class-validator';
import type { Settings } from '../plan/settings';

const makers = new Map<string, MakeError>();

/** Creates an error and appends it to a list. */
export type MakeError = (
  errors: ValidationError[],
  target: object,
  value: unknown,
  property: string,
  children: ValidationError[] | undefined,
  constraints: Record<string, string> | undefined,
) => void;

/** The name of the result of {@link makeErrorFor} in a program. */
export function errorMaker(settings: Settings, scope: Scope): Code {
  return scope.hoist(makeErrorFor(settings), 'pushError');
}

/** Creates errors with the keys of the settings, in class-validator's order. */
export function makeErrorFor(settings: Settings): MakeError {
  const { withTarget, withValue, withParentValue } = settings;
  const name = `${withTarget}${withValue}${withParentValue}`;
  const known = makers.get(name) ?? makeErrorMaker(settings);
  makers.set(name, known);
  return known;
}

/** An error without constraints has nested errors. */
function makeErrorMaker({ withTarget, withValue, withParentValue }: Settings): MakeError {
  return (errors, target, value, property, children, constraints) => {
    const error = new ValidationError();
    if (withTarget) error.target = target;
    if (constraints === undefined ? withParentValue : withValue) error.value = value;
    error.property = property;
    error.children = children as ValidationError[];
    if (constraints !== undefined) error.constraints = constraints;
    errors.push(error);
  };
}

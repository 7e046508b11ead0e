import type { Code, Scope } from '@app/shapes';
import { ValidationError } from 'class-validator';
import type { Settings } from '../settings';

const makers = new Map<string, ErrorMaker>();

type ErrorMaker = (
  errors: ValidationError[],
  target: object,
  value: unknown,
  property: string,
  children: ValidationError[],
  constraints: Record<string, string> | undefined,
) => void;

/** Makes errors with the keys the settings ask for, in class-validator's order. */
export function errorMaker({ withTarget, withValue }: Settings, scope: Scope): Code {
  const name = `${withTarget}${withValue}`;
  const known = makers.get(name) ?? makeErrorMaker(withTarget, withValue);
  makers.set(name, known);
  return scope.hoist(known, 'pushError');
}

function makeErrorMaker(withTarget: boolean, withValue: boolean): ErrorMaker {
  return (errors, target, value, property, children, constraints) => {
    const error = new ValidationError();
    if (withTarget) error.target = target;
    if (withValue) error.value = value;
    error.property = property;
    error.children = children;
    if (constraints !== undefined) error.constraints = constraints;
    errors.push(error);
  };
}

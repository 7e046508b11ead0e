import type { PropertyRules } from '../../shapes/rules/rule-shape';
import { ValidationError } from 'class-validator';
import { isSkipped } from '../plan/plan';
import type { Settings } from '../plan/settings';
import { contextsOf, giveContexts } from './contexts';
import { fillIn } from './messages';
import {
  argumentsOf,
  type Check,
  type Declared,
  type Pending,
  PropertyError,
  pushError,
} from './property-error';

/** Validates a property's nested value, and returns its errors; `undefined` if it is not an object. */
export type CheckNested = (value: unknown, run: Pending) => ValidationError[] | undefined;

/** The result that {@link nestedChecker} returns if there are no errors. */
export const NO_ERRORS: ValidationError[] = [];

/**
 * Compiles the nested validation for a property with a single nested rule. The rule must have no context, and a message as its
 * only side effect.
 */
export function nestedChecker(
  nested: PropertyRules['nested'],
  settings: Settings,
  check: Check,
): CheckNested {
  const { checkElement } = compileNested(nested, settings, check);
  return (value, run) => {
    const waiting = run.pending.length;
    let children: ValidationError[] = [];
    if (Array.isArray(value) && value.forEach === forEach)
      checkList(value, checkElement, settings, check, children, run);
    else if (Array.isArray(value) || value instanceof Set || value instanceof Map)
      checkEach(value, checkElement, children, run);
    else if (value instanceof Object) check(value, children, run);
    else return undefined;
    if (children.length === 0 && run.pending.length === waiting) children = NO_ERRORS;
    return children;
  };
}

type CheckElement = (
  list: object,
  element: unknown,
  index: string,
  errors: ValidationError[],
  run: Pending,
) => void;

const { forEach } = Array.prototype;

function checkEach(
  value: readonly unknown[] | Set<unknown> | Map<unknown, unknown>,
  checkElement: CheckElement,
  children: ValidationError[],
  run: Pending,
): void {
  const list = (value instanceof Set ? Array.from(value) : value) as readonly unknown[];
  list.forEach((element, index) => checkElement(value, element, index.toString(), children, run));
}

/** Validates the elements in a list. Most lists contain objects only. */
function checkList(
  list: readonly unknown[],
  checkElement: CheckElement,
  settings: Settings,
  check: Check,
  children: ValidationError[],
  run: Pending,
): void {
  let inside: ValidationError[] = [];
  // As `forEach` does: the length is read once, and holes are skipped.
  const { length } = list;
  for (let index = 0; index < length; index++) {
    const element = list[index];
    if (element === undefined && !(index in list)) continue;
    if (!isOneObject(element)) {
      checkElement(list, element, index.toString(), children, run);
      continue;
    }
    const waiting = run.pending.length;
    check(element, inside, run);
    if (inside.length === 0 && run.pending.length === waiting) continue;
    pushError(settings, children, list, element, index.toString(), inside);
    inside = [];
  }
}

function isOneObject(element: unknown): element is object {
  if (!(element instanceof Object) || Array.isArray(element)) return false;
  return !(element instanceof Set || element instanceof Map);
}

/** Validates the nested values in a property: a single object, or each element in a list, a set or a map, at any depth. */
export function compileNested(nested: PropertyRules['nested'], settings: Settings, check: Check) {
  const contexts = contextsOf(nested);
  const descend = (error: PropertyError, run: Pending): void => {
    const { value } = error;
    if (value === undefined) return;
    const children: ValidationError[] = [];
    const waiting = run.pending.length;
    for (const rule of nested) {
      if (settings.stopAtFirstError && !settings.nestsRefusals && error.hasConstraints) continue;
      if (Array.isArray(value) || value instanceof Set || value instanceof Map)
        checkEach(value, checkElement, children, run);
      else if (value instanceof Object) check(value, children, run);
      else if (settings.nestsRefusals) children.push(nestedRefusal(rule as NestedRule, value));
      else error.open().constraints[rule.type] = refusalText(rule as NestedRule, value);
    }
    if (run.pending.length > waiting) error.open().children = children;
    else error.addChildren(children);
  };
  const checkElement: CheckElement = (list, element, index, errors, run) => {
    const error = new PropertyError(settings, errors, list, element, index);
    if (isSkipped(element, settings)) return;
    descend(error, run);
    giveContexts(contexts, error);
  };
  return { descend, checkElement };
}

type NestedRule = Declared & { readonly target: object };

/** Creates a separate error for a nested value, like class-validator 0.13, whatever the options are. */
function nestedRefusal(rule: NestedRule, value: unknown): ValidationError {
  const error = new ValidationError();
  error.value = value;
  error.property = rule.propertyName;
  error.target = rule.target;
  error.constraints = { [rule.type]: refusalText(rule, value) };
  return error;
}

/** Returns the nested rule's message. Its arguments belong to the class that declared the rule, so `$target` is `Function`. */
function refusalText(rule: NestedRule, value: unknown): string {
  return fillIn((rule.message || '') as string, argumentsOf(rule.target, value, rule));
}

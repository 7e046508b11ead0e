import type { PropertyRules, RuleShape } from '@app/shapes';
import { ValidationError } from 'class-validator';
import type { Settings } from '../plan/settings';
import { type CheckRule, compileRule, constraintName, type Pending } from './custom-rule';
import { fillIn } from './messages';
import { argumentsOf, type Declared, PropertyError, pushError } from './property-error';

/** Checks an instance by the rules of its own class and puts what is wrong into `errors`. */
export type CheckInstance = (object: object, errors: ValidationError[], run: Pending) => void;

type CheckProperty = (object: object, value: unknown, errors: ValidationError[], run: Pending) => void;

const UNKNOWN = 'an unknown value was passed to the validate function';

/** An error unlike any other: it has a `value` whatever the options say, and its property is nobody's. */
export function pushUnknown(settings: Settings, object: object, errors: ValidationError[]): void {
  const error = new ValidationError();
  if (settings.withTarget) error.target = object;
  Object.assign(error, { value: undefined, property: undefined, children: [] });
  error.constraints = { unknownValue: UNKNOWN };
  errors.push(error);
}

export function applyWhitelist(
  known: RuleShape['known'],
  settings: Settings,
  object: object,
  errors: ValidationError[],
): void {
  const fields = object as Record<string, unknown>;
  let unknown: string[] | undefined;
  for (const name in object) {
    if (known[name] && known[name].length !== 0) continue;
    if (Object.hasOwn(object, name)) (unknown ??= []).push(name);
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

/** Compiles the rules of a property to be asked one by one, code of a user among them. */
export function compileProperty(
  rules: PropertyRules,
  settings: Settings,
  check: CheckInstance,
): CheckProperty {
  return awaited(rules, compileRules(rules, settings, check));
}

function compileRules(rules: PropertyRules, settings: Settings, check: CheckInstance): CheckProperty {
  const { name, conditions, nested } = rules;
  const defined = rules.defined.map((rule) => compileRule(rule, settings));
  const leaves = rules.leaves.map((rule) => compileRule(rule, settings));
  const { descend: checkNested } = compileNested(nested, settings, check);
  const giveContexts = compileContexts(rules);
  return (object, value, errors, run) => {
    const error = new PropertyError(settings, errors, object, value, name);
    if (!allHold(conditions, object, value)) return;
    runAll(defined, error, run);
    giveContexts?.defined(error);
    if (isSkipped(settings, value)) return;
    runAll(leaves, error, run);
    checkNested(error, run);
    giveContexts?.all(error);
  };
}

/** `ValidatePromise`: the rules are for what a promise holds, and its error comes last. */
function awaited({ awaitsPromise }: PropertyRules, check: CheckProperty): CheckProperty {
  if (!awaitsPromise) return check;
  return (object, value, errors, run) => {
    if (!(value instanceof Promise)) return check(object, value, errors, run);
    run.pending.push(value.then((held) => check(object, held, errors, run)));
  };
}

function runAll(leaves: readonly CheckRule[], error: PropertyError, run: Pending): void {
  for (const check of leaves) check(error, run);
}

/** Every condition is asked, in order; none cuts another short. */
function allHold(conditions: PropertyRules['conditions'], object: object, value: unknown): boolean {
  if (conditions.length === 0) return true;
  const answers = conditions.map(({ constraints }) => (constraints[0] as Function)(object, value) as unknown);
  return answers.reduce((one, other) => one && other, true) as boolean;
}

function isSkipped(settings: Settings, value: unknown): boolean {
  if (value === undefined) return settings.skipUndefined || settings.skipMissing;
  return value === null && (settings.skipNull || settings.skipMissing);
}

/** What {@link nestedChecker} gives where nothing is wrong. */
export const NOTHING: ValidationError[] = [];

/** Compiles what looks into a property whose only nested rule has no more to say than a message. */
export function nestedChecker(
  nested: PropertyRules['nested'],
  settings: Settings,
  check: CheckInstance,
): (value: unknown, run: Pending) => ValidationError[] | undefined {
  const { checkElement } = compileNested(nested, settings, check);
  return (value, run) => {
    const waiting = run.pending.length;
    let children: ValidationError[] = [];
    if (Array.isArray(value)) checkList(value, checkElement, settings, check, children, run);
    else if (value instanceof Set || value instanceof Map) {
      const list = (value instanceof Set ? Array.from(value) : value) as readonly unknown[];
      list.forEach((element, index) => checkElement(value, element, index.toString(), children, run));
    } else if (value instanceof Object) check(value, children, run);
    else return undefined;
    if (children.length === 0 && run.pending.length === waiting) children = NOTHING;
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

/** Most lists hold objects and nothing else. */
function checkList(
  list: readonly unknown[],
  checkElement: CheckElement,
  settings: Settings,
  check: CheckInstance,
  children: ValidationError[],
  run: Pending,
): void {
  let inside: ValidationError[] = [];
  list.forEach((element, index) => {
    if (
      !(element instanceof Object) ||
      Array.isArray(element) ||
      element instanceof Set ||
      element instanceof Map
    )
      return checkElement(list, element, index.toString(), children, run);
    const waiting = run.pending.length;
    check(element, inside, run);
    if (inside.length === 0 && run.pending.length === waiting) return;
    pushError(settings, children, list, element, index.toString()).children = inside;
    inside = [];
  });
}

/** Rules on what a property holds: one object, or each element of a list, a set or a map, however deep. */
function compileNested(nested: PropertyRules['nested'], settings: Settings, check: CheckInstance) {
  const giveContexts = contextsOf(nested);
  const descend = (error: PropertyError, run: Pending): void => {
    const { value } = error;
    if (value === undefined) return;
    const children: ValidationError[] = [];
    const waiting = run.pending.length;
    for (const rule of nested) {
      if (settings.stopAtFirstError && !settings.nestsRefusals && error.hasConstraints) continue;
      if (Array.isArray(value) || value instanceof Set || value instanceof Map) {
        const list = (value instanceof Set ? Array.from(value) : value) as readonly unknown[];
        list.forEach((element, index) => checkElement(value, element, index.toString(), children, run));
      } else if (value instanceof Object) check(value, children, run);
      else if (settings.nestsRefusals) children.push(nestedRefusal(rule as NestedRule, value));
      else addRuleError(rule as NestedRule, error);
    }
    if (run.pending.length > waiting) error.open().children = children;
    else error.addChildren(children);
  };
  const checkElement: CheckElement = (list, element, index, errors, run) => {
    const error = new PropertyError(settings, errors, list, element, index);
    if (isSkipped(settings, element)) return;
    descend(error, run);
    giveContexts?.(error);
  };
  return { descend, checkElement };
}

type NestedRule = Declared & { readonly target: object };

/** As class-validator 0.13 says it: an error of its own, whatever the options ask for. */
function nestedRefusal(rule: NestedRule, value: unknown): ValidationError {
  const error = new ValidationError();
  error.value = value;
  error.property = rule.propertyName;
  error.target = rule.target;
  const text = fillIn((rule.message || '') as string, argumentsOf(rule.target, value, rule));
  error.constraints = { [rule.type]: text };
  return error;
}

/** The arguments of this message are of the class that declared the rule, so `$target` is `Function`. */
function addRuleError(rule: NestedRule, error: PropertyError): void {
  const text = fillIn((rule.message || '') as string, argumentsOf(rule.target, error.value, rule));
  error.open().constraints[rule.type] = text;
}

/** Contexts are given three times over; once is enough where a property has none. */
function compileContexts(rules: PropertyRules) {
  const defined = contextsOf(
    rules.defined.map(({ declared }) => declared),
    rules,
  );
  const declared = contextsOf(rules.declared, rules);
  const leaves = contextsOf(
    rules.leaves.map((rule) => rule.declared),
    rules,
  );
  if (!defined && !declared) return undefined;
  return {
    defined: (error: PropertyError) => defined?.(error),
    all: (error: PropertyError) => {
      declared?.(error);
      leaves?.(error);
    },
  };
}

function contextsOf(
  declared: readonly Declared[],
  rules?: PropertyRules,
): ((error: PropertyError) => void) | undefined {
  const named = [...new Set(declared)]
    .filter(({ context }) => context)
    .map((rule) => ({ name: nameOf(rule, rules), context: rule.context }));
  if (named.length === 0) return undefined;
  return (error) => {
    for (const { name, context } of named) error.addContext(name, context);
  };
}

/** The first validator of a class names its context; `IsDefined` is known by its type alone. */
function nameOf(rule: Declared, rules: PropertyRules | undefined): string {
  const leaf = rules?.leaves.find(({ declared }) => declared === rule);
  return leaf ? constraintName(leaf, leaf.validators[0]) : rule.type;
}

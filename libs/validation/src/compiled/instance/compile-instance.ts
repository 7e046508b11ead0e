import { type PropertyRules, readRules, type RuleShape } from '@app/shapes';
import { ValidationError } from 'class-validator';
import type { Settings } from '../settings';
import { type CheckRule, compileRule, constraintName, type Run } from './compile-rule';
import { fillIn } from './messages';
import { argumentsOf, type Declared, PropertyError, pushError } from './property-error';

/** Checks an instance by the rules of its own class and puts what is wrong into `errors`. */
export type CheckInstance = (object: object, errors: ValidationError[], run: Run) => void;

type CheckProperty = (object: object, value: unknown, errors: ValidationError[], run: Run) => void;

const UNKNOWN = 'an unknown value was passed to the validate function';

/**
 * Compiles the rules of all classes that a value may hold to closures, class by class as they are met, because
 * class-validator takes the class from the value (`value.constructor`) and not from its place.
 */
export function compileInstances(settings: Settings): CheckInstance {
  const known = new Map<unknown, CheckInstance>();
  const check: CheckInstance = (object, errors, run) => checkerOf(object.constructor)(object, errors, run);
  const checkerOf = (type: Function): CheckInstance => {
    const found = known.get(type);
    if (found) return found;
    const made = compileClass(readRules(type, settings), settings, check);
    if (typeof type === 'function') known.set(type, made);
    return made;
  };
  return check;
}

function compileClass(shape: RuleShape, settings: Settings, check: CheckInstance): CheckInstance {
  const properties = shape.properties.map((rules) => ({
    name: rules.name,
    check: awaited(rules, compileProperty(rules, settings, check)),
  }));
  const isUnknown = settings.forbidUnknownValues && shape.isEmpty;
  return (object, errors, run) => {
    if (isUnknown) return pushUnknown(settings, object, errors);
    if (settings.whitelist) applyWhitelist(shape.known, settings, object, errors);
    for (const property of properties)
      property.check(object, (object as Record<string, unknown>)[property.name], errors, run);
  };
}

/** An error unlike any other: it has a `value` whatever the options say, and its property is nobody's. */
function pushUnknown(settings: Settings, object: object, errors: ValidationError[]): void {
  const error = new ValidationError();
  if (settings.withTarget) error.target = object;
  Object.assign(error, { value: undefined, property: undefined, children: [] });
  error.constraints = { unknownValue: UNKNOWN };
  errors.push(error);
}

function applyWhitelist(
  known: RuleShape['known'],
  settings: Settings,
  object: object,
  errors: ValidationError[],
): void {
  const fields = object as Record<string, unknown>;
  const unknown = Object.keys(object).filter((name) => !known[name] || known[name].length === 0);
  for (const name of unknown) {
    if (!settings.forbidNonWhitelisted) delete fields[name];
    else {
      const error = pushError(settings, errors, object, fields[name], name);
      error.constraints = { whitelistValidation: `property ${name} should not exist` };
      error.children = undefined as never;
    }
  }
}

function compileProperty(rules: PropertyRules, settings: Settings, check: CheckInstance): CheckProperty {
  const { name, conditions, nested } = rules;
  const defined = rules.defined.map((rule) => compileRule(rule, settings));
  const leaves = rules.leaves.map((rule) => compileRule(rule, settings));
  const checkNested = compileNested(nested, settings, check);
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

function runAll(leaves: readonly CheckRule[], error: PropertyError, run: Run): void {
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

/** Rules on what a property holds: one object, or each element of a list, a set or a map, however deep. */
function compileNested(
  nested: PropertyRules['nested'],
  settings: Settings,
  check: CheckInstance,
): (error: PropertyError, run: Run) => void {
  const giveContexts = contextsOf(nested);
  const descend = (error: PropertyError, run: Run): void => {
    const { value } = error;
    if (value === undefined) return;
    const children: ValidationError[] = [];
    const waiting = run.pending.length;
    for (const rule of nested) {
      if (settings.stopAtFirstError && error.hasConstraints) continue;
      if (Array.isArray(value) || value instanceof Set || value instanceof Map) {
        const list = (value instanceof Set ? Array.from(value) : value) as readonly unknown[];
        list.forEach((element, index) => checkElement(value, element, index.toString(), children, run));
      } else if (value instanceof Object) check(value, children, run);
      else addRuleError(rule as Declared & { target: object }, error);
    }
    if (run.pending.length > waiting) error.open().children = children;
    else error.addChildren(children);
  };
  const checkElement = (
    list: object,
    element: unknown,
    index: string,
    errors: ValidationError[],
    run: Run,
  ) => {
    const error = new PropertyError(settings, errors, list, element, index);
    if (isSkipped(settings, element)) return;
    descend(error, run);
    giveContexts?.(error);
  };
  return descend;
}

/** The arguments of this message are of the class that declared the rule, so `$target` is `Function`. */
function addRuleError(rule: Declared & { readonly target: object }, error: PropertyError): void {
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

import * as classTransformer from 'class-transformer';
import * as classValidator from 'class-validator';
import { compileValidator } from '../../src/validation/validators/compile-validator';
import { engineGeneration } from '../../src/validation/validators/checks';
import type { Checked, CompiledValidator } from '../../src/validation/validators/compiled-validator';
import { plainToInstance, validate, validateSync } from '../../src/validation/validators/drop-in';
import { runLibrary } from '../../src/validation/fallback/library';
import type { CompileOptions } from '../../src/validation/plan/settings';
import { standardSchema } from '../../src/validation/validators/standard-schema';
import type { Random } from './random';
import { hardenedAs, hardenedOf } from './plain-input';

type ValidationError = classValidator.ValidationError;

/** Validates values against a class. */
export type Check = CompiledValidator<object>['check'];

/** A function that a program may call, and the reference that it has to equal. */
export interface Entry {
  readonly name: string;
  ours(type: new () => object, options: CompileOptions): Check;
  theirs(type: new () => object, options: CompileOptions): Check;
  /** Whether options are read at each call, so that changes take effect. */
  readonly readsOptions: boolean;
  /** Whether the entry is compared for JSON values only. */
  readonly takesJson?: boolean;
  /** Whether most classes are bare, because the entry compiles only these in its own way. */
  readonly takesBare?: boolean;
}

const resultOf = (value: object, errors: ValidationError[]): Checked<object> =>
  errors.length > 0 ? { errors } : { value };

/** Calls the two libraries in turn. */
export function byLibraries(type: Function, options: CompileOptions): Check {
  return (input) => {
    const { instance, validate: ask } = runLibrary(type, input, options);
    const errors = ask();
    return Array.isArray(errors)
      ? resultOf(instance, errors)
      : errors.then((settled) => resultOf(instance, settled));
  };
}

const compiled: Entry = {
  name: 'compileValidator',
  ours: (type, options) => compileValidator(type, options).check,
  theirs: byLibraries,
  readsOptions: false,
};

/**
 * Calls the drop-in functions with the same options object each time. The object is updated with the current options before each
 * call.
 */
const dropIns: Entry = {
  name: 'the libraries’ functions',
  ours: (type, options) => {
    const rules: Record<string, unknown> = {};
    return (value) => {
      const { transformOptions, ignoreAsync, ...current } = options;
      for (const name of Object.keys(rules)) if (!(name in current)) delete rules[name];
      Object.assign(rules, current);
      const instance: object = plainToInstance(type, value, transformOptions);
      if (ignoreAsync) return resultOf(instance, validateSync(instance, rules));
      return validate(instance, rules).then((errors) => resultOf(instance, errors));
    };
  },
  theirs: byLibraries,
  readsOptions: true,
};

/** Calls the drop-in functions with `null` in place of options. */
const dropInsOfNull: Entry = {
  name: 'the libraries’ functions, with null for options',
  ours: (type) => (value) => {
    const instance: object = plainToInstance(type, value, null as never);
    return resultOf(instance, validateSync(instance, null as never));
  },
  theirs: (type) => (value) => {
    const instance: object = classTransformer.plainToInstance(type, value, null as never);
    return resultOf(instance, classValidator.validateSync(instance, null as never));
  },
  readsOptions: false,
};

/** Returns the issues as errors with a message each, so that they can be compared. */
const standard: Entry = {
  name: 'standardSchema',
  ours: (type, options) => (value) => {
    const checked = standardSchema(type, options)['~standard'].validate(value);
    return checked instanceof Promise ? checked.then(asChecked) : asChecked(checked);
  },
  theirs: (type, options) => (value) => {
    const result = byLibraries(type, options)(value);
    return result instanceof Promise ? result.then(asIssues) : asIssues(result);
  },
  readsOptions: false,
};

function asChecked(result: object): Checked<object> {
  return result as Checked<object>;
}

function asIssues(result: Checked<object>): Checked<object> {
  if (!('errors' in result)) return result;
  const issues: { message: string; path: string[] }[] = [];
  const walk = (errors: readonly ValidationError[], above: string[]): void => {
    for (const { property, constraints, children } of errors) {
      const path = property === undefined ? above : [...above, property];
      for (const message of Object.values(constraints ?? {})) issues.push({ message, path });
      walk(children ?? [], path);
    }
  };
  walk(result.errors, []);
  return asChecked({ issues });
}

const hardened: Entry = {
  name: 'compileValidator, hardened',
  ours: (type, options) =>
    hardenedOf(compileValidator(type, { ...options, hardened: true }).check, type, options),
  theirs: (type, options) => hardenedAs(byLibraries(type, options), type, options),
  readsOptions: false,
  takesJson: true,
};

/**
 * Calls the validator of plain values. A class that needs no instance is both tested and asked for its errors, because neither
 * changes the value.
 */
const plain: Entry = {
  name: 'compileValidator, without an instance',
  ours: (type, options) => {
    const validator = compileValidator(type, { ...options, instance: false });
    let generation = -1;
    let needsInstance = false;
    return (value) => {
      // Explaining a class generates its source.
      if (generation !== engineGeneration()) needsInstance = validator.explain().whyInstance !== undefined;
      generation = engineGeneration();
      const isValid = needsInstance ? undefined : validator.test(value);
      const errors = validator.errors(value);
      if (errors instanceof Promise) return errors.then((settled) => ({ errors: settled }));
      const isConsistent = isValid === undefined || isValid === (errors.length === 0);
      return isConsistent ? { errors } : asChecked({ isValid, errors });
    };
  },
  theirs: (type, options) => (value) => {
    const result = byLibraries(type, options)(value);
    return result instanceof Promise ? result.then(errorsOf) : errorsOf(result);
  },
  readsOptions: false,
  takesBare: true,
};

function errorsOf(result: Checked<object>): Checked<object> {
  return 'errors' in result ? result : { errors: [] };
}

/** The entries, with a relative weight that decides how often each entry is compared. */
export type WeightedEntries = readonly (readonly [weight: number, entry: Entry])[];

const ENTRIES: WeightedEntries = [
  [40, compiled],
  [24, dropIns],
  [3, dropInsOfNull],
  [8, standard],
  [8, hardened],
  [8, plain],
];

/**
 * Selects an entry for a class.
 *
 * @param name a part of the names from which the entry is selected
 */
export function pickEntry(random: Random, others: WeightedEntries = [], name = ''): Entry {
  const all = [...ENTRIES, ...others].filter(([, entry]) => entry.name.includes(name));
  if (all.length === 0) throw new RangeError(`No entry has the name ${name}.`);
  let at = random.below(all.reduce((sum, [weight]) => sum + weight, 0));
  return all.find(([weight]) => (at -= weight) < 0)![1];
}

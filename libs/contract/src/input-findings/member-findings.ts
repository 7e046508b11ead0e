import {
  type Finding,
  looksAtValueOnly,
  type PropertyRules,
  readRules,
  readTransforms,
  ruleOfKey,
  selectTransforms,
} from '@app/engine';
import { choosesByValue, classesOf } from './input-parts';
import { unloadedClass } from './unloaded-class';
import type { InputFault } from './input-faults';
import { isUnboundedList, isUnboundedNumber } from './unbounded';
import { schemaOf } from '../schema';

/** The way in which a route uses a class. */
export interface InputUse {
  /** The selected groups; empty if the route selects no groups. */
  readonly groups: readonly string[];
  /** Whether the values come from a URL, where all values are strings. */
  readonly isText: boolean;
}

/** Finds the members in a class and its nested classes that accept unintended values. */
export function memberFindings(type: Function, use: InputUse, seen = new Set<Function>()): Finding[] {
  if (seen.has(type)) return [];
  seen.add(type);
  const { properties } = readRules(type, use);
  if (properties.length === 0) return [partWithoutRules(type)];
  return properties.flatMap((rules) => {
    const parts = rules.nested.length > 0 ? classesOf(type, rules.name) : [];
    const own = new Member(type, rules, use).finding();
    const within = parts.flatMap((part) => memberFindings(part, use, seen));
    return own ? [own].concat(within) : within;
  });
}

function partWithoutRules(type: Function): Finding {
  const code: InputFault = 'SLUICE-C103';
  const remedy = 'Declare at least one rule for each of its members';
  return { code, problem: `${type.name} has no rules`, remedy, place: { type } };
}

/** A class member with its applicable rules. */
class Member {
  readonly noted: unknown;
  readonly loose: readonly string[];
  readonly perElement: readonly string[];
  private readonly isChecked: boolean;

  constructor(
    private readonly type: Function,
    private readonly rules: PropertyRules,
    private readonly use: InputUse,
  ) {
    const declared = [...rules.defined, ...rules.leaves].map((rule) => rule.declared);
    const names = (each: boolean) =>
      declared
        .filter((rule) => (each ? rule.each : !rule.each))
        .map(({ name, constraintCls }) => name ?? constraintCls.name);
    this.noted = Reflect.getMetadata('design:type', type.prototype, rules.name);
    this.loose = names(false);
    this.perElement = names(true);
    this.isChecked =
      this.loose.some(pins) || this.perElement.some((name) => pins(name) || takesAny(name, 'list'));
  }

  finding(): Finding | undefined {
    const unchecked =
      this.rules.nested.length > 0 ? this.nestedFinding() : (this.textFinding() ?? this.openFinding());
    return unchecked ?? this.unboundedFinding() ?? this.skippedFinding();
  }

  /** @returns the finding about values without validation, because the rules are skipped */
  private skippedFinding(): Finding | undefined {
    const { isOptional, conditions, name } = this.rules;
    if (!isOptional && !conditions.every(looksAtValueOnly))
      return this.makeFinding(
        'SLUICE-C113',
        'is not validated while the condition of its @ValidateIf() is false',
        oneForm,
      );
    const types = [schemaOf(this.type, name)?.keywords?.type ?? []].flat();
    const isNullable = types.includes('null') || !(simple.has(this.noted) || this.noted === Array);
    if (this.use.isText || !isOptional || isNullable) return undefined;
    return this.makeFinding('SLUICE-C114', 'may be null, which its type does not have', ifGiven);
  }

  /** @returns the finding about an unbounded list or number in a body */
  private unboundedFinding(): Finding | undefined {
    if (this.use.isText) return undefined;
    if (isUnboundedList(this))
      return this.makeFinding('SLUICE-C111', 'is a list without a maximum length', boundedList);
    if (isUnboundedNumber(this)) {
      return this.makeFinding('SLUICE-C112', 'is a number without bounds', 'Put @Min() and @Max() on it');
    }
    return undefined;
  }

  private nestedFinding(): Finding | undefined {
    const { name } = this.rules;
    const unloaded = unloadedClass(this.type, name);
    if (unloaded) return unloaded;
    if (classesOf(this.type, name).length > 0 || choosesByValue(this.type, name)) return this.listFinding();
    return this.makeFinding('SLUICE-C105', 'is validated as nested, and has no declared class', typed);
  }

  /** @returns the finding about an object without a run-time type, for which `@ValidateNested()` also accepts a list */
  private listFinding(): Finding | undefined {
    const isTyped = this.noted !== undefined && this.noted !== Object;
    const isList = this.rules.nested.some(({ each }) => each);
    if (isTyped || isList || this.loose.some(takesOneKind)) return undefined;
    return this.makeFinding('SLUICE-C115', 'accepts a list in place of an object', oneObject);
  }

  /** @returns the finding about a number or boolean in a URL without a conversion */
  private textFinding(): Finding | undefined {
    const { noted } = this;
    if (!this.use.isText || (noted !== Number && noted !== Boolean)) return undefined;
    const isRead = this.isTransformed() || (noted === Number && this.typeFunction()?.() === Number);
    if (isRead && this.isChecked) return undefined;
    return noted === Number
      ? this.makeFinding(
          'SLUICE-C108',
          'is a number that is sent as text, and no rule converts it',
          'Put @WholeNumber() on it',
        )
      : this.makeFinding(
          'SLUICE-C109',
          'is a boolean that is sent as text, and no rule converts it',
          'Put @TrueOrFalse() on it',
        );
  }

  private openFinding(): Finding | undefined {
    if (this.isChecked) return undefined;
    if (classesOf(this.type, this.rules.name).length > 0) {
      return this.makeFinding(
        'SLUICE-C106',
        'has a class that is not validated',
        'Put @ValidateNested() on it',
      );
    }
    const isList =
      this.noted === Array || this.loose.some((name) => takesAny(name, 'list')) || this.perElement.length > 0;
    if (isList)
      return this.makeFinding(
        'SLUICE-C105',
        'is a list without a class or a rule for its elements',
        typedList,
      );
    const isPlain = simple.has(this.noted) && !this.loose.some((name) => takesAny(name, 'object'));
    return isPlain
      ? this.makeFinding(
          'SLUICE-C107',
          'accepts any value',
          'Put a rule on it that restricts its value, such as @IsString()',
        )
      : this.makeFinding('SLUICE-C105', 'is an object without a class', typed);
  }

  private isTransformed(): boolean {
    return selectTransforms(readTransforms(this.type), this.rules.name, 'toClass', {}).length > 0;
  }

  private typeFunction(): ((help?: unknown) => unknown) | undefined {
    return readTransforms(this.type).typeOf.get(this.rules.name)?.typeFunction;
  }

  private makeFinding(code: InputFault, what: string, remedy: string): Finding {
    const { name: member } = this.rules;
    const problem = `${this.type.name}.${member} ${what}`;
    return { code, problem, remedy, place: { type: this.type, member } };
  }
}

const typed = 'Put @Type(() => ItsClass) and @ValidateNested() on it';
const typedList =
  'Put @Type(() => ItsClass) and @ValidateNested({ each: true }) on it, or a rule with { each: true }';

const oneObject = 'Put @IsObject() on it, or type it by one class: the type of a union or an alias is lost';

const boundedList = 'Put @NoMoreThan() or @ArrayMaxSize() on it';

const oneForm =
  'Declare a class for each form, with a discriminator, or check it by a rule of the whole class in place of @ValidateIf()';
const ifGiven =
  "Put @IfGiven() on it in place of @IsOptional(), or make the class by PartialType(…, { skipNullProperties: false }); if null is meant, declare @Schema({ type: ['string', 'null'] })";

const simple = new Set<unknown>([String, Number, Boolean, Date]);

/** Whether a rule restricts the value. Custom rules count as restrictions. */
function pins(name: string): boolean {
  return !ruleOfKey(name)?.isOpen;
}

/** Whether a rule refuses a list, or an object. Custom rules count as refusals. */
function takesOneKind(name: string): boolean {
  const rule = ruleOfKey(name);
  return rule === undefined || rule.takes === 'object' || rule.takes === 'list';
}

/** Whether a rule requires a list or an object, with any content. */
function takesAny(name: string, kind: 'list' | 'object'): boolean {
  const rule = ruleOfKey(name);
  return rule?.takes === kind && rule.isOpen === true;
}

import { isFunction } from '../../shapes/values';
import {
  type ArgumentMetadata,
  Injectable,
  Logger,
  Optional,
  type Type,
  ValidationPipe as NestValidationPipe,
  type ValidationPipeOptions as NestValidationPipeOptions,
} from '@nestjs/common';
import * as classTransformer from 'class-transformer';
import * as classValidator from 'class-validator';
import { whyNoRules } from '../../shapes/not-compiled';
import { plainToInstance } from '../../functions/plain-to-instance';
import { validate } from '../../functions/validation-functions';
import type { Checked } from '../../validation/validators/engine';
import { GroupedSchema } from '../../validation/validators/groups';
import { asPlainObject } from '../../validation/validators/hardened';
import { inspectInput } from '../../validation/hardening/inspect-input';
import { isOverrun, nullInput, toError, unreadableInput } from '../../validation/hardening/unsafe-input';
import type { CompileOptions } from '../../validation/plan/settings';
import { CompiledInput, type Parameter } from './compiled-input';
import type { InputSource } from './input-source';
import { installedPipe, installedPipeSoon } from './installed.pipe';
import { messagesOf } from './messages-of';
import { withoutTrace } from './without-trace';

type ValidatorOptions = classValidator.ValidatorOptions;
type Errors = classValidator.ValidationError[];
type ValidatorPackage = NonNullable<NestValidationPipeOptions['validatorPackage']>;
type TransformerPackage = NonNullable<NestValidationPipeOptions['transformerPackage']>;
/** The loading methods of Nest's pipe. Since Nest 12, a package may be loaded later. */
interface NestLoad {
  loadValidator(): ValidatorPackage | Promise<ValidatorPackage>;
  loadTransformer(): TransformerPackage | Promise<TransformerPackage>;
}

/** The options from Nest, and two additional options. */
export interface ValidationPipeOptions extends Omit<NestValidationPipeOptions, 'exceptionFactory'> {
  /** Like Nest's option. It also receives the source of the validated input. */
  exceptionFactory?: (errors: Errors, source?: InputSource) => unknown;
  /**
   * Rejects unsafe input in the same way as a violated rule, like the `hardened` option of `compileValidator`:
   *
   * - input at which the libraries or a class's own transforms would throw or need excessive time (`inspectInput`);
   * - values other than `true` and `false` where a boolean is expected (`inspectInput`);
   * - lists where an object is expected (`findMisplacedLists`).
   *
   * With `forbidNonWhitelisted`, a field named like a member of its class (`toString`, a method) is an unknown field, which the
   * library silently drops. Off by default, like in Nest's pipe.
   */
  hardened?: boolean;
  /**
   * Leaves a single primitive (`@Param('id') id: number`, `@Query('q')`) as it was sent. By default it is converted if
   * `transform` is on, like in Nest's pipe: `Number('')` is 0.
   */
  keepPrimitives?: boolean;
}

const logger = new Logger('ValidationPipe');

function warn(sentence: string): void {
  logger.warn(sentence);
}

/** The request part that a parameter has. Parameters with other decorators count as body parts. */
const partsOfRequest = { body: 'body', query: 'query', param: 'path', custom: 'body' } as const;

interface NestParameter extends Parameter {
  readonly type: Type;
  readonly metadata: ArgumentMetadata;
}

/** The result of {@link ValidationPipe.validate} for a rejected value. */
export class Rejected {
  /** @param error the error that `transform` rejects with */
  constructor(readonly error: unknown) {}
}

/**
 * A replacement for Nest's `ValidationPipe` with the same type, options and results in every version. In addition,
 * `@Body(inGroups(UserDto, 'create'))` validates with those groups, and there are two more options.
 *
 * A class's compiled functions validate ordinary bodies. The installed Nest's own pipe does the rest, and calls the same
 * functions instead of the libraries.
 */
@Injectable()
export class ValidationPipe extends NestValidationPipe {
  declare protected exceptionFactory: (errors: Errors, source?: InputSource) => unknown;
  protected readonly isHardened: boolean;
  private readonly keepsPrimitives: boolean;
  /** Whether our functions validate instead of a package from the options. */
  private readonly isCompiled: boolean;
  private readonly input = new CompiledInput(() => this.compileOptions(), warn);
  /** The `toValidate` results, by class. */
  private readonly validated = new WeakMap<Type, boolean>();
  /** Nest's own factory; `undefined` if the options contain a factory. */
  private readonly nestFactory: unknown;
  /** Whether a subclass overrides `toValidate`, which is then called for each value, like in Nest. */
  private readonly choosesWhatToValidate: boolean;
  /** Whether all replaced parts of the pipe and the libraries are still called by the compiled functions. */
  private readonly isStock: boolean;

  constructor(@Optional() options: ValidationPipeOptions = {}) {
    const { hardened = false, keepPrimitives = false, ...nestOptions } = options;
    installedPipe();
    super(nestOptions);
    this.isHardened = hardened;
    this.keepsPrimitives = keepPrimitives;
    const { validatorPackage, transformerPackage } = nestOptions;
    this.isCompiled = !validatorPackage && whyNoRules() === undefined;
    this.isStock = !validatorPackage && !transformerPackage && isUnchanged(this);
    this.choosesWhatToValidate = overrides(this, 'toValidate');
    const isGiven = nestOptions.exceptionFactory || overrides(this, 'createExceptionFactory');
    this.nestFactory = isGiven ? undefined : this.exceptionFactory;
    if (hardened && (!this.isStock || this.choosesWhatToValidate))
      throw new TypeError(
        'A hardened pipe runs the compiled functions only: remove its packages, and the methods that its class overrides.',
      );
  }

  /** Creates a pipe with the options of a Nest pipe, which may override only the `toValidate` method. */
  static like<Pipe extends ValidationPipe>(
    this: { readonly prototype: Pipe },
    pipe: NestValidationPipe,
  ): Pipe {
    const options = { isHardened: false, keepsPrimitives: false, isCompiled: true, isStock: true };
    const instance: Pipe = Object.create(this.prototype);
    const input = new CompiledInput(() => instance.compileOptions(), warn);
    const choosesWhatToValidate = overrides(pipe, 'toValidate');
    const toValidate: ValidationPipe['toValidate'] = Reflect.get(pipe, 'toValidate');
    const own = choosesWhatToValidate && { toValidate: toValidate.bind(pipe) };
    const fields = { choosesWhatToValidate, input, validated: new WeakMap(), ...own };
    return Object.assign(instance, pipe, options, fields);
  }

  /** Returns the value for the handler, or rejects. */
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const validated = this.validateParameter(value, metadata);
    if (validated instanceof Rejected) throw validated.error;
    return validated;
  }

  /**
   * Works like {@link transform}, but returns a synchronous rejection without a promise, because creating and awaiting a promise
   * costs as much as the validation.
   *
   * @returns the value; {@link Rejected}; or a promise of the value, if something is asynchronous
   */
  validateParameter(value: unknown, metadata: ArgumentMetadata): unknown {
    const grouped = metadata.schema instanceof GroupedSchema ? metadata.schema : undefined;
    const type = grouped?.type ?? this.expectedType ?? metadata.metatype;
    const mayBeCustom = this.validateCustomDecorators || this.choosesWhatToValidate;
    if (this.isStock && type && (metadata.type !== 'custom' || mayBeCustom)) {
      const checked = this.checkAtOnce({ type, metadata, groups: grouped?.groups }, value);
      if (checked !== undefined)
        return checked instanceof Promise ? checked : this.conclude(checked, type, value, metadata);
    }
    if (!type || !this.toValidate({ ...metadata, metatype: type }))
      return this.isTransformEnabled
        ? this.transformPrimitive(value, { ...metadata, metatype: type })
        : value;
    return isFunction(type)
      ? this.transformByLibrary(type, value, metadata, grouped)
      : super.transform(value, metadata);
  }

  protected override transformPrimitive(value: unknown, metadata: ArgumentMetadata): unknown {
    return this.keepsPrimitives ? value : super.transformPrimitive(value, metadata);
  }

  /** @internal The type comes from the installed Nest, and differs between versions. */
  protected override loadValidator(configured?: ValidatorPackage): ReturnType<NestLoad['loadValidator']> {
    return configured ?? (whyNoRules() === undefined ? classValidator : super.loadValidator(configured));
  }

  /** @internal */
  protected override loadTransformer(
    configured?: TransformerPackage,
  ): ReturnType<NestLoad['loadTransformer']> {
    return (
      configured ??
      (whyNoRules() === undefined ? this.compiledTransformer() : super.loadTransformer(configured))
    );
  }

  /** Returns class-transformer with compiled functions. */
  protected compiledTransformer(): TransformerPackage {
    const compiled = { ...classTransformer, plainToInstance, plainToClass: plainToInstance };
    return compiled;
  }

  /** Returns the handler's value when `transform` is off: class-transformer's plain object. */
  protected toPlain(instance: object): unknown {
    return classTransformer.instanceToPlain(instance, this.transformOptions);
  }

  /**
   * Removes values like Nest does. Most errors have no value to begin with, and deleting a value takes longer than creating the
   * error.
   */
  protected override stripParentErrorValues(errors: Errors): void {
    const pending = [errors];
    for (const list of pending)
      for (const error of list) {
        if (!error.children?.length) continue;
        if ('value' in error) delete error.value;
        pending.push(error.children);
      }
  }

  /** Returns the same messages as Nest, in a single walk. */
  protected override flattenValidationErrors(errors: Errors): string[] {
    const isNests = !installedPipe()?.listsMessages || MESSAGES.some((name) => overrides(this, name));
    return isNests ? super.flattenValidationErrors(errors) : messagesOf(errors);
  }

  protected override async validate(object: object, options: ValidatorOptions = {}): Promise<Errors> {
    return this.isCompiled ? validate(object, options) : super.validate(object, options);
  }

  /** Whether the installed Nest's pipe handles a value, since its class has had too few values to be worth compiling. */
  protected isAmongFirst(_type: Type): boolean {
    return false;
  }

  /** Returns the result of Nest's `toValidate`. It depends on the class only, so it is called once per class. */
  private isValidated(type: Type, metadata: ArgumentMetadata): boolean {
    if (this.choosesWhatToValidate) return this.toValidate({ ...metadata, metatype: type });
    const cached = this.validated.get(type);
    if (cached !== undefined) return cached;
    const isValidated = this.toValidate({ ...metadata, metatype: type });
    this.validated.set(type, isValidated);
    return isValidated;
  }

  private compileOptions(): CompileOptions {
    const { validatorOptions, transformOptions, isHardened: hardened } = this;
    return { ...validatorOptions, transformOptions, hardened };
  }

  /**
   * Validates an ordinary body with its class's compiled functions.
   *
   * Returns `undefined` for input that the rest of the pipe has to handle: null, undefined, a list, or an object with a
   * different class. A pipe that is not hardened also leaves a field named like a member, and the first values for each class.
   * The input is unchanged then.
   */
  private checkAtOnce(
    parameter: NestParameter,
    value: unknown,
  ): Checked<object> | Promise<unknown> | undefined {
    const { type, metadata } = parameter;
    const plain = asPlainObject(value);
    if (plain === undefined || !this.isValidated(type, metadata) || this.isAmongFirst(type)) return undefined;
    const installed = installedPipe();
    if (!installed) return this.isHardened ? this.validateSoon(value, metadata) : undefined;
    try {
      const result = this.input.check(parameter, { value, plain }, installed);
      return result instanceof Promise ? this.concludeLater(result, type, value, metadata) : result;
    } catch (error) {
      return rejectLater(error);
    }
  }

  /** Waits until the installed Nest has answered, some microtasks after the first pipe was created. */
  private async validateSoon(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    await installedPipeSoon();
    return this.transform(value, metadata);
  }

  private conclude(
    checked: Checked<object>,
    type: Type,
    input: unknown,
    metadata: ArgumentMetadata,
  ): unknown {
    if (!('value' in checked)) return this.reject(checked.errors, this.sourceOf(type, input, metadata));
    if (this.isTransformEnabled) return checked.value;
    // As Nest's pipe decides it: `forbidUnknownValues` is always there.
    return Object.keys(this.validatorOptions).length > 1 ? this.toPlain(checked.value) : input;
  }

  private async concludeLater(
    checked: Promise<Checked<object>>,
    type: Type,
    input: unknown,
    metadata: ArgumentMetadata,
  ): Promise<unknown> {
    const result = this.conclude(await checked, type, input, metadata);
    if (result instanceof Rejected) throw result.error;
    return result;
  }

  /** Rejects with the errors. It is synchronous unless the factory returns a promise. */
  private reject(errors: Errors, source: InputSource): Rejected | Promise<never> {
    const { value: keepsValues } = this.validatorOptions.validationError ?? {};
    if (keepsValues === undefined && installedPipe()?.stripsParentValues) this.stripParentErrorValues(errors);
    try {
      const create = () => this.exceptionFactory(errors, source);
      const refusal = this.exceptionFactory === this.nestFactory ? withoutTrace(create) : create();
      return refusal instanceof Error ? new Rejected(refusal) : rejectLater(refusal);
    } catch (error) {
      return new Rejected(error);
    }
  }

  private sourceOf(type: Type, value: unknown, { type: place, data, schema }: ArgumentMetadata): InputSource {
    const groups = schema instanceof GroupedSchema ? schema.groups : this.validatorOptions.groups;
    return { type, value, groups, in: partsOfRequest[place], at: data };
  }

  private async transformByLibrary(
    type: Type,
    value: unknown,
    metadata: ArgumentMetadata,
    grouped: GroupedSchema | undefined,
  ): Promise<unknown> {
    const source = this.sourceOf(type, value, metadata);
    const call: ValidationPipe = Object.create(grouped ? this.withGroups(grouped) : this);
    call.exceptionFactory = (errors) => this.exceptionFactory(errors, source);
    if (!this.isHardened) return super.transform.call(call, value, metadata);
    const context = this.input.contextOf({ type, metadata });
    const { unsafe } = inspectInput(Object, value);
    if (unsafe) throw await call.exceptionFactory([toError(unsafe, context.whole)]);
    try {
      const validated: unknown = await super.transform.call(call, value, metadata);
      // Nest's pipe takes it for `{}`, which a class of optional fields allows.
      if (value === null) throw await call.exceptionFactory([toError(nullInput, context.whole)]);
      return validated;
    } catch (error) {
      if (!isOverrun(error)) throw error;
      context.onOverrun?.(error);
      throw await call.exceptionFactory([toError(unreadableInput, context.whole)]);
    }
  }

  /**
   * Returns this pipe with a call's groups. Nest's pipe reads its options after an await, when a second call may have started, so
   * the pipe itself must not hold the state for a call.
   */
  private withGroups({ type, groups }: GroupedSchema): ValidationPipe {
    const call: ValidationPipe = Object.create(this);
    call.expectedType = type;
    call.validatorOptions = { ...this.validatorOptions, groups: [...groups] };
    return call;
  }
}

/** Rejects asynchronously, since Node tracks rejected promises without a handler. */
async function rejectLater(error: unknown): Promise<never> {
  throw await error;
}

/** The methods of Nest's pipe that compiled functions replace. */
const REPLACED = [
  'toEmptyIfNil',
  'closeArrayGaps',
  'isPrimitive',
  'isBinary',
  'stripProtoKeys',
  'findNestedBinaryValues',
  'toNestedBinaryError',
  'hasValidationRules',
] as const;

/** The methods of Nest's pipe that list the messages. */
const MESSAGES = ['mapChildrenToValidationErrors', 'prependConstraintsWithParentProp'] as const;

/** Whether the subclass leaves all methods unchanged that the compiled functions do not call. */
function isUnchanged(pipe: ValidationPipe): boolean {
  return (
    !REPLACED.some((name) => overrides(pipe, name)) && !overrides(pipe, 'validate', ValidationPipe.prototype)
  );
}

function overrides(pipe: object, name: string, base: object = NestValidationPipe.prototype): boolean {
  return Reflect.get(pipe, name) !== Reflect.get(base, name);
}

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
import { engineFinder } from '../compile-validator';
import { plainToInstance, validate } from '../drop-in';
import type { Checked, Engine } from '../emit/engine';
import { GroupedSchema } from '../groups';
import { readBooleans } from '../hardening/boolean-texts';
import { withPrototype } from '../hardening/hardened';
import { findMisplacedLists } from '../hardening/misplaced-lists';
import { type TakenFields, takeMemberNames } from '../hardening/own-names';
import { withUnknownMembers } from '../hardening/unknown-members';
import { findUnsafeInput, isOverrun, isPlain, toError, unreadableInput } from '../hardening/unsafe-input';
import { reportFallback } from '../report-fallback';
import type { CompileOptions } from '../plan/settings';
import { type InstalledPipe, installedPipe } from './installed-pipe';

type ValidatorOptions = classValidator.ValidatorOptions;
type Errors = classValidator.ValidationError[];
type ValidatorPackage = NonNullable<NestValidationPipeOptions['validatorPackage']>;
type TransformerPackage = NonNullable<NestValidationPipeOptions['transformerPackage']>;

/** Nest's own options, and two of ours. */
export interface ValidationPipeOptions extends NestValidationPipeOptions {
  /**
   * As of `compileValidator`: rejects, like violated rules, input at which the libraries or a class's own transforms
   * would throw, or need excessive time (`findUnsafeInput`), other values than `true` and `false` where a boolean is
   * expected (`readBooleans`), and lists in place of objects (`findMisplacedLists`). With `forbidNonWhitelisted`, a
   * field named like a member of its class (`toString`, a method) is an unknown field like any other; the library
   * silently drops it. Off by default, as in Nest's pipe.
   */
  hardened?: boolean;
  /**
   * Leaves a single primitive (`@Param('id') id: number`, `@Query('q')`) as it was sent. By default it is converted if
   * `transform` is on, as by Nest's pipe: `Number('')` is 0.
   */
  keepPrimitives?: boolean;
}

/** The result of {@link ValidationPipe.validate} for a rejected value. */
export class Rejected {
  /** @param error the error that `transform` rejects with */
  constructor(readonly error: unknown) {}
}

/**
 * Nest's `ValidationPipe`, by type, options and results, whatever its version. In addition, `@Body(inGroups(UserDto,
 * 'create'))` validates with those groups, and there are two options.
 *
 * Ordinary bodies are validated by the compiled functions of their class. The pipe of the installed Nest does the rest,
 * with the same functions in place of the libraries'.
 */
@Injectable()
export class ValidationPipe extends NestValidationPipe {
  private readonly isHardened: boolean;
  private readonly keepsPrimitives: boolean;
  /** Whether our functions validate, and not a given package. */
  private readonly isCompiled: boolean;
  private readonly logger = new Logger(ValidationPipe.name);
  /** Results of `toValidate`, by class. */
  private readonly validated = new WeakMap<Type, boolean>();
  /** Whether nothing of the pipe or of the libraries was replaced that the compiled functions do not call. */
  private readonly isStock: boolean;
  /** Finds the compiled functions of the options. */
  private engineOf?: (groups: readonly string[] | undefined) => Engine | string;
  /** Fields that were removed from the input of the one call of this object (see {@link forOneCall}). */
  private taken?: ReadonlyMap<object, TakenFields>;
  private input?: unknown;

  constructor(@Optional() options: ValidationPipeOptions = {}) {
    const { hardened = false, keepPrimitives = false, ...nestOptions } = options;
    installedPipe();
    super(nestOptions);
    this.isHardened = hardened;
    this.keepsPrimitives = keepPrimitives;
    const { validatorPackage, transformerPackage } = nestOptions;
    this.isCompiled = !validatorPackage;
    this.isStock = !validatorPackage && !transformerPackage && isUnchanged(this);
  }

  /** A pipe with the options of one of Nest's own, which must not override any method. */
  static like<Pipe extends ValidationPipe>(
    this: { readonly prototype: Pipe },
    pipe: NestValidationPipe,
  ): Pipe {
    const options = { isHardened: false, keepsPrimitives: false, isCompiled: true, isStock: true };
    const ownState = { logger: new Logger(ValidationPipe.name), validated: new WeakMap() };
    const made: Pipe = Object.create(this.prototype);
    return Object.assign(made, pipe, options, ownState);
  }

  /** What a handler is given, or a rejection. */
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const validated = this.validateParameter(value, metadata);
    if (validated instanceof Rejected) throw validated.error;
    return validated;
  }

  /**
   * As {@link transform}, without a promise for synchronous rejections: creating and awaiting one costs as much as
   * the validation.
   *
   * @returns the value; {@link Rejected}; or a promise of the value, if something is asynchronous
   */
  validateParameter(value: unknown, metadata: ArgumentMetadata): unknown {
    const grouped = metadata.schema instanceof GroupedSchema ? metadata.schema : undefined;
    const type = grouped?.type ?? this.expectedType ?? metadata.metatype;
    if (this.isStock && type && (metadata.type !== 'custom' || this.validateCustomDecorators)) {
      const known = this.checkAtOnce(type, value, metadata, grouped?.groups);
      if (known !== undefined) return known instanceof Promise ? known : this.tell(known, value);
    }
    if (!type || !this.toValidate({ ...metadata, metatype: type }))
      return this.isTransformEnabled
        ? this.transformPrimitive(value, { ...metadata, metatype: type })
        : value;
    return typeof type === 'function'
      ? this.transformByLibrary(type, value, metadata, grouped)
      : super.transform(value, metadata);
  }

  protected override transformPrimitive(value: unknown, metadata: ArgumentMetadata): unknown {
    return this.keepsPrimitives ? value : super.transformPrimitive(value, metadata);
  }

  protected override loadValidator(given?: ValidatorPackage): ValidatorPackage {
    return given ?? classValidator;
  }

  protected override loadTransformer(given?: TransformerPackage): TransformerPackage {
    const compiled = { ...classTransformer, plainToInstance, plainToClass: plainToInstance };
    return given ?? compiled;
  }

  /** What a handler is given without `transform`: class-transformer's plain object. */
  protected toPlain(instance: object): unknown {
    return classTransformer.instanceToPlain(instance, this.transformOptions);
  }

  protected override async validate(object: object, options: ValidatorOptions = {}): Promise<Errors> {
    const errors = await this.validateTaken(object, options);
    return errors.length === 0 && this.isHardened ? findMisplacedLists(object, options) : errors;
  }

  /** One for the options of the pipe, and one for each list of groups, which never changes. */
  private findEngines({
    hidesTargets,
  }: InstalledPipe): (groups: readonly string[] | undefined) => Engine | string {
    const { validatorOptions, transformOptions, isHardened: hardened } = this;
    const validationError = { ...(hidesTargets && { target: false }), ...validatorOptions.validationError };
    const options: CompileOptions = { ...validatorOptions, validationError, transformOptions, hardened };
    const find = engineFinder(options);
    const finders = new WeakMap<readonly string[], () => Engine | string>();
    return (groups) => {
      if (groups === undefined) return find();
      let known = finders.get(groups);
      if (!known) finders.set(groups, (known = engineFinder({ ...options, groups: [...groups] })));
      return known();
    };
  }

  /** The result of `toValidate`, which depends on the class only, called once per class. */
  private isValidated(type: Type, metadata: ArgumentMetadata): boolean {
    const known = this.validated.get(type) ?? this.toValidate({ ...metadata, metatype: type });
    this.validated.set(type, known);
    return known;
  }

  /**
   * The result for an ordinary body by the compiled functions of its class, or `undefined` for input that the rest of
   * the pipe has to handle: null, undefined, a list, an object of another class, a field named like a member. Nothing
   * was changed then.
   */
  private checkAtOnce(
    type: Type,
    value: unknown,
    metadata: ArgumentMetadata,
    groups: readonly string[] | undefined,
  ): Checked<object> | Promise<unknown> | undefined {
    if (!isPlain(value) || Array.isArray(value) || !this.isValidated(type, metadata)) return undefined;
    const installed = installedPipe();
    if (!installed) return undefined;
    const engine = (this.engineOf ??= this.findEngines(installed))(groups);
    if (typeof engine === 'string') return this.leaveToLibrary(type, engine);
    try {
      const answer = engine.checkGuarded(type, withPrototype(value), this.transformOptions);
      return answer instanceof Promise ? this.tellLater(answer, value, type, metadata) : answer;
    } catch (error) {
      return this.tellThrown(error, type, metadata);
    }
  }

  private leaveToLibrary(type: Type, reason: string): undefined {
    reportFallback(type, reason, (sentence) => this.logger.warn(sentence));
  }

  private tell(known: Checked<object>, input: unknown): unknown {
    if (!('value' in known)) return this.reject(known.errors);
    if (this.isTransformEnabled) return known.value;
    // As Nest's pipe decides it: `forbidUnknownValues` is always there.
    return Object.keys(this.validatorOptions).length > 1 ? this.toPlain(known.value) : input;
  }

  private async tellLater(
    answer: Promise<Checked<object>>,
    input: unknown,
    type: Type,
    metadata: ArgumentMetadata,
  ): Promise<unknown> {
    let known: Checked<object>;
    try {
      known = await answer;
    } catch (error) {
      return this.tellThrown(error, type, metadata);
    }
    const told = this.tell(known, input);
    if (told instanceof Rejected) throw told.error;
    return told;
  }

  private async tellThrown(error: unknown, type: Type, metadata: ArgumentMetadata): Promise<never> {
    throw this.isHardened && isOverrun(error) ? await this.rejectOverrun(error, type, metadata) : error;
  }

  /** Synchronously, unless the factory returns a promise. */
  private reject(errors: Errors): Rejected | Promise<never> {
    const { value: keepsValues } = this.validatorOptions.validationError ?? {};
    if (keepsValues === undefined && installedPipe()?.stripsParentValues) this.stripParentErrorValues(errors);
    try {
      const refusal: unknown = this.exceptionFactory(errors);
      return refusal instanceof Error ? new Rejected(refusal) : rejectLater(refusal);
    } catch (error) {
      return new Rejected(error);
    }
  }

  private async transformByLibrary(
    type: Type,
    value: unknown,
    metadata: ArgumentMetadata,
    grouped: GroupedSchema | undefined,
  ): Promise<unknown> {
    if (!this.isHardened) return super.transform.call(this.forOneCall(type, value, grouped), value, metadata);
    await this.rejectUnsafe(type, value, metadata);
    try {
      return await super.transform.call(this.forOneCall(type, value, grouped), value, metadata);
    } catch (error) {
      throw isOverrun(error) ? await this.rejectOverrun(error, type, metadata) : error;
    }
  }

  private validateTaken(object: object, options: ValidatorOptions): Errors | Promise<Errors> {
    const { taken, input } = this;
    const validateAll = () => (this.isCompiled ? validate(object, options) : super.validate(object, options));
    if (taken === undefined || !options.forbidNonWhitelisted) return validateAll();
    this.taken = undefined;
    return withUnknownMembers(taken, input, object, options, validateAll);
  }

  private async rejectUnsafe(
    metatype: Type,
    value: unknown,
    { data, type }: ArgumentMetadata,
  ): Promise<void> {
    const unsafe = findUnsafeInput(value) ?? readBooleans(metatype, value, this.transformOptions);
    if (unsafe) throw await this.exceptionFactory([toError(unsafe, data ?? type)]);
  }

  /**
   * An input at which a transform or a rule threw is invalid for the caller, and a fault for us to correct. Only the
   * position is logged: the error's own message may quote the input.
   */
  private async rejectOverrun(
    error: Error,
    { name }: Type,
    { data, type }: ArgumentMetadata,
  ): Promise<unknown> {
    const place = error.stack?.split('\n').find((line) => line.startsWith('    at '));
    this.logger.warn(`The input of a ${name} made its rules throw a ${error.name} ${place?.trim()}`);
    return this.exceptionFactory([toError(unreadableInput, data ?? type)]);
  }

  /**
   * This pipe, with the state of one call. Nest's pipe reads its options after an await, when another call may have
   * started, so no state of a call can be on the pipe itself.
   */
  private forOneCall(type: Type, value: unknown, grouped: GroupedSchema | undefined): ValidationPipe {
    const taken = this.isHardened ? takeMemberNames(type, value) : undefined;
    if (!grouped && !taken?.size) return this;
    const call: ValidationPipe = Object.create(this);
    if (taken?.size) Object.assign(call, { taken, input: value });
    if (grouped) {
      call.expectedType = grouped.type;
      call.validatorOptions = { ...this.validatorOptions, groups: [...grouped.groups] };
    }
    return call;
  }
}

/** Asynchronously, since Node tracks rejected promises without a handler. */
async function rejectLater(error: unknown): Promise<never> {
  throw await error;
}

/** Methods of Nest's pipe in whose place compiled functions run. */
const REPLACED = [
  'toValidate',
  'toEmptyIfNil',
  'closeArrayGaps',
  'isPrimitive',
  'isBinary',
  'stripProtoKeys',
  'findNestedBinaryValues',
  'toNestedBinaryError',
  'hasValidationRules',
] as const;

/** Whether no subclass overrides what the compiled functions do not call. */
function isUnchanged(pipe: ValidationPipe): boolean {
  const isSame = (base: object, name: string) => Reflect.get(pipe, name) === Reflect.get(base, name);
  return (
    REPLACED.every((name) => isSame(NestValidationPipe.prototype, name)) &&
    isSame(ValidationPipe.prototype, 'validate')
  );
}

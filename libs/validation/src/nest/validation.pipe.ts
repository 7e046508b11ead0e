import {
  type ArgumentMetadata,
  Injectable,
  Logger,
  Optional,
  type Type,
  type ValidationError,
  ValidationPipe as NestValidationPipe,
  type ValidationPipeOptions as NestValidationPipeOptions,
} from '@nestjs/common';
import * as classTransformer from 'class-transformer';
import * as classValidator from 'class-validator';
import type { Checked } from '../compiled/compile-validator';
import { FirstPass } from '../compiled/first-pass';
import { GroupedSchema } from '../groups';
import { findMisplacedLists } from '../misplaced-lists';
import { type TakenFields, takeMemberNames } from '../own-names';
import { withUnknownMembers } from '../unknown-members';
import { findUnsafeInput, type UnsafeInput } from '../unsafe-input';

type ValidatorOptions = classValidator.ValidatorOptions;
type Errors = classValidator.ValidationError[];

/** Nest's own options, and one of ours. */
export interface ValidationPipeOptions extends NestValidationPipeOptions {
  /**
   * Refuses, as broken rules, the inputs at which the libraries or a class's own transforms would throw instead, or
   * work beyond measure (see `findUnsafeInput`), and lists in place of objects (see `findMisplacedLists`). Off by
   * default, which is equal to Nest's pipe.
   */
  hardened?: boolean;
}

/**
 * Nest's `ValidationPipe`, by type and by options, with these differences:
 *
 * - a single primitive (`@Param('id')`, `@Query('q')`, an uploaded file) arrives as it was sent, never converted;
 * - `@Body(inGroups(UserDto, 'create'))` validates under those groups;
 * - with `forbidNonWhitelisted`, a field named like a member of its class (`toString`, a method) is an unknown field
 *   like any other; the library leaves it out in silence;
 * - {@link ValidationPipeOptions.hardened}.
 */
@Injectable()
export class ValidationPipe extends NestValidationPipe {
  private readonly isHardened: boolean;
  private readonly logger = new Logger(ValidationPipe.name);
  /** Compiled; for instances that the two libraries themselves would make. */
  private readonly firstPass?: FirstPass;
  /** Fields taken from the input of the one call this object stands for (see {@link forOneCall}). */
  private taken?: ReadonlyMap<object, TakenFields>;
  private input?: unknown;

  constructor(@Optional() options: ValidationPipeOptions = {}) {
    const { hardened = false, ...nestOptions } = options;
    super({ validatorPackage: classValidator, transformerPackage: classTransformer, ...nestOptions });
    this.isHardened = hardened;
    const { transform, validatorPackage, transformerPackage } = nestOptions;
    if (transform && !validatorPackage && !transformerPackage) this.firstPass = this.makeFirstPass();
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const grouped = metadata.schema instanceof GroupedSchema ? metadata.schema : undefined;
    const type = grouped?.type ?? this.expectedType ?? metadata.metatype;
    if (typeof type !== 'function' || !this.toValidate({ ...metadata, metatype: type })) {
      return super.transform(value, metadata);
    }
    const known = this.firstPass?.read(type, value, grouped?.groups);
    if (known) return this.tell(known);
    if (!this.isHardened) return super.transform.call(this.forOneCall(type, value, grouped), value, metadata);
    await this.refuseUnsafe(value, metadata);
    try {
      return await super.transform.call(this.forOneCall(type, value, grouped), value, metadata);
    } catch (error) {
      throw isOverrun(error) ? await this.refuseOverrun(error, type, metadata) : error;
    }
  }

  protected override transformPrimitive(value: unknown): unknown {
    return value;
  }

  protected override async validate(object: object, options: ValidatorOptions = {}): Promise<Errors> {
    const errors = await this.validateTaken(object, options);
    return errors.length === 0 && this.isHardened ? findMisplacedLists(object, options) : errors;
  }

  private makeFirstPass(): FirstPass {
    const { validatorOptions, transformOptions, isHardened: hardened } = this;
    const validationError = { target: false, ...validatorOptions.validationError };
    return new FirstPass({ ...validatorOptions, validationError, transformOptions, hardened });
  }

  private async tell(known: Checked<object>): Promise<object> {
    if ('value' in known) return known.value;
    if (this.validatorOptions.validationError?.value === undefined) withoutValuesOfParents(known.errors);
    throw await this.exceptionFactory(known.errors);
  }

  private validateTaken(object: object, options: ValidatorOptions): Errors | Promise<Errors> {
    const { taken, input } = this;
    if (taken === undefined || !options.forbidNonWhitelisted) return super.validate(object, options);
    this.taken = undefined;
    return withUnknownMembers(taken, input, object, options, () => super.validate(object, options));
  }

  private async refuseUnsafe(value: unknown, { data, type }: ArgumentMetadata): Promise<void> {
    const unsafe = findUnsafeInput(value);
    if (unsafe) throw await this.exceptionFactory([toError(unsafe, data ?? type)]);
  }

  /**
   * An input at which a transform or a rule threw is a bad input to the caller, and something to mend to us. Only the
   * place is logged: the error's own message may quote the input.
   */
  private async refuseOverrun(
    error: Error,
    { name }: Type,
    { data, type }: ArgumentMetadata,
  ): Promise<unknown> {
    const place = error.stack?.split('\n').find((line) => line.startsWith('    at '));
    this.logger.warn(`The input of a ${name} made its rules throw a ${error.name} ${place?.trim()}`);
    const constraints = { isReadable: 'the input cannot be read' };
    return this.exceptionFactory([{ property: data ?? type, constraints, children: [] }]);
  }

  /**
   * This pipe, with what one call alone needs. Nest's pipe reads its options after it has waited, when another call
   * may have begun, so nothing of a call can be kept on the pipe itself.
   */
  private forOneCall(type: Type, value: unknown, grouped: GroupedSchema | undefined): ValidationPipe {
    const isGuarded = this.isHardened || this.validatorOptions.forbidNonWhitelisted;
    const taken = isGuarded ? takeMemberNames(type, value) : undefined;
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

/** As in Nest's pipe: a value that holds others would stand in the errors once for each level above them. */
function withoutValuesOfParents(errors: Errors): void {
  for (const error of errors.filter(({ children }) => children && children.length > 0)) {
    Reflect.deleteProperty(error, 'value');
    withoutValuesOfParents(error.children ?? []);
  }
}

/** What JavaScript itself throws when it is given a value of the wrong kind. */
const overruns = [TypeError, RangeError, URIError, SyntaxError];

function isOverrun(error: unknown): error is Error {
  return overruns.some((kind) => error instanceof kind);
}

/** An error as class-validator would have nested it, so that every form of answer can be made from it. */
function toError({ rule, message, path }: UnsafeInput, whole: string): ValidationError {
  const [last = whole, ...above] = path.toReversed();
  const innermost: ValidationError = { property: last, constraints: { [rule]: message }, children: [] };
  return above.reduce((inner, property) => ({ property, children: [inner] }), innermost);
}

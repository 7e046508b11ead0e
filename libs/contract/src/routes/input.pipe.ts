import { GroupedSchema, ValidationPipe, type ValidationPipeOptions } from '@app/engine';
import type { ArgumentMetadata } from '@nestjs/common';
import { maskInput } from './mask-input';
import { stripsUnknown } from './body.decorator';

/** A program's pipe. It rejects unknown members, or removes them from the bodies that say so. */
export class InputPipe extends ValidationPipe {
  private readonly stripping: ValidationPipe;

  /** @param unknownMembers `strip` removes the unknown members of every body; default only of routes with `@Body({ unknown })` */
  constructor(
    options: ValidationPipeOptions,
    readonly unknownMembers?: 'strip',
  ) {
    super(options);
    this.stripping = new ValidationPipe({ ...options, forbidNonWhitelisted: false });
  }

  override validateParameter(value: unknown, metadata: ArgumentMetadata): unknown {
    const { type, metatype, schema } = metadata;
    const input = maskInput(schema instanceof GroupedSchema ? schema.type : metatype, value);
    return type === 'body' && (this.unknownMembers === 'strip' || stripsUnknown(schema))
      ? this.stripping.validateParameter(input, metadata)
      : super.validateParameter(input, metadata);
  }
}

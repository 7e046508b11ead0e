import { ValidationPipe, type ValidationPipeOptions } from '@app/engine';
import type { ArgumentMetadata } from '@nestjs/common';
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
    return metadata.type === 'body' && (this.unknownMembers === 'strip' || stripsUnknown(metadata.schema))
      ? this.stripping.validateParameter(value, metadata)
      : super.validateParameter(value, metadata);
  }
}

import {
  type ArgumentMetadata,
  Injectable,
  Optional,
  ValidationPipe as NestValidationPipe,
  type ValidationPipeOptions as NestValidationPipeOptions,
} from '@nestjs/common';

/** Nest's own options, and ours. */
export interface ValidationPipeOptions extends NestValidationPipeOptions {
  hardened?: boolean;
}

@Injectable()
export class ValidationPipe extends NestValidationPipe {
  constructor(@Optional() options: ValidationPipeOptions = {}) {
    super(options);
  }

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    return super.transform(value, metadata);
  }
}

import { reportNotCompiled, whyNoRules } from '@app/shapes';
import {
  ClassSerializerInterceptor as NestInterceptor,
  type ClassSerializerInterceptorOptions,
} from '@nestjs/common';
import { transformerPackage } from '../transformer';

/**
 * Nest's `ClassSerializerInterceptor`, compiled: it is Nest's own, whichever is installed, and calls the compiled functions
 * in place of class-transformer's.
 */
export class ClassSerializerInterceptor extends NestInterceptor {
  protected override readonly defaultOptions: ClassSerializerInterceptorOptions;

  /** @param reflector Nest's `Reflector` */
  constructor(reflector: unknown, defaultOptions: ClassSerializerInterceptorOptions = {}) {
    const why = whyNoRules();
    if (why !== undefined) reportNotCompiled(why);
    super(reflector, { ...(why === undefined && { transformerPackage }), ...defaultOptions });
    // The options are passed to class-transformer, and a transform may look at them.
    this.defaultOptions = defaultOptions;
  }
}

import { reportNotCompiled, whyNoRules } from '../shapes/not-compiled';
import {
  ClassSerializerInterceptor as NestInterceptor,
  type ClassSerializerInterceptorOptions,
} from '@nestjs/common';
import { transformerPackage } from '../functions/transformer';
import { instanceCall, toPlain, type TransformerPackage } from './to-plain.interceptor';

/**
 * The compiled version of Nest's `ClassSerializerInterceptor`. It extends the installed Nest's own class, and calls the compiled
 * functions instead. It keeps its package when further interceptors are created, unlike Nest's own.
 */
export class ClassSerializerInterceptor extends NestInterceptor {
  protected override readonly defaultOptions: ClassSerializerInterceptorOptions;
  /** The compiled package; `undefined` if nothing is compiled and Nest's own package is used. */
  private readonly used: TransformerPackage | undefined;

  /** @param reflector Nest's `Reflector` */
  constructor(reflector: unknown, defaultOptions: ClassSerializerInterceptorOptions = {}) {
    const why = whyNoRules();
    if (why !== undefined) reportNotCompiled(why);
    instanceCall();
    super(reflector, { ...(why === undefined && { transformerPackage }), ...defaultOptions });
    this.used = defaultOptions.transformerPackage ?? (why === undefined ? transformerPackage : undefined);
    // The options are passed to class-transformer, and a transform may look at them.
    this.defaultOptions = defaultOptions;
  }

  override transformToPlain(
    ...[value, options]: Parameters<NestInterceptor['transformToPlain']>
  ): ReturnType<NestInterceptor['transformToPlain']> {
    if (!value || !this.used) return super.transformToPlain(value, options);
    return toPlain(this.used, value, options);
  }
}

import { reportNotCompiled, whyNoRules } from '../shapes/not-compiled';
import {
  ClassSerializerInterceptor as NestInterceptor,
  type ClassSerializerInterceptorOptions,
} from '@nestjs/common';
import { transformerPackage } from '../functions/transformer';
import { instanceCall, toPlain, type TransformerPackage } from './to-plain.interceptor';

/**
 * Nest's `ClassSerializerInterceptor`, compiled: it is Nest's own, whichever is installed, and calls the compiled functions
 * in place of class-transformer's. Other interceptors may be created after it: it keeps its package, which Nest's do not.
 */
export class ClassSerializerInterceptor extends NestInterceptor {
  protected override readonly defaultOptions: ClassSerializerInterceptorOptions;
  /** `undefined` if nothing is compiled: Nest's own are used. */
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

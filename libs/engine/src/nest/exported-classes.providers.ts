import { ClassSerializerInterceptor as NestInterceptor, ValidationPipe as NestPipe } from '@nestjs/common';
import { reportNotCompiled } from '../shapes/not-compiled';
import { ClassSerializerInterceptor as CompiledInterceptor } from './class-serializer.interceptor';
import { whyNestIsLeft } from './installed-nest.bootstrap';
import { ValidationPipe as CompiledPipe } from './validation.pipe';

/** The pipe and the interceptor of the package. */
export interface ExportedClasses {
  readonly pipe: typeof CompiledPipe;
  readonly interceptor: typeof CompiledInterceptor;
}

/**
 * Returns the compiled classes. For an untested Nest version, it returns Nest's own classes and reports this in a single line.
 */
export function exportedClasses(why = whyNestIsLeft()): ExportedClasses {
  const compiled = { pipe: CompiledPipe, interceptor: CompiledInterceptor };
  if (why === undefined) return compiled;
  reportNotCompiled(why);
  return Object.assign(compiled, { pipe: NestPipe, interceptor: NestInterceptor });
}

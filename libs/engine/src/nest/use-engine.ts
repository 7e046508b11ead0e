import {
  type ArgumentMetadata,
  ClassSerializerInterceptor,
  type ClassSerializerInterceptorOptions,
  type Type,
  ValidationPipe as NestPipe,
} from '@nestjs/common';
import { reportNotCompiled, whyNoRules } from '@app/shapes';
import { whyNestIsLeft } from './installed-nest';
import { instanceToPlain, plainToInstance } from '../transform-functions';
import { ValidationPipe } from './validation.pipe';

/**
 * Makes Nest's own pipe and interceptor use the compiled functions, in all their instances. Pipes that override a method,
 * and those with packages of their own, are left to Nest.
 *
 * Call it before the program creates a pipe: Nest's pipe uses the packages of the one that was created last.
 */
export function useEngine(): void {
  const why = whyNestIsLeft() ?? whyNoRules();
  if (why !== undefined) return reportNotCompiled(why);
  compilePipes();
  compileInterceptors();
}

type Transform = (this: NestPipe, value: unknown, metadata: ArgumentMetadata) => Promise<unknown>;

function compilePipes(): void {
  const transform: Transform = Reflect.get(NestPipe.prototype, 'transform');
  const twins = new WeakMap<NestPipe, ValidationPipe | undefined>();
  const usesOwnPackages = watchPackages();
  NestPipe.prototype.transform = function (value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (!twins.has(this)) twins.set(this, isStock(this) ? ValidationPipe.like(this) : undefined);
    const twin = usesOwnPackages() ? undefined : twins.get(this);
    return twin ? twin.transform(value, metadata) : transform.call(this, value, metadata);
  };
}

/** Whether the pipe that was created last was given a package, which Nest then uses for all pipes. */
function watchPackages(): () => boolean {
  const given = new Map<string, boolean>();
  for (const name of ['loadValidator', 'loadTransformer']) {
    const load: (this: NestPipe, wanted: unknown) => unknown = Reflect.get(NestPipe.prototype, name);
    Reflect.set(NestPipe.prototype, name, function (this: NestPipe, wanted: unknown) {
      given.set(name, wanted !== undefined && wanted !== null);
      return load.call(this, wanted);
    });
  }
  return () => [...given.values()].includes(true);
}

/** A subclass may override what the compiled functions do not call. */
function isStock(pipe: NestPipe): boolean {
  return Object.getOwnPropertyNames(NestPipe.prototype)
    .filter((name) => name !== 'constructor' && name !== 'transform')
    .every((name) => Reflect.get(pipe, name) === Reflect.get(NestPipe.prototype, name));
}

type Options = Parameters<ClassSerializerInterceptor['transformToPlain']>[1];
type ToPlain = (this: ClassSerializerInterceptor, value: unknown, options: Options) => object;

function compileInterceptors(): void {
  const { prototype } = ClassSerializerInterceptor;
  const transformToPlain: ToPlain = Reflect.get(prototype, 'transformToPlain');
  const passesOptions = passesOptionsTwice();
  prototype.transformToPlain = function (value: object | undefined, options: Options) {
    const given: ClassSerializerInterceptorOptions | undefined = Reflect.get(this, 'defaultOptions');
    if (!value || given?.transformerPackage) return transformToPlain.call(this, value, options);
    const { type } = options;
    if (!type || value instanceof type) return instanceToPlain(value, options);
    return instanceToPlain(plainToInstance(type, value, passesOptions ? options : undefined), options);
  };
}

/** Since Nest 11 a row becomes an instance with the options of the route; before, without any. */
function passesOptionsTwice(): boolean {
  let given: unknown;
  const plainToClass = <T>(type: Type<T>, ...more: unknown[]): T => {
    given = more[1];
    return new type();
  };
  const transformerPackage = { plainToInstance: plainToClass, plainToClass, classToPlain: Object };
  const interceptor = new ClassSerializerInterceptor(undefined, { transformerPackage });
  interceptor.transformToPlain({}, { type: class Asked {} });
  return given !== undefined;
}

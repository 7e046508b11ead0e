import {
  type ArgumentMetadata,
  ClassSerializerInterceptor,
  type ClassSerializerInterceptorOptions,
  ValidationPipe as NestPipe,
} from '@nestjs/common';
import { reportNotCompiled, whyNoRules } from '../shapes/not-compiled';
import { whyNestIsLeft } from './installed-nest.bootstrap';
import { transformerPackage } from '../functions/transformer';
import { instanceCall, toPlain } from './to-plain.interceptor';
import { ValidationPipe } from './validation.pipe';

/**
 * Makes Nest's own pipe and interceptor use the compiled functions, in all their instances. Nest itself handles pipes that
 * override a method, and pipes with packages of their own.
 *
 * Call it before the program creates a pipe, because Nest's pipes use the packages that the last pipe was created with.
 */
export function useEngine(): void {
  const why = whyNestIsLeft() ?? whyNoRules();
  if (why !== undefined) return reportNotCompiled(why);
  compilePipes();
  compileInterceptors();
}

type Transform = (this: NestPipe, value: unknown, metadata: ArgumentMetadata) => Promise<unknown>;

function compilePipes(): void {
  // It asks the installed Nest how it reports errors, by a pipe that overrides methods and is not to be reported.
  void new ValidationPipe();
  const transform: Transform = Reflect.get(NestPipe.prototype, 'transform');
  const twins = new WeakMap<NestPipe, ValidationPipe | undefined>();
  const usesOwnPackages = watchPackages();
  NestPipe.prototype.transform = function (value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (!twins.has(this)) twins.set(this, twinOf(this));
    const twin = usesOwnPackages() ? undefined : twins.get(this);
    return twin ? twin.transform(value, metadata) : transform.call(this, value, metadata);
  };
}

/** Returns a function that tells whether the newest pipe has its own package, which Nest then uses for all pipes. */
function watchPackages(): () => boolean {
  const passed = new Map<string, boolean>();
  for (const name of ['loadValidator', 'loadTransformer']) {
    const load: (this: NestPipe, wanted: unknown) => unknown = Reflect.get(NestPipe.prototype, name);
    Reflect.set(NestPipe.prototype, name, function (this: NestPipe, wanted: unknown) {
      passed.set(name, wanted !== undefined && wanted !== null);
      return load.call(this, wanted);
    });
  }
  return () => [...passed.values()].includes(true);
}

/**
 * Returns the compiled pipe for a Nest pipe. A subclass may override a method that the compiled functions do not call, so Nest
 * handles its pipes and a warning says so.
 */
function twinOf(pipe: NestPipe): ValidationPipe | undefined {
  if (pipe instanceof ValidationPipe) return undefined;
  const overridden = Object.getOwnPropertyNames(NestPipe.prototype)
    .filter((name) => !CALLED.has(name))
    .find((name) => Reflect.get(pipe, name) !== Reflect.get(NestPipe.prototype, name));
  if (overridden === undefined) return ValidationPipe.like(pipe);
  reportOverride(pipe.constructor, overridden);
  return undefined;
}

const reported = new WeakSet<Function>();

function reportOverride(type: Function, overridden: string): void {
  if (reported.has(type)) return;
  reported.add(type);
  const sentence = `${type.name} overrides ${overridden} of Nest’s ValidationPipe: the libraries validate in it.`;
  process.emitWarning(sentence, { type: 'SluiceWarning', code: 'SLUICE_NOT_COMPILED' });
}

/** The methods that a subclass may override, because the compiled functions call them, or are called by them. */
const CALLED: ReadonlySet<string> = new Set(['constructor', 'transform', 'toValidate']);

type Options = Parameters<ClassSerializerInterceptor['transformToPlain']>[1];
type ToPlain = (this: ClassSerializerInterceptor, value: unknown, options: Options) => object;

function compileInterceptors(): void {
  const { prototype } = ClassSerializerInterceptor;
  const transformToPlain: ToPlain = Reflect.get(prototype, 'transformToPlain');
  instanceCall();
  prototype.transformToPlain = function (value: object | undefined, options: Options) {
    const defaults: ClassSerializerInterceptorOptions | undefined = Reflect.get(this, 'defaultOptions');
    if (!value || defaults?.transformerPackage) return transformToPlain.call(this, value, options);
    return toPlain(transformerPackage, value, options);
  };
}

import * as library from 'class-transformer';
import { classToPlain, instanceToPlain, serialize } from './instance-to-plain';
import { deserialize, deserializeArray, plainToClass, plainToInstance } from './plain-to-instance';
import { withMethods } from './with-methods';

/** The compiled version of class-transformer's `ClassTransformer`, including its instances. */
export const ClassTransformer: typeof library.ClassTransformer = withMethods(
  class ClassTransformer extends library.ClassTransformer {},
  { instanceToPlain, plainToInstance },
);
export type ClassTransformer = library.ClassTransformer;

/** The compiled version of class-transformer's `TransformInstanceToPlain`. */
export const TransformInstanceToPlain: typeof library.TransformInstanceToPlain = (options) =>
  convertsResults((result) => instanceToPlain(result, options));

/** The compiled version of class-transformer's `TransformPlainToInstance`. */
export const TransformPlainToInstance: typeof library.TransformPlainToInstance = (type, options) =>
  convertsResults((result): unknown => plainToInstance(type, result, options));

/** The whole class-transformer package, for the `transformerPackage` option of Nest's own pipe and interceptor. */
export const transformerPackage: typeof library = {
  ...library,
  classToPlain,
  instanceToPlain,
  serialize,
  deserialize,
  deserializeArray,
  plainToClass,
  plainToInstance,
  ClassTransformer,
  TransformInstanceToPlain,
  TransformPlainToInstance,
};

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Converts the return value of a method, or the value that its promise resolves to. */
function convertsResults(convert: (result: unknown) => unknown): MethodDecorator {
  return (_target, _name, descriptor: PropertyDescriptor) => {
    const method: Method = descriptor.value;
    descriptor.value = function (this: unknown, ...args: unknown[]): unknown {
      const result = method.apply(this, args);
      return isThenable(result) ? result.then(convert) : convert(result);
    };
  };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return Boolean(value) && typeof Reflect.get(Object(value), 'then') === 'function';
}

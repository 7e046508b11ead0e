import {
  ClassSerializerInterceptor as NestInterceptor,
  type ClassSerializerInterceptorOptions,
  type Type,
} from '@nestjs/common';

/** A package that converts instances. */
export type TransformerPackage = NonNullable<ClassSerializerInterceptorOptions['transformerPackage']>;

type Options = Parameters<NestInterceptor['transformToPlain']>[1];
type MakeInstance = (type: Type, row: object, options?: Options) => object;

/** The call that the installed Nest makes to create an instance from a row. */
interface InstanceCall {
  readonly name: 'plainToInstance' | 'plainToClass';
  /** Whether the call passes the route options. This is the case since Nest 11. */
  readonly passesOptions: boolean;
}

/**
 * Works like `transformToPlain` of Nest's interceptor, but always with the given package, even if other interceptors use a
 * different package.
 */
export function toPlain(used: TransformerPackage, value: object, options: Options): object {
  const { type } = options;
  if (!type || value instanceof type) return plainOf(used, value, options);
  const { name, passesOptions } = instanceCall();
  // Nest's own type of a package differs between its versions.
  const make: MakeInstance = Reflect.get(used, name);
  const instance = passesOptions ? make(type, value, options) : make(type, value);
  return plainOf(used, instance, options);
}

function plainOf(used: TransformerPackage, value: object, options: Options): object {
  return used.classToPlain(value, options) as object;
}

let cachedCall: InstanceCall | undefined;

/**
 * Asks the installed Nest once, through an interceptor with our own package. Nest's interceptors use the last interceptor's
 * package, so call it before an interceptor is created.
 */
export function instanceCall(): InstanceCall {
  return (cachedCall ??= askedInstanceCall());
}

function askedInstanceCall(): InstanceCall {
  let call: InstanceCall | undefined;
  const makeBy =
    (name: InstanceCall['name']) =>
    <T>(type: Type<T>, ...more: unknown[]): T => {
      call = { name, passesOptions: more[1] !== undefined };
      return new type();
    };
  const transformerPackage = {
    plainToInstance: makeBy('plainToInstance'),
    plainToClass: makeBy('plainToClass'),
    classToPlain: Object,
  };
  new NestInterceptor(undefined, { transformerPackage }).transformToPlain({}, { type: class Asked {} });
  return call!;
}

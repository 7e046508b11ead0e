import type { ClassTransformOptions } from 'class-transformer';
import type { Observable } from 'rxjs';
import type { WireClass } from '@app/engine';
import type { BytesOptions, FreeResponse, ResponseDeclaration, RouteResponse } from './route-response';
import type { RowOf } from './row-of';

/** The members by which Fastify's reply is recognised. */
interface SentReply {
  readonly sent: boolean;
  readonly raw: object;
}

/** A handler that returns the sent value, or a promise for it. A handler that sends its own response returns the reply. */
export interface RespondingHandler<Sent> {
  readonly value?: (...args: never[]) => Sent | Promise<Sent> | Observable<Sent> | SentReply;
}

/** Fails to compile on a handler with a different return type. */
export type ReturnsDecorator<Sent> = (
  controller: object,
  name: string | symbol,
  handler: RespondingHandler<Sent>,
) => void;

const RESPONSE = Symbol('sluice.response');
const MEDIA_TYPES = Symbol('sluice.media-types');
const mediaType = /^[a-z]+\/[\w.+-]+(?:; ?[\w-]+=[\w-]+)*$/;

/**
 * Declares a route's response: `@Returns(User, { groups: ['admin'] })`, or `@Returns([User])` for a list.
 *
 * The handler returns a store row, an instance, or an array. The value is converted to an instance of the class and written by
 * its rules. Errors stay unchanged.
 *
 * @param options class-transformer's own: groups, version and the rest
 * @param status the status for a second kind of success, which `otherType` describes: `@Returns(Tokens, {}, 200, Pending)`
 * @throws TypeError if the class is still undefined because two files import each other
 */
export function Returns<Sent extends object>(
  type: WireClass<Sent>,
  options?: ClassTransformOptions,
): ReturnsDecorator<RowOf<Sent>>;
export function Returns<Sent extends object, Other extends object>(
  type: WireClass<Sent>,
  options: ClassTransformOptions,
  status: number,
  otherType: WireClass<Other>,
): ReturnsDecorator<RowOf<Sent> | RowOf<Other>>;
export function Returns<Sent extends object>(
  type: readonly [WireClass<Sent>],
  options?: ClassTransformOptions,
): ReturnsDecorator<readonly RowOf<Sent>[]>;
/** Declares a route without a response class; see {@link FreeResponse}. */
export function Returns(kind: FreeResponse): MethodDecorator;
/**
 * Declares a download with a media type chosen by the handler: `@Returns('bytes', { types: ['image/png', 'image/jpeg'] })`.
 *
 * @throws TypeError for a malformed media type
 */
export function Returns(kind: 'bytes', options: BytesOptions): MethodDecorator;
export function Returns(
  declaration: WireClass | readonly [WireClass] | FreeResponse,
  options: ClassTransformOptions | BytesOptions = {},
  status?: number,
  otherType?: WireClass,
): MethodDecorator {
  if ('types' in options) return returnsBytes(options.types);
  const otherwise = status !== undefined && otherType && { status, type: readResponse(otherType, {}).type };
  const response =
    typeof declaration === 'string'
      ? declaration
      : { ...readResponse(declaration, options), ...(otherwise && { otherwise }) };
  return (_target, _name, descriptor: PropertyDescriptor) => {
    const handler: object = descriptor.value;
    Reflect.defineMetadata(RESPONSE, response, handler);
  };
}

function returnsBytes(types: BytesOptions['types']): MethodDecorator {
  const wrong = types.find((type) => !mediaType.test(type));
  if (wrong !== undefined)
    throw new TypeError(
      `@Returns('bytes', { types }) needs media types such as 'image/png', and not '${wrong}'`,
    );
  return (target, name, descriptor: PropertyDescriptor) => {
    Returns('bytes')(target, name, descriptor);
    Reflect.defineMetadata(MEDIA_TYPES, Object.freeze([...types]), Object(descriptor.value));
  };
}

/** The declaration by {@link Returns} on a handler (the method itself), or `undefined`. */
export function responseDeclarationOf(handler: object): ResponseDeclaration | undefined {
  const response: ResponseDeclaration | undefined = Reflect.getMetadata(RESPONSE, handler);
  return response;
}

/** The media types of {@link BytesOptions} on a handler, or `undefined`. */
export function mediaTypesOf(handler: object): readonly string[] | undefined {
  const types: readonly string[] | undefined = Reflect.getMetadata(MEDIA_TYPES, handler);
  return types;
}

function readResponse(
  declaration: WireClass | readonly [WireClass],
  options: ClassTransformOptions,
): RouteResponse {
  const isList = typeof declaration === 'object';
  const type: WireClass | undefined = isList ? declaration[0] : declaration;
  if (typeof type !== 'function') {
    throw new TypeError(
      '@Returns needs a class, and this one is not defined yet: do two files import each other?',
    );
  }
  return Object.freeze({ type, isList, options: frozenCopy(options) });
}

/** Copies and freezes options, so that they are read only once for all responses. */
function frozenCopy(options: ClassTransformOptions): ClassTransformOptions {
  const lists = Object.entries(options).flatMap(([name, value]) =>
    Array.isArray(value) ? [[name, Object.freeze([...value])] as const] : [],
  );
  return Object.freeze({ ...options, ...Object.fromEntries(lists) });
}

import { Readable } from 'node:stream';
import { HttpStatus, StreamableFile } from '@nestjs/common';
import { HTTP_CODE_METADATA, REDIRECT_METADATA, SSE_METADATA } from '@nestjs/common/constants.js';
import { CLASS_SERIALIZER_OPTIONS } from '@nestjs/common/serializer/class-serializer.constants.js';
import type { ClassTransformOptions } from 'class-transformer';
import type { WireClass } from '@app/engine';
import { mediaTypesOf, responseDeclarationOf } from './returns.decorator';
import type { DeclaredResponse, FreeResponse, RouteResponse } from './route-response';

/** The argument of Nest's `@SerializeOptions`. */
export interface SerializeOptionsValue extends ClassTransformOptions {
  readonly type?: WireClass;
  readonly schema?: unknown;
  readonly validateOptions?: unknown;
}

/**
 * Returns the declared response of a route. It comes from `@Returns`, from Nest's `@SerializeOptions` on the handler or else on
 * the controller, and from the metadata by the compiler and Nest's decorators: a `string`, a `Buffer` or a stream as return
 * type, or a status without a body.
 *
 * A handler with both decorators gets the class from `@Returns`, whose options override the controller's options.
 *
 * @param name the handler name in its controller
 */
export function declaredResponse(controller: Function, name: string): DeclaredResponse {
  const handler = handlerOf(controller, name);
  const declaration = responseDeclarationOf(handler);
  const {
    type,
    schema: _,
    validateOptions: __,
    ...options
  } = serializeOptionsOf(controller, name)?.declaration ?? {};
  if (typeof declaration === 'object') {
    return {
      ...declaration,
      kind: 'class',
      isOpen: false,
      options: fixed({ ...options, ...declaration.options }),
    };
  }
  if (type !== undefined && (declaration === undefined || declaration === 'anything')) {
    return {
      kind: 'class',
      type,
      isList: false,
      isOpen: declaration === 'anything',
      options: fixed(options),
    };
  }
  const mediaTypes = mediaTypesOf(handler);
  return {
    kind: declaration ?? inferredResponse(controller, name) ?? 'undeclared',
    isStreamOfEvents: Reflect.hasMetadata(SSE_METADATA, handler),
    ...(mediaTypes && { mediaTypes }),
    options: Object.keys(options).length > 0 ? options : undefined,
  };
}

/** Freezes options, so that they are read only once for all responses. */
function fixed(options: ClassTransformOptions): ClassTransformOptions {
  return Object.freeze(options);
}

/**
 * Returns the declared response class of a handler, or `undefined`.
 *
 * @param controller provides `@SerializeOptions` if the handler lacks it
 */
export function answersOf(handler: object, controller?: Function): RouteResponse | undefined {
  const declaration = responseDeclarationOf(handler);
  const name = controller && nameOfHandler(controller, handler);
  if (controller === undefined || name === undefined)
    return typeof declaration === 'object' ? declaration : undefined;
  const declared = declaredResponse(controller, name);
  if (declared.kind !== 'class') return undefined;
  const { type, isList, options } = declared;
  return { type, isList, options };
}

/**
 * Returns the `@SerializeOptions` for a route and the place of its declaration. The handler's decorator replaces the
 * controller's decorator.
 */
export function serializeOptionsOf(
  controller: Function,
  name: string,
): { readonly declaration: SerializeOptionsValue; readonly isOwn: boolean } | undefined {
  const own: SerializeOptionsValue | undefined = Reflect.getMetadata(
    CLASS_SERIALIZER_OPTIONS,
    handlerOf(controller, name),
  );
  if (own !== undefined) return { declaration: own, isOwn: true };
  const declaration: SerializeOptionsValue | undefined = Reflect.getMetadata(
    CLASS_SERIALIZER_OPTIONS,
    controller,
  );
  return declaration && { declaration, isOwn: false };
}

/** A controller's method. */
export function handlerOf(controller: Function, name: string): object {
  const prototype: object = controller.prototype;
  return Reflect.get(prototype, name);
}

function nameOfHandler(controller: Function, handler: object): string | undefined {
  for (
    let prototype: object = controller.prototype;
    prototype !== Object.prototype;
    prototype = Object.getPrototypeOf(prototype)
  ) {
    const methodName = Object.getOwnPropertyNames(prototype).find(
      (name) => Object.getOwnPropertyDescriptor(prototype, name)?.value === handler,
    );
    if (methodName !== undefined) return methodName;
  }
  return undefined;
}

const textTypes = new Set<unknown>([String, Number, Boolean]);
const withoutBody = new Set<unknown>([HttpStatus.NO_CONTENT, HttpStatus.NOT_MODIFIED]);

/** Infers the response from metadata. A `Promise` hides the type of its value. */
function inferredResponse(controller: Function, name: string): FreeResponse | undefined {
  const handler = handlerOf(controller, name);
  if (Reflect.hasMetadata(REDIRECT_METADATA, handler)) return 'nothing';
  if (withoutBody.has(Reflect.getMetadata(HTTP_CODE_METADATA, handler))) return 'nothing';
  const returned: unknown = Reflect.getMetadata('design:returntype', controller.prototype, name);
  if (textTypes.has(returned)) return 'text';
  return returned === Buffer || returned === StreamableFile || returned === Readable ? 'bytes' : undefined;
}

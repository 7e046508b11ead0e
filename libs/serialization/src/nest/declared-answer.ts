import { Readable } from 'node:stream';
import { HttpStatus, StreamableFile } from '@nestjs/common';
import { HTTP_CODE_METADATA, REDIRECT_METADATA, SSE_METADATA } from '@nestjs/common/constants.js';
import { CLASS_SERIALIZER_OPTIONS } from '@nestjs/common/serializer/class-serializer.constants.js';
import type { ClassTransformOptions } from 'class-transformer';
import type { WireClass } from '../declared-rules';
import { type FreeAnswer, type RouteAnswer, saidAnswer } from './answers';

/** What is known of the answers of a route before there is one. */
export type DeclaredAnswer =
  | ClassAnswer
  | {
      /** `undeclared`: nothing is known. */
      readonly kind: FreeAnswer | 'undeclared';
      readonly isStreamOfEvents: boolean;
      /** How instances are written, where `@SerializeOptions` says so without naming a class. */
      readonly options: ClassTransformOptions | undefined;
    };

/** Of a route that sends a class. */
export interface ClassAnswer extends RouteAnswer {
  readonly kind: 'class';
  /** Whether `@Answers('anything')` lets the class send more than it exposes. */
  readonly isOpen: boolean;
}

/** What Nest's `@SerializeOptions` takes. */
export interface SerializeOptionsSaid extends ClassTransformOptions {
  readonly type?: WireClass;
  readonly schema?: unknown;
  readonly validateOptions?: unknown;
}

/**
 * What a route sends, by `@Answers`, by Nest's `@SerializeOptions` on the handler or else on the controller, and by
 * what the compiler and Nest's own decorators noted: a `string`, a `Buffer` or a stream as declared return type, a
 * status without a body.
 *
 * Where both decorators speak, `@Answers` names the class, and its options count over those of the controller.
 *
 * @param name of the handler in its controller
 */
export function declaredAnswer(controller: Function, name: string): DeclaredAnswer {
  const handler = handlerOf(controller, name);
  const said = saidAnswer(handler);
  const {
    type,
    schema: _,
    validateOptions: __,
    ...options
  } = serializeOptionsOf(controller, name)?.said ?? {};
  if (typeof said === 'object') {
    return { ...said, kind: 'class', isOpen: false, options: { ...options, ...said.options } };
  }
  if (type !== undefined && (said === undefined || said === 'anything')) {
    return { kind: 'class', type, isList: false, isOpen: said === 'anything', options };
  }
  return {
    kind: said ?? evidentAnswer(controller, name) ?? 'undeclared',
    isStreamOfEvents: Reflect.hasMetadata(SSE_METADATA, handler),
    options: Object.keys(options).length > 0 ? options : undefined,
  };
}

/**
 * The class that a handler answers with, or `undefined` where it declares none.
 *
 * @param controller whose `@SerializeOptions` counts where the handler has none
 */
export function answersOf(handler: object, controller?: Function): RouteAnswer | undefined {
  const said = saidAnswer(handler);
  const name = controller && nameOfHandler(controller, handler);
  if (controller === undefined || name === undefined) return typeof said === 'object' ? said : undefined;
  const declared = declaredAnswer(controller, name);
  if (declared.kind !== 'class') return undefined;
  const { type, isList, options } = declared;
  return { type, isList, options };
}

/** What `@SerializeOptions` says of a route, and where: on the handler it replaces what the controller says. */
export function serializeOptionsOf(
  controller: Function,
  name: string,
): { readonly said: SerializeOptionsSaid; readonly isOwn: boolean } | undefined {
  const own: SerializeOptionsSaid | undefined = Reflect.getMetadata(
    CLASS_SERIALIZER_OPTIONS,
    handlerOf(controller, name),
  );
  if (own !== undefined) return { said: own, isOwn: true };
  const said: SerializeOptionsSaid | undefined = Reflect.getMetadata(CLASS_SERIALIZER_OPTIONS, controller);
  return said && { said, isOwn: false };
}

/** The method of a controller. */
export function handlerOf(controller: Function, name: string): object {
  const prototype: object = controller.prototype;
  return Reflect.get(prototype, name);
}

function nameOfHandler(controller: Function, handler: object): string | undefined {
  for (let one: object = controller.prototype; one !== Object.prototype; one = Object.getPrototypeOf(one)) {
    const found = Object.getOwnPropertyNames(one).find(
      (name) => Object.getOwnPropertyDescriptor(one, name)?.value === handler,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

const textTypes = new Set<unknown>([String, Number, Boolean]);
const withoutBody = new Set<unknown>([HttpStatus.NO_CONTENT, HttpStatus.NOT_MODIFIED]);

/** A `Promise` hides what it gives, and so does a compiler that notes nothing. */
function evidentAnswer(controller: Function, name: string): FreeAnswer | undefined {
  const handler = handlerOf(controller, name);
  if (Reflect.hasMetadata(REDIRECT_METADATA, handler)) return 'nothing';
  if (withoutBody.has(Reflect.getMetadata(HTTP_CODE_METADATA, handler))) return 'nothing';
  const returned: unknown = Reflect.getMetadata('design:returntype', controller.prototype, name);
  if (textTypes.has(returned)) return 'text';
  return returned === Buffer || returned === StreamableFile || returned === Readable ? 'bytes' : undefined;
}

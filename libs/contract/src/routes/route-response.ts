import type { WireClass } from '@app/engine';
import type { ClassTransformOptions } from 'class-transformer';

/** The class that a route sends, and its options. */
export interface RouteResponse {
  readonly type: WireClass;
  /** Whether the route sends a list. */
  readonly isList: boolean;
  readonly options: ClassTransformOptions;
  /** The response for the second success status. */
  readonly otherwise?: OtherResponse;
}

/** The class that a route sends with a separate status. */
export interface OtherResponse {
  /** The success status. */
  readonly status: number;
  readonly type: WireClass;
}

/**
 * The response of a route without a class.
 *
 * - `text`: a string, a number or a boolean; never an object.
 * - `bytes`: a buffer or a stream.
 * - `nothing`: no body.
 * - `anything`: any return value; a plain object is sent unchanged, including secret fields, and an instance by the rules of its
 *   class.
 */
export type FreeResponse = 'text' | 'bytes' | 'nothing' | 'anything';

/** The `@Returns('bytes')` options. */
export interface BytesOptions {
  /** The media types that the handler chooses from, such as `image/png`; default the type that `@Header` declares. */
  readonly types: readonly [string, ...string[]];
}

/** The arguments of `@Returns`. */
export type ResponseDeclaration = RouteResponse | FreeResponse;

/** The declared response of a route. */
export type DeclaredResponse =
  | ClassResponse
  | {
      /** The kind of the response; `undeclared` without a declaration. */
      readonly kind: FreeResponse | 'undeclared';
      readonly isStreamOfEvents: boolean;
      /** The media types that the handler chooses from, if `@Returns('bytes')` lists them. */
      readonly mediaTypes?: readonly string[];
      /** The options for writing instances, if `@SerializeOptions` has options without a class. */
      readonly options: ClassTransformOptions | undefined;
    };

/** The declared response of a route that sends a class. */
export interface ClassResponse extends RouteResponse {
  readonly kind: 'class';
  /** Whether `@Returns('anything')` lets the class send more than its exposed members. */
  readonly isOpen: boolean;
}

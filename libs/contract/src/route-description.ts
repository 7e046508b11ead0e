import type { Deprecation } from './deprecation';
import type { SenderSignature } from './sender-signature';
import { type Rate } from '@app/settings';
import type { DeclaredResponse, RouteResponse } from './routes/route-response';
import type { InputClass, WireClass } from '@app/engine';
import type { UploadRule } from './upload-rule';

/** The declarations for a route. All checks, pages and generated files about routes derive from it. */
export interface RouteDescription {
  /** The application, as in `nest-cli.json`. */
  readonly application: string;
  /** The method, such as `GET`. */
  readonly method: string;
  /** The path, such as `/users/:id`. */
  readonly path: string;
  /**
   * The request versions that the route serves, if a header, a media type or a function decides; `undefined` for every version.
   */
  readonly versions?: readonly string[];
  readonly controller: Function;
  /** The name of the controller's method. */
  readonly handler: string;
  readonly callers: RouteCallers;
  /** The input with a class. Single fields (`@Query('q')`) are not included. */
  readonly body: RouteInput | undefined;
  readonly query: RouteInput | undefined;
  readonly params: RouteInput | undefined;
  /** The accepted files. The body then consists of the remaining form fields. */
  readonly upload?: UploadRule;
  /** The response; `undefined` unless `@Returns` declares a class. */
  readonly response: DescribedResponse | undefined;
  /** The kind of response: a class, text, bytes, nothing, or anything. */
  readonly sends: DeclaredResponse['kind'];
  /** The rate limit per caller; `undefined` if the route has no limit of its own. */
  readonly rate?: Rate | 'off';
  /** The dates of a deprecated route. */
  readonly deprecation?: Deprecation;
  /** The signature of the sender, if only a signed request reaches the handler. */
  readonly signature?: SenderSignature;
  /** Whether a request with an `Idempotency-Key` can be repeated. */
  readonly isIdempotent?: boolean;
  /** Whether the response has an `ETag`. */
  readonly hasEntityTag?: boolean;
  /** Whether `If-Match` is compared with the current `ETag`. */
  readonly ifMatch?: 'optional' | 'required';
  /** The success status. */
  readonly status: number;
  /** The media types of a success response; empty without content. */
  readonly mediaTypes: readonly string[];
}

/** The callers of a route. */
export interface RouteCallers {
  /** Whether the route is public. */
  readonly isPublic: boolean;
  /** The names of the strategies that find the caller, in order. On public routes the caller is optional. */
  readonly strategies: readonly string[];
  /** The accepted roles, any of which is sufficient; `undefined` allows every caller. */
  readonly roles: readonly string[] | undefined;
  /** The other conditions for the caller, such as a verified e-mail. */
  readonly facets?: readonly RouteFacet[];
  /** Whether a caller who must change the password may call the route. */
  readonly isBeforePasswordChange?: boolean;
  /** The scopes that restricted callers need; `undefined` if the route's strategies have no restricted callers. */
  readonly scopes?: NeededScopes;
  /** Whether the handler receives the caller (`@Caller`), and decides by it. */
  readonly isOwn: boolean;
}

/** A requirement that a route places on its callers. */
export interface RouteFacet {
  /** The name in the lock: `needsVerifiedEmail`. */
  readonly name: string;
  /** The value: `true`, a maximum, or a list of which an entry suffices. A smaller maximum and a shorter list are stricter. */
  readonly value: true | number | readonly string[];
  /** Whether it depends on the request, so that it is checked before the input. */
  readonly hasGate?: boolean;
  /** The sentence in the OpenAPI description. */
  readonly description: string;
  /** The text in the route list: `verified e-mail`. */
  readonly summary: string;
}

/** The scopes that a restricted caller needs. */
export interface NeededScopes {
  /** The required scopes, all together. */
  readonly needed: readonly string[];
  /** The strategies with restricted callers. */
  readonly strategies: readonly string[];
}

/** The class of a body, a query or path parameters. */
export interface RouteInput {
  readonly type: InputClass;
  /** The validation groups; empty if the route selects no groups. */
  readonly groups: readonly string[];
  /** Whether unknown members are removed from a body. By default they are rejected. */
  readonly stripsUnknown?: boolean;
}

/** The response of a route. */
export interface DescribedResponse {
  /** The class; for a list or a page, the item class. */
  readonly type: WireClass;
  /** The shape: a single instance, an array, or a `Page(type)`. */
  readonly shape: 'one' | 'list' | 'page';
  /** The class of the complete body: the page class, or `type`. */
  readonly body: WireClass;
  /** The response for the second success status. */
  readonly otherwise?: RouteResponse['otherwise'];
  /** The serialization groups; empty if the route selects no groups. */
  readonly groups: readonly string[];
  /** The class-transformer options that the route declares, including `groups`. */
  readonly options: RouteResponse['options'];
  /** The class version, if the route selects a version. */
  readonly version: number | undefined;
}

import { type Rate } from '@app/settings';
import type { DeclaredResponse, RouteResponse } from './routes/route-response';
import type { InputClass, WireClass } from '@app/engine';
import type { UploadRule } from './upload-rule';

/** What a program declares about one route: the source of all checks, pages and generated files about routes. */
export interface RouteDescription {
  /** The application, as in `nest-cli.json`. */
  readonly application: string;
  /** Such as `GET`. */
  readonly method: string;
  /** Such as `/users/:id`. */
  readonly path: string;
  /** The versions of requests that it serves, where a header, a media type or a function decides; `undefined` for every version. */
  readonly versions?: readonly string[];
  readonly controller: Function;
  /** The name of the controller's method. */
  readonly handler: string;
  readonly callers: RouteCallers;
  /** Inputs with a class; single fields (`@Query('q')`) are not included. */
  readonly body: RouteInput | undefined;
  readonly query: RouteInput | undefined;
  readonly params: RouteInput | undefined;
  /** The files that it accepts; its body is the other fields of the form then. */
  readonly upload?: UploadRule;
  /** `undefined` unless `@Returns` declares a class. */
  readonly response: DescribedResponse | undefined;
  /** The kind of its response: a class, text, bytes, nothing, or anything. */
  readonly sends: DeclaredResponse['kind'];
  /** How often one caller may call it; `undefined` without a limit of its own. */
  readonly rate?: Rate | 'off';
  /** Whether a request with an `Idempotency-Key` can be repeated. */
  readonly isIdempotent?: boolean;
  /** Whether its response has an `ETag`. */
  readonly hasEntityTag?: boolean;
  /** Whether `If-Match` is compared with the current `ETag`. */
  readonly ifMatch?: 'optional' | 'required';
  /** The status of a success. */
  readonly status: number;
  /** The media types of a success; empty without content. */
  readonly mediaTypes: readonly string[];
}

/** Who may call a route. */
export interface RouteCallers {
  /** Whether anybody may call. */
  readonly isPublic: boolean;
  /** The names of the strategies that find the caller, in order; of a public route, those of a caller who is optional. */
  readonly strategies: readonly string[];
  /** One of these is required; `undefined` allows every caller. */
  readonly roles: readonly string[] | undefined;
  /** What else the caller must meet, such as a verified e-mail. */
  readonly facets?: readonly RouteFacet[];
  /** Whether a caller who must change the password may call it. */
  readonly isBeforePasswordChange?: boolean;
  /** What restricted callers need; `undefined` if no strategy of the route has such callers. */
  readonly scopes?: NeededScopes;
  /** Whether the handler receives the caller (`@Caller`), and so decides by it. */
  readonly isOwn: boolean;
}

/** A requirement of a route on its callers. */
export interface RouteFacet {
  /** Of the lock: `needsVerifiedEmail`. */
  readonly name: string;
  /** `true`, or a maximum, of which a smaller one is stricter. */
  readonly value: true | number;
  /** A sentence of the OpenAPI description. */
  readonly description: string;
  /** In the list of routes: `verified e-mail`. */
  readonly summary: string;
}

/** What a caller who is restricted to scopes needs. */
export interface NeededScopes {
  /** All of these. */
  readonly needed: readonly string[];
  /** The strategies whose callers may be restricted. */
  readonly strategies: readonly string[];
}

/** The class of a body, a query or path parameters. */
export interface RouteInput {
  readonly type: InputClass;
  /** The validation groups; empty if the route selects none. */
  readonly groups: readonly string[];
}

/** What a route sends. */
export interface DescribedResponse {
  /** The class; of the items, for a list or a page. */
  readonly type: WireClass;
  /** One instance, an array, or a `Page(type)`. */
  readonly shape: 'one' | 'list' | 'page';
  /** The class of the complete body: the page's, or `type`. */
  readonly body: WireClass;
  /** What it sends with another status of a success. */
  readonly otherwise?: RouteResponse['otherwise'];
  /** The serialization groups; empty if the route selects none. */
  readonly groups: readonly string[];
  /** The options of class-transformer that the route declares, `groups` included. */
  readonly options: RouteResponse['options'];
  /** The version of the class, if the route selects one. */
  readonly version: number | undefined;
}

import type { DeclaredAnswer, RouteAnswer, WireClass } from '@app/serialization';
import type { InputClass } from '@app/validation';

/** What a program declares about one of its routes: the one source of the start's checks, pages and files about them. */
export interface RouteDescription {
  /** The application, as in `nest-cli.json`. */
  readonly application: string;
  /** Such as `GET`. */
  readonly method: string;
  /** With its parameters named, such as `/users/:id`. */
  readonly path: string;
  readonly controller: Function;
  /** The name of the controller's method. */
  readonly handler: string;
  readonly callers: RouteCallers;
  /** What it takes as a whole and by class; a single field (`@Query('q')`) is not told of here. */
  readonly body: RouteInput | undefined;
  readonly query: RouteInput | undefined;
  readonly params: RouteInput | undefined;
  /** `undefined` when `@Answers` says nothing: text, nothing at all, or what nobody declared. */
  readonly answer: DescribedAnswer | undefined;
  /** What is known of its answer: a class, or that it is text, bytes, nothing, or anything at all. */
  readonly sends: DeclaredAnswer['kind'];
  /** The status of its success. */
  readonly status: number;
  /** The media type of its success; `undefined` when that has no content. */
  readonly mediaType: string | undefined;
}

/** Who may call a route. */
export interface RouteCallers {
  readonly isPublic: boolean;
  /** The names of the strategies that find the caller, in the order in which they are tried; none when it is public. */
  readonly strategies: readonly string[];
  /** One of these is needed; `undefined` means that any caller will do. */
  readonly roles: readonly string[] | undefined;
  /** Whether the handler is told who calls (`@Caller`): it then decides by that, and answers what is the caller's own. */
  readonly isOwn: boolean;
}

/** The class of a body, a query or a path. */
export interface RouteInput {
  readonly type: InputClass;
  /** The groups it is validated under; empty when the route selects none. */
  readonly groups: readonly string[];
}

/** What a route sends. */
export interface DescribedAnswer {
  /** The class of one thing: of the items, where it is a list or a page. */
  readonly type: WireClass;
  /** One, a bare list, or a page as `Page(type)` has it. */
  readonly shape: 'one' | 'list' | 'page';
  /** What is sent as a whole: the page's own class, or `type`. */
  readonly whole: WireClass;
  /** The groups it is sent under; empty when the route selects none. */
  readonly groups: readonly string[];
  /** Class-transformer's own, `groups` among them, as the route says them. */
  readonly options: RouteAnswer['options'];
  /** Which version of the class is sent, where the route selects one. */
  readonly version: number | undefined;
}

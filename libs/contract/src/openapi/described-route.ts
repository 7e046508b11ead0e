import type { InputType } from '../input/input-schema';

/** A part of a description that is no schema. */
export type Part = Readonly<Record<string, unknown>>;

/** What a program declares about one of its routes, as far as a description needs it. */
export interface DescribedRoute {
  /** Such as `GET`. */
  readonly method: string;
  /** With its parameters named, such as `/users/:id`. */
  readonly path: string;
  readonly controller: Function;
  /** The name of the controller's method. */
  readonly handler: string;
  readonly callers: DescribedCallers;
  readonly body: DescribedInput | undefined;
  readonly query: DescribedInput | undefined;
  readonly params: DescribedInput | undefined;
  readonly answer: DescribedAnswer | undefined;
  /** The status of its success. */
  readonly status: number;
  /** The media type of its success; `undefined` when that has no content. */
  readonly mediaType: string | undefined;
}

/** Who may call. */
export interface DescribedCallers {
  readonly isPublic: boolean;
  /** The names of the strategies that find the caller. */
  readonly strategies: readonly string[];
  readonly roles: readonly string[] | undefined;
}

/** The class of a body, a query or a path, and the groups it is validated under. */
export interface DescribedInput {
  readonly type: InputType;
  readonly groups: readonly string[];
}

/** What a route sends. */
export interface DescribedAnswer {
  readonly shape: 'one' | 'list' | 'page';
  readonly whole: Function;
  readonly groups: readonly string[];
  readonly version: number | undefined;
}

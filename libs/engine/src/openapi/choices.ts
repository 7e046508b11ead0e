import type { ResponseChoice } from '@app/contract';

/** How the pipes of a handler validate. */
export interface InputChoice {
  readonly groups: readonly string[];
  /** Whether members without rules are removed. */
  readonly whitelist: boolean;
  /** Whether they are refused. */
  readonly refusesUnknown: boolean;
}

/** How a handler's result is serialized: the options, and the class of the route, if any. */
export interface OutputChoice extends ResponseChoice {
  readonly type: Function | undefined;
}

import type { HttpErrorClass } from '@app/http-errors';

/**
 * The value that a facet requires on a route: `true`, a maximum, or a list of which a single entry suffices. A smaller maximum and
 * a shorter list are stricter.
 */
export type FacetValue = true | number | readonly string[];

/** The caller parts that the guard reads. */
export interface GuardedCaller {
  readonly role?: unknown;
  /** The caller's scopes; `undefined` if the caller is unrestricted. */
  readonly scopes?: readonly string[];
  /** The token of a trusted issuer, if the caller sent such a token. */
  readonly issued?: unknown;
  /** Whether the caller must change the password before anything else. */
  readonly mustChangePassword?: unknown;
  /** Further members that a strategy found. */
  readonly [member: string]: unknown;
}

/** Decides by the request whether a caller meets a facet. A plugin provides it. */
export interface FacetGate<Value extends FacetValue = FacetValue> {
  /**
   * @returns the caller for the handler, to which it may add members
   * @throws an error with a reply
   */
  admit(
    caller: GuardedCaller,
    request: { readonly params?: unknown },
    value: Value,
  ): GuardedCaller | Promise<GuardedCaller>;
}

/** A facet's declaration. */
export interface FacetRule<Value extends FacetValue> {
  /** The name in the lock, such as `needsVerifiedEmail`. */
  readonly name: string;
  /** The decorator as messages name it, such as `@Verified()`. */
  readonly decorator: string;
  /** The error for a caller who does not meet it. */
  readonly error: HttpErrorClass<[]>;
  /** The path parameter by which a gate decides. Each route with the parameter needs the decorator, and vice versa. */
  readonly parameter?: string;
  /** Absent if the facet depends on the request, so that a {@link FacetGate} decides. */
  readonly isMet?: (caller: GuardedCaller, value: Value) => boolean;
  /** Returns a sentence for the OpenAPI description. */
  readonly description: (value: Value) => string;
  /** Returns the words for the list of routes, such as `verified e-mail`. */
  readonly summary: (value: Value) => string;
}

/** A facet's requirement on a route's callers. */
export interface Requirement {
  /** The name in the lock, such as `needsVerifiedEmail`. */
  readonly name: string;
  readonly value: FacetValue;
  /** A sentence of the OpenAPI description. */
  readonly description: string;
  /** The text in the list of routes, such as `verified e-mail`. */
  readonly summary: string;
  /** Whether a {@link FacetGate} checks it. */
  readonly hasGate: boolean;
  /** @throws the error of the facet */
  readonly check: (caller: GuardedCaller) => void;
}

/** A requirement of routes on their callers besides roles and scopes, such as a verified e-mail. */
export interface Facet<Value extends FacetValue = never> extends Pick<
  FacetRule<Value>,
  'decorator' | 'error' | 'parameter'
> {
  /** Decorates a handler, or all handlers in a class. `false` exempts a handler in a decorated class. */
  readonly set: (value: Value | false) => ClassDecorator & MethodDecorator;
  /** Whether a handler or a class has the decorator itself. */
  readonly isOn: (target: Function) => boolean;
  /** Reads it from a route's metadata; the handler overrides its class. */
  readonly read: (handler: Function, controller: Function) => Requirement | undefined;
}

/** Every facet that was made, whether a program registers it or not. */
export const madeFacets = new Set<Facet>();

/** Makes a facet from its rule. A plugin lists it in `facets`. */
export function facet<Value extends FacetValue>(rule: FacetRule<Value>): Facet<Value> {
  const { name, decorator, error, parameter } = rule;
  const key = Symbol(`sluice.${name}`);
  const set =
    (value: Value | false) => (target: object, _name?: string | symbol, member?: PropertyDescriptor) =>
      Reflect.defineMetadata(key, value, member?.value ?? target);
  const requirementOf = (value: Value): Requirement => ({
    name,
    value,
    description: rule.description(value),
    summary: rule.summary(value),
    hasGate: rule.isMet === undefined,
    check: (caller) => {
      if (rule.isMet?.(caller, value) === false) throw new error();
    },
  });
  const newFacet: Facet<Value> = {
    decorator,
    error,
    ...(parameter !== undefined && { parameter }),
    set,
    isOn: (target) => Reflect.hasMetadata(key, target),
    read: (handler, controller) => {
      const value: Value | false | undefined =
        Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller);
      return value ? requirementOf(value) : undefined;
    },
  };
  madeFacets.add(newFacet);
  return newFacet;
}

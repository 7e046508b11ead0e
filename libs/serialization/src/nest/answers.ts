import type { ClassTransformOptions } from 'class-transformer';
import type { WireClass } from '../declared-rules';
import { refuseOpenHeir } from '../wire-classes';

/** The class that a route sends, and how. */
export interface RouteAnswer {
  readonly type: WireClass;
  /** Whether it sends a list of them. */
  readonly isList: boolean;
  readonly options: ClassTransformOptions;
}

/**
 * What a route sends that is of no class.
 *
 * `text`: a string, a number, a boolean; never an object. `bytes`: a buffer or a stream. `nothing`: no body.
 * `anything`: whatever the handler returns; a plain object leaves as it is, secret fields and all, an instance by the
 * rules of its own class.
 */
export type FreeAnswer = 'text' | 'bytes' | 'nothing' | 'anything';

/** What `@Answers` was told, as it was told. */
export type SaidAnswer = RouteAnswer | FreeAnswer;

const ANSWER = Symbol('sluice.answer');

/**
 * Declares what a route sends: `@Answers(User, { groups: ['admin'] })`, or `@Answers([User])` for a list.
 *
 * Whatever the handler returns (a row of a store, an instance, an array of either) is made an instance of the class
 * and leaves by that class's rules. Errors are not touched.
 *
 * @param options class-transformer's own: groups, version and the rest
 * @throws OpenWireClassError for a class that extends a closed one without being closed itself
 * @throws TypeError when the class is not there yet: two files that import each other
 */
export function Answers(
  type: WireClass | readonly [WireClass],
  options?: ClassTransformOptions,
): MethodDecorator;
/** Declares that a route sends nothing that a class could describe; see {@link FreeAnswer}. */
export function Answers(kind: FreeAnswer): MethodDecorator;
export function Answers(
  given: WireClass | readonly [WireClass] | FreeAnswer,
  options: ClassTransformOptions = {},
): MethodDecorator {
  const answer = typeof given === 'string' ? given : readAnswer(given, options);
  return (_target, _name, descriptor: PropertyDescriptor) => {
    const handler: object = descriptor.value;
    Reflect.defineMetadata(ANSWER, answer, handler);
  };
}

/** What {@link Answers} was told of a handler (the method itself), or `undefined`. */
export function saidAnswer(handler: object): SaidAnswer | undefined {
  const answer: SaidAnswer | undefined = Reflect.getMetadata(ANSWER, handler);
  return answer;
}

function readAnswer(given: WireClass | readonly [WireClass], options: ClassTransformOptions): RouteAnswer {
  const isList = typeof given === 'object';
  const type: WireClass | undefined = isList ? given[0] : given;
  if (typeof type !== 'function') {
    throw new TypeError(
      '@Answers needs a class, and this one is not there yet: do two files import each other?',
    );
  }
  refuseOpenHeir(type);
  return Object.freeze({ type, isList, options: Object.freeze({ ...options }) });
}

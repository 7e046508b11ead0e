import type { ClassTransformOptions } from 'class-transformer';
import type { Observable } from 'rxjs';
import type { WireClass } from '../declared-rules';
import type { RowOf } from '../row-of';
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

/** The part of Fastify's reply by which it is known. */
interface SentReply {
  readonly sent: boolean;
  readonly raw: object;
}

/** A handler that returns what may be sent, or promises it; one that sends it by the reply returns the reply. */
export interface AnsweringHandler<Sent> {
  readonly value?: (...given: never[]) => Sent | Promise<Sent> | Observable<Sent> | SentReply;
}

/** Takes no handler that returns something else. */
export type AnswerDecorator<Sent> = (
  controller: object,
  name: string | symbol,
  handler: AnsweringHandler<Sent>,
) => void;

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
export function Answers<Sent extends object>(
  type: WireClass<Sent>,
  options?: ClassTransformOptions,
): AnswerDecorator<RowOf<Sent>>;
export function Answers<Sent extends object>(
  type: readonly [WireClass<Sent>],
  options?: ClassTransformOptions,
): AnswerDecorator<readonly RowOf<Sent>[]>;
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

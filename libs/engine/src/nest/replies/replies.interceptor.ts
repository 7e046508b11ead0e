import {
  type ClassSerializerContextOptions,
  type ClassSerializerInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { compileSerializer } from '../../serialization/run/compile-serializer';
import type { Observer, ResponseController, Subscribable } from './router-context.internals';
import { sendsText } from './send-text.internals';

/** Results have many classes: with the class of plain objects, these would be written by their layouts, which is slower. */
class Anything {}

/** The replies of one handler: what the interceptor would send, and JSON that is written without a plain object. */
export class Replies {
  private readonly serializer: ReturnType<typeof compileSerializer>;

  constructor(
    private readonly base: ResponseController,
    private readonly interceptor: ClassSerializerInterceptor,
    private readonly options: ClassSerializerContextOptions,
  ) {
    this.serializer = compileSerializer(Anything, options);
  }

  /** Nest's own, with these replies. */
  controller(): ResponseController {
    const { base } = this;
    const plain: ResponseController = Object.create(base);
    plain.transformToResult = async (result) => this.toPlain(await base.transformToResult(result));
    const own: ResponseController = Object.create(base);
    own.apply = (result, response, status) => base.apply(this.written(result, response), response, status);
    own.render = (result, response, template) => base.render.call(plain, result, response, template);
    own.redirect = (result, response, redirect) => base.redirect.call(plain, result, response, redirect);
    own.sse = async (messages, ...rest) => base.sse(this.mapped(await messages), ...rest);
    const { stream } = base;
    if (stream) own.stream = (body, ...rest) => stream.call(base, this.chunks(body), ...rest);
    return own;
  }

  /** What Nest sends: the result itself, if the response sends its JSON, or else the plain object. */
  private written(result: unknown, response: object): unknown {
    if (!this.canWrite(result)) return this.toPlain(result);
    const text = this.serializer.write(result);
    return sendsText(response, text) ? result : this.toPlain(result);
  }

  /** A row becomes an instance of the route's class first, which is left to the interceptor. */
  private canWrite(result: unknown): result is object {
    if (typeof result !== 'object' || result === null || result instanceof StreamableFile) return false;
    if (Symbol.asyncIterator in result || Object.prototype.toString.call(result) === '[object Response]')
      return false;
    const { type } = this.options;
    const values: readonly unknown[] = Array.isArray(result) ? result : [result];
    return !type || values.every((one) => !one || one instanceof type);
  }

  private toPlain(value: unknown): unknown {
    return typeof value === 'object' && value !== null
      ? this.interceptor.serialize(value, this.options)
      : value;
  }

  /** The messages of a stream of events, each as the interceptor sends it. */
  private mapped(messages: Subscribable): Subscribable {
    if (typeof Reflect.get(Object(messages), 'subscribe') !== 'function') return messages;
    const subscribe = (observer: Observer) =>
      messages.subscribe({
        next: (message) => observer.next(this.toPlain(message)),
        error: (reason) => observer.error(reason),
        complete: () => observer.complete(),
      });
    const mapped: Subscribable = Reflect.construct(messages.constructor, [subscribe]);
    return mapped;
  }

  /** The values that a stream yields; text and bytes are sent as they are. */
  private chunks(body: AsyncIterable<unknown>): AsyncIterable<unknown> {
    const isText = !(Symbol.asyncIterator in body) || Reflect.get(body, 'readableObjectMode') === false;
    return isText ? body : this.serialized(body);
  }

  private async *serialized(body: AsyncIterable<unknown>): AsyncIterable<unknown> {
    for await (const chunk of body)
      yield ArrayBuffer.isView(chunk) || chunk instanceof ArrayBuffer ? chunk : this.toPlain(chunk);
  }
}

import { isObject } from '../../shapes/values';
import {
  type ClassSerializerContextOptions,
  type ClassSerializerInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { compileSerializer } from '../../serialization/run/compile-serializer';
import type { Observer, ResponseController, Subscribable } from './router-context.internals';
import { sendsText } from './send-text.internals';

/**
 * A class that matches no value. Results have many classes, and with the class of plain objects, they would be written by their
 * layouts, which is slower.
 */
class Anything {}

/** The replies of a handler: the interceptor's results, and JSON that is written without a plain object. */
export class Replies {
  private readonly serializer: ReturnType<typeof compileSerializer>;

  constructor(
    private readonly base: ResponseController,
    private readonly interceptor: ClassSerializerInterceptor,
    private readonly options: ClassSerializerContextOptions,
  ) {
    this.serializer = compileSerializer(Anything, options);
  }

  /** Returns Nest's own responder with these replies. */
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

  /** Returns the value that Nest sends: the result itself if the response sends its JSON, or else the plain object. */
  private written(result: unknown, response: object): unknown {
    if (!this.canWrite(result)) return this.toPlain(result);
    const text = this.serializer.write(result);
    return sendsText(response, text) ? result : this.toPlain(result);
  }

  /**
   * Whether the result can be written directly. A row becomes an instance of the route's class first, so the interceptor handles
   * it.
   */
  private canWrite(result: unknown): result is object {
    if (!isObject(result) || result instanceof StreamableFile) return false;
    if (Symbol.asyncIterator in result || Object.prototype.toString.call(result) === '[object Response]')
      return false;
    const { type } = this.options;
    const values: readonly unknown[] = Array.isArray(result) ? result : [result];
    return !type || values.every((value) => !value || value instanceof type);
  }

  private toPlain(value: unknown): unknown {
    return isObject(value) ? this.interceptor.serialize(value, this.options) : value;
  }

  /** Converts each message in an event stream like the interceptor does. */
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

  /** Converts the values that a stream yields; text and bytes are sent unchanged. */
  private chunks(body: AsyncIterable<unknown>): AsyncIterable<unknown> {
    const isText = !(Symbol.asyncIterator in body) || Reflect.get(body, 'readableObjectMode') === false;
    return isText ? body : this.serialized(body);
  }

  private async *serialized(body: AsyncIterable<unknown>): AsyncIterable<unknown> {
    for await (const chunk of body)
      yield ArrayBuffer.isView(chunk) || chunk instanceof ArrayBuffer ? chunk : this.toPlain(chunk);
  }
}

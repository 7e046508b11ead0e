import { RefusalError } from '@app/refusals';
import type { Answer } from './answer';

/** A request that the door turns away before any handler hears of it. */
export abstract class DoorError extends RefusalError {
  constructor(
    readonly answer: Answer,
    options?: ErrorOptions,
  ) {
    super(String(answer.message), options);
  }
}

/** The body is something else than JSON in UTF-8, or it is compressed. */
export class UnsupportedBodyError extends DoorError {
  override readonly name = 'UnsupportedBodyError';

  constructor() {
    super({
      status: 415,
      message: 'send the body as application/json, in UTF-8 and without Content-Encoding',
    });
  }
}

export class BodyTooLargeError extends DoorError {
  override readonly name = 'BodyTooLargeError';

  constructor(readonly maxBytes: number) {
    super({ status: 413, message: `the body must not be longer than ${maxBytes} bytes` });
  }
}

/** The body ended before, or went on after, what `Content-Length` had announced. */
export class BodyLengthError extends DoorError {
  override readonly name = 'BodyLengthError';

  constructor(options?: ErrorOptions) {
    super({ status: 400, message: 'the body must be as long as Content-Length says' }, options);
  }
}

export class BrokenUtf8Error extends DoorError {
  override readonly name = 'BrokenUtf8Error';

  constructor() {
    super({ status: 400, message: 'the body must be valid UTF-8' });
  }
}

/** The message tells where JSON ends to be JSON, when that is known, and repeats nothing of the body. */
export class MalformedJsonError extends DoorError {
  override readonly name = 'MalformedJsonError';

  /** @param hint what is known of the place, such as `line 1, column 9` */
  constructor(hint: string | undefined) {
    super({ status: 400, message: `the body must be valid JSON${hint === undefined ? '' : `: ${hint}`}` });
  }
}

export class TooDeepError extends DoorError {
  override readonly name = 'TooDeepError';

  constructor(readonly maxLevels: number) {
    super({ status: 400, message: `the body must not be nested more than ${maxLevels} levels deep` });
  }
}

/** A text or a name in the body holds half of a surrogate pair: no character, and nothing that UTF-8 can write. */
export class LoneSurrogateError extends DoorError {
  override readonly name = 'LoneSurrogateError';

  constructor() {
    super({
      status: 400,
      message: 'the body must be well-formed Unicode: it holds half of a surrogate pair',
    });
  }
}

/** A name that reaches for the prototype of our objects. Told as any other field that should not exist. */
export class ForbiddenKeyError extends DoorError {
  override readonly name = 'ForbiddenKeyError';

  /** @param path from the outside in; its last part is the name itself */
  constructor(path: readonly string[]) {
    const message = [`property ${path.at(-1)} should not exist`];
    super({ status: 400, message, details: [{ field: path.join('.'), messages: message }] });
  }
}

/** @see RFC 9112 §3.2 (a request has exactly one, and a valid one) */
export class HostHeaderError extends DoorError {
  override readonly name = 'HostHeaderError';

  constructor() {
    super({ status: 400, message: 'send exactly one valid Host header' });
  }
}

/** A field that may stand in a request once stands there twice: a proxy may have believed the other one. */
export class RepeatedHeaderError extends DoorError {
  override readonly name = 'RepeatedHeaderError';

  constructor(readonly header: string) {
    super({ status: 400, message: `send the header ${header} once` });
  }
}

/** The path or the query string holds `%` without two digits behind it, bytes that are no UTF-8, or NUL. */
export class BrokenTargetError extends DoorError {
  override readonly name = 'BrokenTargetError';

  constructor(part: 'path' | 'query string') {
    super({ status: 400, message: `the ${part} must be percent-encoded UTF-8 without NUL` });
  }
}

export class ParamTooLongError extends DoorError {
  override readonly name = 'ParamTooLongError';

  constructor(readonly maxLength: number) {
    super({ status: 414, message: `a part of the path must not be longer than ${maxLength} characters` });
  }
}

/** No route is there. The query string is left out of the message: it may carry anything. */
export class UnknownPathError extends DoorError {
  override readonly name = 'UnknownPathError';

  constructor(method: string, target: string) {
    super({ status: 404, message: `Cannot ${method} ${target.split(/[?#]/, 1)[0]}` });
  }
}

/** The only expectation of HTTP is `100-continue`, which Node meets. */
export class ExpectationError extends DoorError {
  override readonly name = 'ExpectationError';

  constructor() {
    super({ status: 417, message: 'the header Expect may only ask for 100-continue' });
  }
}

/** What came over the connection is no HTTP. */
export class MalformedRequestError extends DoorError {
  override readonly name = 'MalformedRequestError';

  constructor() {
    super({ status: 400, message: 'the request must be valid HTTP/1.1' });
  }
}

export class RequestTimeoutError extends DoorError {
  override readonly name = 'RequestTimeoutError';

  constructor() {
    super({ status: 408, message: 'the request took too long to arrive' });
  }
}

/** There is more to do than can be done in time. */
export class OverloadedError extends DoorError {
  override readonly name = 'OverloadedError';

  constructor() {
    super({ status: 503, message: 'the service has too much to do; try again later' });
  }
}

export class HeadersTooLargeError extends DoorError {
  override readonly name = 'HeadersTooLargeError';

  constructor() {
    super({ status: 431, message: 'the header fields are too large' });
  }
}

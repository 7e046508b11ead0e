import { type ErrorReply, HttpError } from '@app/http-errors';

/** A request that is rejected before a handler runs. */
export abstract class IngressError extends HttpError {
  constructor(
    readonly reply: ErrorReply,
    options?: ErrorOptions,
  ) {
    super(String(reply.message), options);
  }
}

/** What differs between two errors of one class: a limit, a name, a hint. Nothing from a body. */
type Facts = readonly unknown[];

/** A message, or a function that makes it from the facts. */
type Message<F extends Facts> = string | ((...facts: F) => string);

/** Makes an error class from its name, its status and a message that tells the caller what to do. */
function ingressError<F extends Facts = []>(name: string, status: number, message: Message<F>) {
  const type = class extends IngressError {
    override readonly name = name;

    constructor(...facts: F) {
      super({ status, message: typeof message === 'string' ? message : message(...facts) });
    }
  };
  return Object.defineProperty(type, 'name', { value: name });
}

/** The body is not JSON in UTF-8, or it is compressed. */
export const UnsupportedBodyError = ingressError(
  'UnsupportedBodyError',
  415,
  'send the body as application/json, in UTF-8 and without Content-Encoding',
);

export const BodyTooLargeError = ingressError(
  'BodyTooLargeError',
  413,
  (maxBytes: number) => `the body must not be longer than ${maxBytes} bytes`,
);

/** The body is shorter or longer than `Content-Length`. */
export const BodyLengthError = ingressError(
  'BodyLengthError',
  400,
  'the body must be as long as Content-Length says',
);

export const BrokenUtf8Error = ingressError('BrokenUtf8Error', 400, 'the body must be valid UTF-8');

/** The hint is a position such as `line 1, column 9`, if one is known; nothing of the body is repeated. */
export const MalformedJsonError = ingressError(
  'MalformedJsonError',
  400,
  (hint: string | undefined) => `the body must be valid JSON${hint === undefined ? '' : `: ${hint}`}`,
);

export const TooDeepError = ingressError(
  'TooDeepError',
  400,
  (maxLevels: number) => `the body must not be nested more than ${maxLevels} levels deep`,
);

/** A string or a key in the body holds an unpaired surrogate, which UTF-8 cannot encode. */
export const LoneSurrogateError = ingressError(
  'LoneSurrogateError',
  400,
  'the body must be well-formed Unicode: it holds half of a surrogate pair',
);

/** @see RFC 9112 §3.2 (a request has exactly one valid Host header) */
export const HostHeaderError = ingressError('HostHeaderError', 400, 'send exactly one valid Host header');

/** A header that may be sent once is sent twice. A proxy may have read the other one. */
export const RepeatedHeaderError = ingressError(
  'RepeatedHeaderError',
  400,
  (header: string) => `send the header ${header} once`,
);

/** The body has a transfer coding other than `chunked`; @see RFC 9112 §6.1 */
export const TransferCodingError = ingressError(
  'TransferCodingError',
  501,
  'the only supported Transfer-Encoding is chunked',
);

/** The path or the query string holds `%` without two hexadecimal digits, bytes that are not UTF-8, or NUL. */
export const BrokenTargetError = ingressError(
  'BrokenTargetError',
  400,
  (part: 'path' | 'query string') => `the ${part} must be percent-encoded UTF-8 without NUL`,
);

export const ParamTooLongError = ingressError(
  'ParamTooLongError',
  414,
  (maxLength: number) => `a part of the path must not be longer than ${maxLength} characters`,
);

/** No route matches. The message leaves out the query string, which may contain secrets. */
export const UnknownPathError = ingressError(
  'UnknownPathError',
  404,
  (method: string, target: string) => `Cannot ${method} ${target.split(/[?#]/, 1)[0]}`,
);

/** The only expectation that HTTP defines is `100-continue`, which Node supports. */
export const ExpectationError = ingressError(
  'ExpectationError',
  417,
  'the header Expect may only ask for 100-continue',
);

/** The bytes on the connection are not HTTP. */
export const MalformedRequestError = ingressError(
  'MalformedRequestError',
  400,
  'the request must be valid HTTP/1.1',
);

export const RequestTimeoutError = ingressError(
  'RequestTimeoutError',
  408,
  'the request took too long to arrive',
);

/** More requests arrive than can be answered in time. */
export const OverloadedError = ingressError(
  'OverloadedError',
  503,
  'the service is overloaded; try again later',
);

export const HeadersTooLargeError = ingressError(
  'HeadersTooLargeError',
  431,
  'the header fields are too large',
);

/** A key that could cause prototype pollution. Reported like any other undeclared field. */
export class ForbiddenKeyError extends IngressError {
  override readonly name = 'ForbiddenKeyError';

  /** @param path outermost key first; the last part is the forbidden key */
  constructor(path: readonly string[]) {
    const message = [`property ${path.at(-1)} should not exist`];
    super({ status: 400, message, details: [{ field: path.join('.'), messages: message }] });
  }
}

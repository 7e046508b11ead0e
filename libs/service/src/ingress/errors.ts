import { type ErrorReply, HttpError, jsonPointer, type ProblemType, problemType } from '@app/http-errors';
import { InvalidInputError, unknownField } from '@app/validation';

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

/** What an error class is made from. */
interface Declared<F extends Facts> extends ProblemType {
  /** The name of the class. */
  readonly name: string;
  /** What the caller is told to do, or a function that makes it from the facts. */
  readonly message: string | ((...facts: F) => string);
  /** The facts as `params` declares them. */
  readonly paramsOf?: (...facts: F) => NonNullable<ErrorReply['params']>;
}

/** Makes an error class. */
function ingressError<F extends Facts = []>({ name, message, paramsOf, ...declared }: Declared<F>) {
  const problem = problemType(declared);
  const type = class extends IngressError {
    static readonly problem = problem;
    override readonly name = name;

    constructor(...facts: F) {
      super({
        status: problem.status,
        message: typeof message === 'string' ? message : message(...facts),
        problem,
        ...(paramsOf && { params: paramsOf(...facts) }),
      });
    }
  };
  return Object.defineProperty(type, 'name', { value: name });
}

/** The body is not JSON in UTF-8, or it is compressed. */
export const UnsupportedBodyError = ingressError({
  name: 'UnsupportedBodyError',
  code: 'unsupported-body',
  status: 415,
  title: 'The body is not JSON in UTF-8, or it is compressed',
  remedy: 'Send the body as `application/json`, in UTF-8 and without `Content-Encoding`.',
  message: 'send the body as application/json, in UTF-8 and without Content-Encoding',
});

export const BodyTooLargeError = ingressError({
  name: 'BodyTooLargeError',
  code: 'body-too-large',
  status: 413,
  title: 'The body is too large',
  remedy: 'Send less at once: several requests, or fewer fields.',
  params: { maxBytes: 'integer' },
  message: (maxBytes: number) => `the body must not be longer than ${maxBytes} bytes`,
  paramsOf: (maxBytes) => ({ maxBytes }),
});

/** The body is shorter or longer than `Content-Length`. */
export const BodyLengthError = ingressError({
  name: 'BodyLengthError',
  code: 'wrong-content-length',
  status: 400,
  title: 'The body is not as long as Content-Length says',
  remedy: 'Leave `Content-Length` to the HTTP library. If the connection was lost, repeat the request.',
  message: 'the body must be as long as Content-Length says',
});

export const BrokenUtf8Error = ingressError({
  name: 'BrokenUtf8Error',
  code: 'invalid-utf8',
  status: 400,
  title: 'The body is not valid UTF-8',
  remedy: 'Encode the body in UTF-8.',
  message: 'the body must be valid UTF-8',
});

/** The hint is a position such as `line 1, column 9`, if one is known; nothing of the body is repeated. */
export const MalformedJsonError = ingressError({
  name: 'MalformedJsonError',
  code: 'malformed-json',
  status: 400,
  title: 'The body is not valid JSON',
  remedy: 'Write the body with a JSON library. `detail` has the position, if one is known.',
  message: (hint: string | undefined) =>
    `the body must be valid JSON${hint === undefined ? '' : `: ${hint}`}`,
});

export const TooDeepError = ingressError({
  name: 'TooDeepError',
  code: 'body-too-deep',
  status: 400,
  title: 'The body is nested too deeply',
  remedy: 'Send a body with fewer levels.',
  params: { maxLevels: 'integer' },
  message: (maxLevels: number) => `the body must not be nested more than ${maxLevels} levels deep`,
  paramsOf: (maxLevels) => ({ maxLevels }),
});

/** A string or a key in the body holds an unpaired surrogate, which UTF-8 cannot encode. */
export const LoneSurrogateError = ingressError({
  name: 'LoneSurrogateError',
  code: 'ill-formed-text',
  status: 400,
  title: 'A text of the body is not well-formed Unicode',
  remedy: 'Do not cut a text within a surrogate pair.',
  message: 'the body must be well-formed Unicode: it holds half of a surrogate pair',
});

/** @see RFC 9112 §3.2 (a request has exactly one valid Host header) */
export const HostHeaderError = ingressError({
  name: 'HostHeaderError',
  code: 'invalid-host',
  status: 400,
  title: 'The request has no valid Host header, or several',
  remedy: 'Leave `Host` to the HTTP library.',
  message: 'send exactly one valid Host header',
});

/** A header that may be sent once is sent twice. A proxy may have read the other one. */
export const RepeatedHeaderError = ingressError({
  name: 'RepeatedHeaderError',
  code: 'repeated-header',
  status: 400,
  title: 'A header is sent twice',
  remedy: 'Send it once.',
  params: { header: 'string' },
  message: (header: string) => `send the header ${header} once`,
  paramsOf: (header) => ({ header }),
});

/** The body has a transfer coding other than `chunked`; @see RFC 9112 §6.1 */
export const TransferCodingError = ingressError({
  name: 'TransferCodingError',
  code: 'unsupported-transfer-encoding',
  status: 501,
  title: 'The Transfer-Encoding is not supported',
  remedy: 'Send the body with `Content-Length`, or as `chunked`.',
  message: 'the only supported Transfer-Encoding is chunked',
});

/** The path or the query string holds `%` without two hexadecimal digits, bytes that are not UTF-8, or NUL. */
export const BrokenTargetError = ingressError({
  name: 'BrokenTargetError',
  code: 'invalid-target',
  status: 400,
  title: 'The path or the query string is not percent-encoded UTF-8',
  remedy: 'Encode values with `encodeURIComponent` or its like.',
  params: { part: 'string' },
  message: (part: 'path' | 'query string') => `the ${part} must be percent-encoded UTF-8 without NUL`,
  paramsOf: (part) => ({ part }),
});

export const ParamTooLongError = ingressError({
  name: 'ParamTooLongError',
  code: 'path-too-long',
  status: 414,
  title: 'A part of the path is too long',
  remedy: 'Check the path: no resource has such a name.',
  params: { maxLength: 'integer' },
  message: (maxLength: number) => `a part of the path must not be longer than ${maxLength} characters`,
  paramsOf: (maxLength) => ({ maxLength }),
});

/** No route matches. The message leaves out the query string, which may contain secrets. */
export const UnknownPathError = ingressError({
  name: 'UnknownPathError',
  code: 'unknown-path',
  status: 404,
  title: 'There is no such path, or not with this method',
  remedy: 'Compare path and method with the reference of the API, `/docs`.',
  message: (method: string, target: string) => `Cannot ${method} ${target.split(/[?#]/, 1)[0]}`,
});

/** The only expectation that HTTP defines is `100-continue`, which Node supports. */
export const ExpectationError = ingressError({
  name: 'ExpectationError',
  code: 'unsupported-expectation',
  status: 417,
  title: 'The header Expect asks for something unknown',
  remedy: 'Leave `Expect` out, or send `100-continue`.',
  message: 'the header Expect may only ask for 100-continue',
});

/** The bytes on the connection are not HTTP. */
export const MalformedRequestError = ingressError({
  name: 'MalformedRequestError',
  code: 'malformed-request',
  status: 400,
  title: 'The request is not valid HTTP/1.1',
  remedy: 'Use an HTTP library, and `http:` or `https:` as the service is reached.',
  message: 'the request must be valid HTTP/1.1',
});

export const RequestTimeoutError = ingressError({
  name: 'RequestTimeoutError',
  code: 'request-timeout',
  status: 408,
  title: 'The request took too long to arrive',
  remedy: 'Repeat the request, over a faster connection or with a smaller body.',
  message: 'the request took too long to arrive',
});

/** More requests arrive than can be answered in time. */
export const OverloadedError = ingressError({
  name: 'OverloadedError',
  code: 'overloaded',
  status: 503,
  title: 'The service is overloaded',
  remedy: 'Repeat the request after `Retry-After` seconds.',
  message: 'the service is overloaded; try again later',
});

export const HeadersTooLargeError = ingressError({
  name: 'HeadersTooLargeError',
  code: 'headers-too-large',
  status: 431,
  title: 'The header fields are too large',
  remedy: 'Send fewer or shorter header fields.',
  message: 'the header fields are too large',
});

/** A key that could cause prototype pollution. Reported like any other undeclared field. */
export class ForbiddenKeyError extends IngressError {
  override readonly name = 'ForbiddenKeyError';

  /** @param path outermost key first; the last part is the forbidden key */
  constructor(path: readonly string[], place: 'body' | 'query' = 'body') {
    const detail = `property ${path.at(-1)} should not exist`;
    const problem = { in: place, pointer: jsonPointer(path), code: unknownField, params: {}, detail };
    super({
      status: 400,
      message: [detail],
      details: [{ field: path.join('.'), messages: [detail] }],
      problem: InvalidInputError.problem,
      inputProblems: () => ({ listed: [problem], omitted: 0 }),
    });
  }
}

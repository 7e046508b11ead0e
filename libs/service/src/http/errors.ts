import { type ErrorReply, HttpError, httpError, jsonPointer } from '@app/http-errors';
import { InvalidInputError, unknownField } from '@app/contract';

/** The error for a body that is not JSON in UTF-8, or that is compressed. */
export const UnsupportedBodyError = httpError('UnsupportedBodyError', 415, 'unsupported-body', {
  title: 'The body must be uncompressed JSON in UTF-8',
  remedy: 'Send the body as `application/json`, and omit `Content-Encoding`.',
  reply: 'send the body as application/json, in UTF-8 and without Content-Encoding',
});

export const BodyTooLargeError = httpError('BodyTooLargeError', 413, 'body-too-large', {
  title: 'The body is too large',
  remedy: 'Send less at once: several requests, or fewer fields.',
  params: { maxBytes: 'integer' },
  reply: (maxBytes: number) => ({
    message: `the body must not be longer than ${maxBytes} bytes`,
    params: { maxBytes },
  }),
});

/** The error for a body that is shorter or longer than `Content-Length`. */
export const BodyLengthError = httpError('BodyLengthError', 400, 'content-length-mismatch', {
  title: 'The length of the body differs from Content-Length',
  remedy: 'Leave `Content-Length` to the HTTP library. If the connection was lost, repeat the request.',
  reply: 'the body must be as long as Content-Length says',
});

export const BrokenUtf8Error = httpError('BrokenUtf8Error', 400, 'invalid-utf8', {
  title: 'The body is invalid UTF-8',
  remedy: 'Encode the body in UTF-8.',
  reply: 'the body must be valid UTF-8',
});

/** The error for malformed JSON. The hint is a position such as `line 1, column 9`, if known. The body is never repeated. */
export const MalformedJsonError = httpError('MalformedJsonError', 400, 'malformed-json', {
  title: 'The body is invalid JSON',
  remedy: 'Write the body with a JSON library. `detail` has the position, if known.',
  reply: (hint: string | undefined) => `the body must be valid JSON${hint === undefined ? '' : `: ${hint}`}`,
});

export const TooDeepError = httpError('TooDeepError', 400, 'body-too-deep', {
  title: 'The body is nested too deeply',
  remedy: 'Send a body with fewer levels.',
  params: { maxLevels: 'integer' },
  reply: (maxLevels: number) => ({
    message: `the body must not be nested more than ${maxLevels} levels deep`,
    params: { maxLevels },
  }),
});

/** The error for an unpaired surrogate in a string or a key, which UTF-8 cannot encode. */
export const LoneSurrogateError = httpError('LoneSurrogateError', 400, 'lone-surrogate', {
  title: 'A text of the body is malformed Unicode',
  remedy: 'Cut texts between surrogate pairs.',
  reply: 'the body must be well-formed Unicode: it holds half of a surrogate pair',
});

/** The error for a missing, invalid or repeated Host header. @see RFC 9112 §3.2 (a request has a single valid Host header) */
export const HostHeaderError = httpError('HostHeaderError', 400, 'invalid-host', {
  title: 'The request lacks a valid Host header, or has several',
  remedy: 'Leave `Host` to the HTTP library.',
  reply: 'send exactly one valid Host header',
});

/** The error for a repeated header that may be sent only once. A proxy may have read a different value. */
export const RepeatedHeaderError = httpError('RepeatedHeaderError', 400, 'repeated-header', {
  title: 'A header is sent twice',
  remedy: 'Send it once.',
  params: { header: 'string' },
  reply: (header: string) => ({
    message: `send the header ${header} once`,
    params: { header },
  }),
});

/** The error for a transfer coding other than `chunked`. @see RFC 9112 §6.1 */
export const TransferCodingError = httpError('TransferCodingError', 501, 'unsupported-transfer-encoding', {
  title: 'The Transfer-Encoding is unsupported',
  remedy: 'Send the body with `Content-Length`, or as `chunked`.',
  reply: 'the only supported Transfer-Encoding is chunked',
});

/** The error for a path or query string with a `%` that lacks its two hexadecimal digits, with invalid UTF-8, or with NUL. */
export const BrokenTargetError = httpError('BrokenTargetError', 400, 'invalid-target', {
  title: 'The path or the query string must be percent-encoded UTF-8',
  remedy: 'Encode values with a function such as `encodeURIComponent`.',
  params: { part: 'string' },
  reply: (part: 'path' | 'query string') => ({
    message: `the ${part} must be percent-encoded UTF-8 without NUL`,
    params: { part },
  }),
});

/** The error for a WebSocket path that parsers read differently, such as `/./chat`. */
export const AmbiguousPathError = httpError('AmbiguousPathError', 400, 'ambiguous-path', {
  title: 'The path of the WebSocket is misspelled',
  remedy:
    'Open the WebSocket by the path of its gateway, without a host, `.`, `..`, empty parts or percent-encoding.',
  reply: 'write the path of the WebSocket as its gateway has it',
});

export const ParamTooLongError = httpError('ParamTooLongError', 414, 'path-too-long', {
  title: 'A part of the path is too long',
  remedy: 'Check the path: no resource has such a name.',
  params: { maxLength: 'integer' },
  reply: (maxLength: number) => ({
    message: `a part of the path must not be longer than ${maxLength} characters`,
    params: { maxLength },
  }),
});

/** The error for an unknown path. The message leaves out the query string, which may contain secrets. */
export const UnknownPathError = httpError('UnknownPathError', 404, 'unknown-path', {
  title: 'The path, or the method for this path, is unknown',
  remedy: 'Compare path and method with the reference of the API, `/docs`.',
  reply: (method: string, target: string) => `Cannot ${method} ${target.split(/[?#]/, 1)[0]}`,
});

/** The error for an unsupported expectation. HTTP defines only `100-continue`, which Node supports. */
export const ExpectationError = httpError('ExpectationError', 417, 'unsupported-expectation', {
  title: 'The header Expect has an unknown value',
  remedy: 'Leave `Expect` out, or send `100-continue`.',
  reply: 'the header Expect may only ask for 100-continue',
});

/** The error for bytes that are not HTTP. */
export const MalformedRequestError = httpError('MalformedRequestError', 400, 'malformed-request', {
  title: 'The request is invalid HTTP/1.1',
  remedy: 'Use an HTTP library, and `http:` or `https:` as the service is reached.',
  reply: 'the request must be valid HTTP/1.1',
});

export const RequestTimeoutError = httpError('RequestTimeoutError', 408, 'request-timeout', {
  title: 'The request took too long to arrive',
  remedy: 'Repeat the request, over a faster connection or with a smaller body.',
  reply: 'the request took too long to arrive',
});

/** The error for a request that cannot be handled in time because too many requests arrive. */
export const OverloadedError = httpError('OverloadedError', 503, 'overloaded', {
  title: 'The service is overloaded',
  remedy: 'Repeat the request after `Retry-After` seconds.',
  reply: 'the service is overloaded; try again later',
});

export const HeadersTooLargeError = httpError('HeadersTooLargeError', 431, 'headers-too-large', {
  title: 'The header fields are too large',
  remedy: 'Send fewer or shorter header fields.',
  reply: 'the header fields are too large',
});

/** The error for a key that could cause prototype pollution. It is reported like any undeclared field. */
export class ForbiddenKeyError extends HttpError {
  override readonly name = 'ForbiddenKeyError';
  readonly reply: ErrorReply;

  /** @param path the keys, outermost first; the last is the forbidden key */
  constructor(path: readonly string[], place: 'body' | 'query' = 'body') {
    const detail = `property ${path.at(-1)} should not exist`;
    super(detail);
    const problem = { in: place, pointer: jsonPointer(path), code: unknownField, params: {}, detail };
    this.reply = {
      status: 400,
      message: [detail],
      details: [{ field: path.join('.'), messages: [detail] }],
      problem: InvalidInputError.problem,
      inputProblems: () => ({ listed: [problem], omitted: 0 }),
    };
  }
}

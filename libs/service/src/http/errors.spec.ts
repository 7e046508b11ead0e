import type { HttpError } from '@app/http-errors';
import * as catalogue from './errors';
import { render } from '../responses/render';

const errors: readonly (readonly [HttpError, number, string])[] = [
  [
    new catalogue.UnsupportedBodyError(),
    415,
    'send the body as application/json, in UTF-8 and without Content-Encoding',
  ],
  [new catalogue.BodyTooLargeError(10), 413, 'the body must not be longer than 10 bytes'],
  [new catalogue.BodyLengthError(), 400, 'the body must be as long as Content-Length says'],
  [new catalogue.BrokenUtf8Error(), 400, 'the body must be valid UTF-8'],
  [
    new catalogue.MalformedJsonError('it ends too early'),
    400,
    'the body must be valid JSON: it ends too early',
  ],
  [new catalogue.TooDeepError(32), 400, 'the body must not be nested more than 32 levels deep'],
  [
    new catalogue.LoneSurrogateError(),
    400,
    'the body must be well-formed Unicode: it holds half of a surrogate pair',
  ],
  [new catalogue.ForbiddenKeyError(['a', '__proto__']), 400, 'property __proto__ should not exist'],
  [new catalogue.HostHeaderError(), 400, 'send exactly one valid Host header'],
  [new catalogue.RepeatedHeaderError('Content-Type'), 400, 'send the header Content-Type once'],
  [new catalogue.TransferCodingError(), 501, 'the only supported Transfer-Encoding is chunked'],
  [new catalogue.BrokenTargetError('path'), 400, 'the path must be percent-encoded UTF-8 without NUL'],
  [new catalogue.AmbiguousPathError(), 400, 'write the path of the WebSocket as its gateway has it'],
  [new catalogue.ParamTooLongError(9), 414, 'a part of the path must not be longer than 9 characters'],
  [new catalogue.UnknownPathError('GET', '/nope?a=1'), 404, 'Cannot GET /nope'],
  [new catalogue.ExpectationError(), 417, 'the header Expect may only ask for 100-continue'],
  [new catalogue.MalformedRequestError(), 400, 'the request must be valid HTTP/1.1'],
  [new catalogue.RequestTimeoutError(), 408, 'the request took too long to arrive'],
  [new catalogue.OverloadedError(), 503, 'the service is overloaded; try again later'],
  [new catalogue.HeadersTooLargeError(), 431, 'the header fields are too large'],
];

describe('the errors of the ingress', () => {
  it.each(errors.map(([error, status, message]) => [error.name, error, status, message] as const))(
    'has %s',
    (_, error, status, message) => {
      expect(error.message).toBe(message);
      expect(error.reply.status).toBe(status);
      const { body } = render(error.reply, { ERROR_SHAPE: 'list', ERROR_MESSAGES: 'on' });
      expect([JSON.parse(body).message].flat()).toEqual([message]);
    },
  );

  it('has nothing else', () => {
    expect(errors.map(([{ name }]) => name).toSorted()).toEqual(Object.keys(catalogue).toSorted());
  });
});

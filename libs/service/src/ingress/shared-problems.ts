import { AccountDisabledError, RevocationsUnknownError } from '@app/accounts';
import {
  ForbiddenError,
  HashingBusyError,
  RecentSignInNeededError,
  UnauthenticatedError,
  ScopeNeededError,
  VerifiedEmailNeededError,
} from '@app/auth';
import { problemOfStatus, type ProblemType } from '@app/http-errors';
import { ForeignCursorError, PageTooDeepError } from '@app/paging';
import { InvalidInputError } from '@app/validation';
import {
  ExcludedRepresentationError,
  PreconditionFailedError,
  PreconditionRequiredError,
} from '../conditions/errors';
import { NotFoundError, UnknownReferenceError } from '../errors';
import { InvalidKeyError, KeyInProgressError, KeyReusedError } from '../idempotency/errors';
import { RateLimitedError } from '../rate-limit/errors';
import { uploadProblems } from '../upload/errors';
import { storeUnavailableProblem, unstorableProblem } from './error-reply';
import * as ingress from './errors';

/** The classes of errors that any route of a program can have; others are declared by the routes that have them. */
const classes: readonly { readonly problem: ProblemType }[] = [
  InvalidInputError,
  ingress.MalformedJsonError,
  ingress.BrokenUtf8Error,
  ingress.TooDeepError,
  ingress.LoneSurrogateError,
  ingress.BodyLengthError,
  ingress.HostHeaderError,
  ingress.RepeatedHeaderError,
  ingress.BrokenTargetError,
  ingress.MalformedRequestError,
  InvalidKeyError,
  PageTooDeepError,
  ForeignCursorError,
  UnauthenticatedError,
  ForbiddenError,
  RecentSignInNeededError,
  VerifiedEmailNeededError,
  ScopeNeededError,
  AccountDisabledError,
  NotFoundError,
  ingress.UnknownPathError,
  ingress.RequestTimeoutError,
  KeyInProgressError,
  ExcludedRepresentationError,
  PreconditionFailedError,
  ingress.BodyTooLargeError,
  ingress.ParamTooLongError,
  ingress.UnsupportedBodyError,
  ingress.ExpectationError,
  UnknownReferenceError,
  KeyReusedError,
  PreconditionRequiredError,
  RateLimitedError,
  ingress.HeadersTooLargeError,
  ingress.TransferCodingError,
  ingress.OverloadedError,
  HashingBusyError,
  RevocationsUnknownError,
];

/** The kinds of errors that any route of a program can have. Those of a status are Nest's own exceptions. */
export const sharedProblems: readonly ProblemType[] = [
  ...classes.map(({ problem }) => problem),
  ...Object.values(uploadProblems),
  unstorableProblem,
  storeUnavailableProblem,
  ...[400, 409, 413, 415, 422, 429, 500, 503].map(problemOfStatus),
];

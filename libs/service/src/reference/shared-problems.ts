import {
  AccountDisabledError,
  RevocationsUnavailableError,
  TrustedIssuerUnavailableError,
} from '@app/accounts';
import {
  ForbiddenError,
  SignInOverloadError,
  UnauthenticatedError,
  InsufficientScopeError,
  PasswordChangeRequiredError,
  routeFacets,
} from '@app/auth';
import { NotFoundError, problemOfStatus, type ProblemType } from '@app/http-errors';
import { InvalidCursorError, PageOutOfRangeError } from '@app/paging';
import { InvalidInputError } from '@app/contract';
import {
  ExcludedRepresentationError,
  PreconditionFailedError,
  PreconditionRequiredError,
} from '../conditions/errors';
import { ReferenceConflictError, UnknownReferenceError } from '../errors/errors';
import { InvalidKeyError, KeyInProgressError, KeyReusedError } from '../idempotency/errors';
import { RateLimitedError, ResponsesExhaustedError, TooManyOpenResponsesError } from '../rate-limit/errors';
import { storeUnavailableProblem, unknownOutcomeProblem, unstorableProblem } from '../responses/error-reply';
import * as ingress from '../http/errors';

/** By name, so that the order of the guard is not in the document. */
const facetErrors = () =>
  routeFacets()
    .map(({ error }) => error)
    .toSorted((one, other) => (one.problem.code < other.problem.code ? -1 : 1));

/** A class of errors, such as `httpError()` makes. */
export interface ErrorDeclaration {
  readonly problem: ProblemType;
}

/** The errors of plugins, for the process: it runs one program. */
const errorsOfPlugins = new Set<ErrorDeclaration>();

/** Adds errors that any route of the program can have. */
export function registerErrors(errors: readonly ErrorDeclaration[]): void {
  for (const error of errors) errorsOfPlugins.add(error);
}

/** The classes of errors that any route of a program can have; others are declared by the routes that have them. */
const classes = (): readonly ErrorDeclaration[] => [
  InvalidInputError,
  ingress.MalformedJsonError,
  ingress.BrokenUtf8Error,
  ingress.TooDeepError,
  ingress.LoneSurrogateError,
  ingress.BodyLengthError,
  ingress.HostHeaderError,
  ingress.RepeatedHeaderError,
  ingress.BrokenTargetError,
  ingress.AmbiguousPathError,
  ingress.MalformedRequestError,
  InvalidKeyError,
  PageOutOfRangeError,
  InvalidCursorError,
  UnauthenticatedError,
  ForbiddenError,
  ...facetErrors(),
  InsufficientScopeError,
  AccountDisabledError,
  PasswordChangeRequiredError,
  NotFoundError,
  ingress.UnknownPathError,
  ingress.RequestTimeoutError,
  KeyInProgressError,
  ReferenceConflictError,
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
  TooManyOpenResponsesError,
  ResponsesExhaustedError,
  ingress.HeadersTooLargeError,
  ingress.TransferCodingError,
  ingress.OverloadedError,
  SignInOverloadError,
  RevocationsUnavailableError,
  TrustedIssuerUnavailableError,
  ...errorsOfPlugins,
];

/** Returns the kinds of errors that any route of a program can have. Those of a status are Nest's own exceptions. */
export function sharedProblems(): readonly ProblemType[] {
  return [
    ...classes().map(({ problem }) => problem),
    unstorableProblem,
    storeUnavailableProblem,
    unknownOutcomeProblem,
    ...[400, 409, 413, 415, 422, 429, 500, 503].map(problemOfStatus),
  ];
}

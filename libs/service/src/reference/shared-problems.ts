import { AccountDisabledError, RevocationsUnavailableError } from '@app/accounts';
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

/** Returns the facet errors by name, so that the document does not depend on the guard order. */
const facetErrors = () =>
  routeFacets()
    .map(({ error }) => error)
    .toSorted((left, right) => (left.problem.code < right.problem.code ? -1 : 1));

/** A class of errors, such as `httpError()` makes. */
export interface ErrorDeclaration {
  readonly problem: ProblemType;
}

/** The errors of plugins. They are global because a process runs a single program. */
const errorsOfPlugins = new Set<ErrorDeclaration>();

/** Adds errors that any route of the program can have. */
export function registerErrors(errors: readonly ErrorDeclaration[]): void {
  for (const error of errors) errorsOfPlugins.add(error);
}

/** Returns the error classes that any route of a program can have. Routes declare further error classes themselves. */
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
  ...errorsOfPlugins,
];

/** Returns the kinds of errors that any route can have. Kinds that belong to a status are Nest's own exceptions. */
export function sharedProblems(): readonly ProblemType[] {
  return [
    ...classes().map(({ problem }) => problem),
    unstorableProblem,
    storeUnavailableProblem,
    unknownOutcomeProblem,
    ...[400, 409, 413, 415, 422, 429, 500, 503].map(problemOfStatus),
  ];
}

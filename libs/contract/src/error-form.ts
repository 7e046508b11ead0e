import type { FieldProblems, ProblemType } from '@app/http-errors';
import type { WireClass } from '@app/engine';

/** How a program sends errors to callers that do not ask for problem details: two settings, and a form of its own. */
export interface ErrorForm {
  readonly ERROR_SHAPE: 'list' | 'details';
  readonly ERROR_MESSAGES: 'on' | 'off';
  readonly own?: OwnErrors;
}

/** The errors of an application in a form of its own, in place of `{statusCode, message, error}`. */
export interface OwnErrors {
  /** The body. What it exposes is sent, and described. */
  readonly body: ErrorBody;
  /** Statuses in place of those of the specification. */
  readonly status?: {
    /** Of values that violate the rules of their classes; default 400. */
    readonly invalid?: number;
  };
}

/** A class of bodies of errors, with `@Expose()` as for any response. */
export interface ErrorBody extends WireClass {
  /** Makes the body of an error. It is called for each error that is sent, and must not throw. */
  of(error: SentError): object;
}

/** An error as a body is made of it. */
export interface SentError {
  /** The status that is sent. */
  readonly status: number;
  /** The name of the status, such as `Not Found`. */
  readonly error: string;
  /** The code, such as `email-conflict`; the same for all causes of a 401. */
  readonly code: string;
  /** A sentence, or one for each invalid value; none of invalid values with `ERROR_MESSAGES=off`. */
  readonly messages: readonly string[];
  /** The same by field, of invalid values. */
  readonly fields: readonly FieldProblems[];
  /** The id of the request, by which its log entry is found; only with status 500. */
  readonly requestId?: string;
}

/** A kind of error as it is sent: of invalid values with the status of the form; the same object if nothing differs. */
export function problemIn({ own }: ErrorForm, problem: ProblemType): ProblemType {
  const status = own?.status?.invalid;
  return status === undefined || !isOfValues(problem) ? problem : { ...problem, status };
}

function isOfValues({ status, code, namesMembers }: ProblemType): boolean {
  return status === 400 && (namesMembers === true || code === 'invalid-input');
}

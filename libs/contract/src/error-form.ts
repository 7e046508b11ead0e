import type { FieldProblems, ProblemType } from '@app/http-errors';
import type { WireClass } from '@app/engine';

/** The error format for callers that do not ask for problem details: two settings, and an optional custom format. */
export interface ErrorForm {
  readonly ERROR_SHAPE: 'list' | 'details';
  readonly ERROR_MESSAGES: 'on' | 'off';
  readonly own?: OwnErrors;
}

/** The error format of an application that replaces `{statusCode, message, error}`. */
export interface OwnErrors {
  /** The body class. Its exposed members are sent and described. */
  readonly body: ErrorBody;
  /** The statuses that replace the default statuses. The statuses 401 and 500 stay. */
  readonly status?: {
    /** The status for values that violate the rules of their classes; default 400. */
    readonly invalid?: number;
    /** The status for an error code, such as `email-conflict`. */
    readonly [code: string]: number | undefined;
  };
}

/** An error body class, with `@Expose()` as in any response class. */
export interface ErrorBody extends WireClass {
  /** Makes the body for an error. It is called for each error that is sent, and must not throw. */
  of(error: SentError): object;
}

/** An error from which a body is made. */
export interface SentError {
  /** The status that is sent. */
  readonly status: number;
  /** The name of the status, such as `Not Found`. */
  readonly error: string;
  /** The code, such as `email-conflict`; the same for all causes of a 401. */
  readonly code: string;
  /** The messages: a sentence, or a sentence for each invalid value. Empty for invalid values with `ERROR_MESSAGES=off`. */
  readonly messages: readonly string[];
  /** The messages for invalid values, and for values in a conflict such as `email-conflict`, by field. */
  readonly fields: readonly FieldProblems[];
  /** The request's id, by which its log entry is found; only with status 500. */
  readonly requestId?: string;
}

/** Returns an error kind as it is sent: with the status from the form, or the same object. */
export function problemIn({ own }: ErrorForm, problem: ProblemType): ProblemType {
  const status = own?.status?.[problem.code] ?? (isOfValues(problem) ? own?.status?.invalid : undefined);
  return status === undefined ? problem : { ...problem, status };
}

/**
 * Checks a form's statuses.
 *
 * @throws TypeError for a status that is no error, and for a change of a 401 or a 500, which are the same whatever their cause
 */
export function checkStatuses({ status = {} }: OwnErrors): void {
  for (const [code, sent = 0] of Object.entries(status)) {
    const isError = Number.isInteger(sent) && sent >= 400 && sent <= 599 && sent !== 401;
    if (!isError || ['unauthorized', 'internal-server-error'].includes(code))
      throw new TypeError(
        `errors.status of the program sends ${code} as ${sent}: name a status from 400 to 599, and leave 401 and 500 as they are`,
      );
  }
}

function isOfValues({ status, code, namesMembers }: ProblemType): boolean {
  return status === 400 && (namesMembers === true || code === 'invalid-input');
}

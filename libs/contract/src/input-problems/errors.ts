import { type ErrorReply, type FieldProblems, HttpError, problemType } from '@app/http-errors';

/** A reply that always has both forms of its messages. */
interface InvalidInputReply extends ErrorReply {
  readonly message: readonly string[];
  readonly details: readonly FieldProblems[];
}

/**
 * The input violates rules; the reply is a 400.
 *
 * `reply.message` is the flat list in class-validator's order, `reply.details` the same messages by field,
 * `reply.inputProblems` their places, codes and arguments.
 */
export class InvalidInputError extends HttpError {
  static readonly problem = problemType({
    code: 'invalid-input',
    status: 400,
    title: 'The request has invalid values',
    remedy: 'Correct the values that `errors` lists: where each is, the violated rule, and its arguments.',
  });
  override readonly name = 'InvalidInputError';
  readonly reply: InvalidInputReply;

  constructor(
    message: readonly string[],
    details: readonly FieldProblems[],
    inputProblems: NonNullable<ErrorReply['inputProblems']>,
  ) {
    super('The input breaks its rules.');
    const { problem } = InvalidInputError;
    this.reply = { status: 400, message, details, problem, inputProblems };
  }
}

/** Input would reach handlers without validation. The start fails. `findings` has a line per finding, with its remedy. */
export class UncheckedInputError extends TypeError {
  constructor(readonly findings: readonly string[]) {
    super(`Input would reach these handlers unchecked:\n${findings.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'UncheckedInputError';
  }
}

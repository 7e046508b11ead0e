import { type ErrorReply, type FieldProblems, HttpError } from '@app/http-errors';

/** A reply that always has both forms of its messages. */
interface InvalidInputReply extends ErrorReply {
  readonly message: readonly string[];
  readonly details: readonly FieldProblems[];
}

/**
 * The caller's input breaks rules; answered with 400.
 *
 * `reply.message` is the flat list in class-validator's order, `reply.details` the same sentences by field.
 */
export class InvalidInputError extends HttpError {
  override readonly name = 'InvalidInputError';
  readonly reply: InvalidInputReply;

  constructor(message: readonly string[], details: readonly FieldProblems[]) {
    super('The input breaks its rules.');
    this.reply = { status: 400, message, details };
  }
}

/** Input would reach handlers unchecked. Ends the start. `findings` holds one line for each, with what to do about it. */
export class UncheckedInputError extends TypeError {
  constructor(readonly findings: readonly string[]) {
    super(`Input would reach these handlers unchecked:\n${findings.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'UncheckedInputError';
  }
}

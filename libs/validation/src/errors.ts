import { RefusalError } from '@app/refusals';

/** What a refused caller is told: the one form in which libraries of the workspace hand an error to the door. */
export interface Answer {
  readonly status: number;
  readonly message: readonly string[];
  readonly details: readonly FieldProblems[];
}

/** What is wrong with one field. */
export interface FieldProblems {
  /** The path of the field from the outside in, such as `items.0.quantity`. */
  readonly field: string;
  /** One sentence per broken rule, each beginning with the field's own name: `quantity must be a string`. */
  readonly messages: readonly string[];
}

/**
 * The caller's input breaks rules; answered with 400.
 *
 * `answer.message` is the flat list in class-validator's order, `answer.details` the same sentences by field.
 */
export class InvalidInputError extends RefusalError {
  override readonly name = 'InvalidInputError';
  readonly answer: Answer;

  constructor(message: readonly string[], details: readonly FieldProblems[]) {
    super('The input breaks its rules.');
    this.answer = { status: 400, message, details };
  }
}

/** Input would reach handlers unchecked. Ends the start. `findings` holds one line for each, with what to do about it. */
export class UncheckedInputError extends TypeError {
  constructor(readonly findings: readonly string[]) {
    super(`Input would reach these handlers unchecked:\n${findings.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'UncheckedInputError';
  }
}

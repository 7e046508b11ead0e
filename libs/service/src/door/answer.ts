/** What a caller of the API is told about an error. Errors of every library carry one under `answer`. */
export interface Answer {
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** One sentence; or a list, one sentence for each rule that the input broke. */
  readonly message: string | readonly string[];
  /** The sentences of a list, field by field. */
  readonly details?: readonly FieldProblems[];
  /** Header fields that the reply must carry. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What is wrong with one field. */
export interface FieldProblems {
  /** The path of the field from the outside in, such as `items.0.quantity`. */
  readonly field: string;
  readonly messages: readonly string[];
}

/** @returns the answer that an error of one of our libraries carries; `undefined` for every other value */
export function answerIn(error: unknown): Answer | undefined {
  const answer = isObject(error) && 'answer' in error ? error.answer : undefined;
  return isAnswer(answer) ? answer : undefined;
}

function isAnswer(value: unknown): value is Answer {
  if (!isObject(value) || !('status' in value) || !('message' in value)) return false;
  const { status, message } = value;
  const isStatus = typeof status === 'number' && status >= 400 && status <= 599;
  return isStatus && (typeof message === 'string' || Array.isArray(message));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

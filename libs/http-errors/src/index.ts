export { type ErrorReply, type FieldProblems, HttpError, retryLater, retryParams } from './http-error';
export { type InputProblem, type InputProblems, jsonPointer } from './input-problem';
export { type FactType, problemOfStatus, type ProblemType, problemType } from './problem-type';

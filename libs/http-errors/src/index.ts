export { type ErrorReply, type FieldProblems, HttpError } from './http-error';
export { httpError, type HttpErrorClass, retryParams } from './http-error-class';
export { type InputProblem, type InputProblems, jsonPointer } from './input-problem';
export { missing, NotFoundError } from './not-found';
export { type FactType, problemOfStatus, type ProblemType, problemType } from './problem-type';

export { type ErrorReply, type FieldProblems, HttpError, retryLater } from './http-error';

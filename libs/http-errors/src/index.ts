export { type ErrorReply, type FieldProblems, HttpError } from './http-error';

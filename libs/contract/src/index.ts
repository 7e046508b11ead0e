export { type AnswerChoice, answerSchema, type ReferAnswer } from './answer/answer-schema';
export { type InputType, inputSchema, type ObjectSchema, type Refer } from './input/input-schema';
export type {
  DescribedAnswer,
  DescribedCallers,
  DescribedInput,
  DescribedRoute,
} from './openapi/described-route';
export { type DocumentHead, openApiDocument, type OpenApiDocument } from './openapi/document';
export type { ErrorForm } from './openapi/error-responses';
export { type Refusal, refusalsOf, Refuses } from './refuses';

export { type Answer, RefusalError } from './refusal-error';

export { differenceOf } from './validation/difference';
export { ListQuery } from './validation/list-query';
export { Random } from './validation/random';
export { postText, refusal, type Response, serve, type Served } from './validation/serve';
export { listOf } from './serialization/list-of';

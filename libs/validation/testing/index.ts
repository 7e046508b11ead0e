export { differenceOf } from './difference';
export { Random } from './random';
export { postText, refusal, type Response, serve, type Served } from './serve';

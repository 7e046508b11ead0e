export { differenceOf } from './difference';
export { postText, refusal, type Response, serve, type Served } from './serve';

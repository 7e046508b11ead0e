export { listOf } from './list-of';
export { type Response, serve, type Served } from './serve';
export { neverCalled } from './never-called';

export { type Response, serve, type Served } from './serve';

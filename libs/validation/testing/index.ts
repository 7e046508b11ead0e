export { postText, refusal, type Response, serve, type Served } from './serve';

export { type Forgery, forgeToken, segment } from './forge';

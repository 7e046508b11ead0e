export { valkey } from './valkey.plugin';

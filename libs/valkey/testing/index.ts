export { ValkeyServer, valkeyProgram } from './valkey-server';

export { type ApiClient, createClient } from './create-client';
export { ListError, SessionError } from './errors';
export { type SessionStorage, webStorage } from './session-storage';

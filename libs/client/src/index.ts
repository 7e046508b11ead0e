export { type ApiClient, createClient } from './create-client';
export { SessionError } from './errors';

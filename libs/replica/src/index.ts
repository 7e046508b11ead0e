export { replica } from './replica.plugin';

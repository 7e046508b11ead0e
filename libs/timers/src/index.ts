export { Repeat } from './repeat';

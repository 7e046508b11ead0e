export { backup } from './backup.plugin';

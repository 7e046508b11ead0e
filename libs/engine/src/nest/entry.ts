export { inGroups, type ValidationPipeOptions } from '@app/validation';
export { ClassSerializerInterceptor } from './class-serializer.interceptor';
export { ValidationPipe } from './validation.pipe';

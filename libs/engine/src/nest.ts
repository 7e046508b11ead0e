import type { ClassSerializerInterceptor as CompiledInterceptor } from './nest/class-serializer.interceptor';
import { type ExportedClasses, exportedClasses } from './nest/exported-classes.providers';
import type { ValidationPipe as CompiledPipe } from './nest/validation.pipe';

export { writeReplies, type ReplyingApplication } from './nest/replies/write-replies.bootstrap';
export type { ValidationPipeOptions } from './nest/pipe/validation.pipe';
export { inGroups } from './validation/validators/groups';

const exported = exportedClasses();

/** The compiled version of Nest's `ValidationPipe`, with the same options and results for every Nest version. */
export const ValidationPipe: ExportedClasses['pipe'] = exported.pipe;
export type ValidationPipe = CompiledPipe;

/**
 * The compiled version of Nest's `ClassSerializerInterceptor`. It extends the installed Nest's own class, and calls the compiled
 * functions instead.
 */
export const ClassSerializerInterceptor: ExportedClasses['interceptor'] = exported.interceptor;
export type ClassSerializerInterceptor = CompiledInterceptor;

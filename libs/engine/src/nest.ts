import type { ClassSerializerInterceptor as CompiledInterceptor } from './nest/class-serializer.interceptor';
import { type ExportedClasses, exportedClasses } from './nest/exported-classes.providers';
import type { ValidationPipe as CompiledPipe } from './nest/validation.pipe';

export { writeReplies, type ReplyingApplication } from './nest/replies/write-replies.bootstrap';
export type { ValidationPipeOptions } from './nest/pipe/validation.pipe';
export { inGroups } from './validation/validators/groups';

const exported = exportedClasses();

/** Nest's `ValidationPipe`, compiled: the same options and results, whichever Nest is installed. */
export const ValidationPipe: ExportedClasses['pipe'] = exported.pipe;
export type ValidationPipe = CompiledPipe;

/**
 * Nest's `ClassSerializerInterceptor`, compiled: it is Nest's own, whichever is installed, and calls the compiled functions
 * in place of class-transformer's.
 */
export const ClassSerializerInterceptor: ExportedClasses['interceptor'] = exported.interceptor;
export type ClassSerializerInterceptor = CompiledInterceptor;

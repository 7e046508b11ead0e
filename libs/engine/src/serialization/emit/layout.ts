import type { FullOptions } from '../../shapes/transforms/full-options';
import type { Field } from '../plan/plan-class';
import type { Call } from './call';
import type { SlowFields } from './slow-fields';
import type { ClassWriter, Form, Values } from './values';

/** The context that writers share. */
export interface EmitContext {
  readonly options: FullOptions;
  readonly call: Call;
  readonly values: Values;
  readonly slow: SlowFields;
  writerOf(type: Function): ClassWriter;
}

/** The fields that class values with the same keys in the same order have. */
export interface Layout {
  /** The keys of the value in order; `undefined` if they do not matter. */
  readonly keys: readonly string[] | undefined;
  readonly fields: readonly Field[];
}

/** Writes values that are known to have a layout. */
export type LayoutWriter = Pick<ClassWriter, 'text' | Form>;

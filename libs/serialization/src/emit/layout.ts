import type { FullOptions } from '../plan/options';
import type { Field } from '../plan/plan-class';
import type { Call } from './call';
import type { SlowFields } from './slow-fields';
import type { ClassWriter, Form, Values } from './values';

/** What the writers of classes need beside the class. */
export interface EmitContext {
  readonly options: FullOptions;
  readonly call: Call;
  readonly values: Values;
  readonly slow: SlowFields;
  writerOf(type: Function): ClassWriter;
  /** Has a class compiled anew once the options of its decorators have changed. */
  watch(isUnchanged: (() => boolean) | undefined): void;
}

/** The fields of the values of a class that have the same keys in the same order. */
export interface Layout {
  /** `undefined` where the keys of the value do not matter. */
  readonly keys: readonly string[] | undefined;
  readonly fields: readonly Field[];
}

/** How to write the values of one layout, once it is certain that a value has it. */
export type LayoutWriter = Pick<ClassWriter, 'text' | Form>;

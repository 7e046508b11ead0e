import { engineFinder } from '../../validation/validators/compile-validator';
import type { Checked, Engine } from '../../validation/validators/engine';
import { checkPlain, type HardenedContext, type PlainValue } from '../../validation/validators/hardened';
import type { CompileOptions } from '../../validation/plan/settings';
import { reportFallback } from '../../shapes/report-fallback';

/** The visible differences between the versions of Nest's pipe. */
export interface InstalledPipe {
  /** Whether errors have a `target` only on request; since 11.2.7. */
  readonly hidesTargets: boolean;
  /** Whether errors with children have a `value` only on request; since 12.5. */
  readonly stripsParentValues: boolean;
  /** Whether its message list equals the list from `messagesOf`, as in every tested version. */
  readonly listsMessages: boolean;
}

/** A handler parameter. */
export interface Parameter {
  readonly type: new (...args: never[]) => object;
  /** Nest's metadata: the request part, and the member that is read from it. */
  readonly metadata: { readonly type: string; readonly data?: string | undefined };
  /** The groups of `inGroups`; they never change. */
  readonly groups: readonly string[] | undefined;
}

/** The compiled functions that a pipe calls for its parameters. */
export class CompiledInput {
  /** Finds the compiled functions for the pipe options with a parameter's groups. */
  private engineOf?: (groups: Parameter['groups']) => FoundEngine;

  /**
   * @param optionsOf returns the pipe's options; called once, before the first value
   * @param warn writes to the log
   */
  constructor(
    private readonly optionsOf: () => CompileOptions,
    private readonly warn: (sentence: string) => void,
  ) {}

  /** @returns `undefined` for input that the installed Nest's pipe has to handle; the input is unchanged then */
  check(
    parameter: Parameter,
    input: PlainValue,
    installed: InstalledPipe,
  ): Checked<object> | Promise<Checked<object>> | undefined {
    const { type, groups } = parameter;
    const { options, find } = (this.engineOf ??= enginesOf(this.optionsOf(), installed))(groups);
    const engine = find();
    if (typeof engine === 'string') reportFallback(type, engine, this.warn);
    if (options.hardened) return checkPlain(type, input, options, engine, this.contextOf(parameter));
    if (typeof engine === 'string') return undefined;
    return engine.checkGuarded(type, input.plain, options.transformOptions);
  }

  contextOf({ type, metadata: { data, type: place } }: Omit<Parameter, 'groups'>): HardenedContext {
    return { whole: data ?? place, onOverrun: (error) => this.reportOverrun(error, type) };
  }

  /**
   * Reports an input at which a transform or a rule threw. It is invalid for the caller, and a fault for us to correct. Only the
   * position is logged, because the error's own message may quote the input.
   */
  private reportOverrun(error: Error, { name }: Parameter['type']): void {
    const place = error.stack?.split('\n').find((line) => line.startsWith('    at '));
    this.warn(`The input of a ${name} made its rules throw a ${error.name} ${place?.trim()}`);
  }
}

/** The options for some calls, and a function that finds their compiled functions. */
interface FoundEngine {
  readonly options: CompileOptions;
  readonly find: () => Engine | string;
}

/** Creates an engine for the pipe options, and an engine for each list of groups. */
function enginesOf(
  options: CompileOptions,
  { hidesTargets, stripsParentValues }: InstalledPipe,
): (groups: Parameter['groups']) => FoundEngine {
  const validationError = { ...(hidesTargets && { target: false }), ...options.validationError };
  const hidesParentValues = stripsParentValues && options.validationError?.value === undefined;
  const own: CompileOptions = { ...options, validationError, hidesParentValues };
  const ungrouped = foundBy(own);
  const ofGroups = new WeakMap<readonly string[], FoundEngine>();
  return (groups) => {
    if (groups === undefined) return ungrouped;
    let engine = ofGroups.get(groups);
    if (!engine) ofGroups.set(groups, (engine = foundBy({ ...own, groups: [...groups] })));
    return engine;
  };
}

function foundBy(options: CompileOptions): FoundEngine {
  return { options, find: engineFinder(options) };
}

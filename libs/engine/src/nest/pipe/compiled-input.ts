import { engineFinder } from '../../validation/validators/compile-validator';
import type { Checked, Engine } from '../../validation/validators/engine';
import { checkPlain, type HardenedContext, type PlainValue } from '../../validation/validators/hardened';
import type { CompileOptions } from '../../validation/plan/settings';
import { reportFallback } from '../../validation/fallback/report-fallback';

/** What differs between the versions of Nest's pipe that its users can see. */
export interface InstalledPipe {
  /** Errors have no `target` unless it is asked for; since 11.2.7. */
  readonly hidesTargets: boolean;
  /** Errors with children have no `value` unless it is asked for; since 12.5. */
  readonly stripsParentValues: boolean;
  /** Whether its list of messages is that of `messagesOf`, as of every version that was tested. */
  readonly listsMessages: boolean;
}

/** One parameter of a handler. */
export interface Parameter {
  readonly type: new (...given: never[]) => object;
  /** Nest's: the part of the request, and the member that is taken of it. */
  readonly metadata: { readonly type: string; readonly data?: string | undefined };
  /** The groups of `inGroups`; they never change. */
  readonly groups: readonly string[] | undefined;
}

/** The compiled functions that a pipe calls for its parameters. */
export class CompiledInput {
  /** Finds the compiled functions of the options, with the groups of a parameter. */
  private engineOf?: (groups: Parameter['groups']) => FoundEngine;

  /**
   * @param optionsOf returns the options of the pipe; called once, before the first value
   * @param warn writes to the log
   */
  constructor(
    private readonly optionsOf: () => CompileOptions,
    private readonly warn: (sentence: string) => void,
  ) {}

  /**
   * @returns `undefined` for input that the pipe of the installed Nest has to handle; nothing was changed then
   */
  check(
    parameter: Parameter,
    given: PlainValue,
    installed: InstalledPipe,
  ): Checked<object> | Promise<Checked<object>> | undefined {
    const { type, groups } = parameter;
    const { options, find } = (this.engineOf ??= enginesOf(this.optionsOf(), installed))(groups);
    const engine = find();
    if (typeof engine === 'string') reportFallback(type, engine, this.warn);
    if (options.hardened) return checkPlain(type, given, options, engine, this.contextOf(parameter));
    if (typeof engine === 'string') return undefined;
    return engine.checkGuarded(type, given.plain, options.transformOptions);
  }

  contextOf({ type, metadata: { data, type: place } }: Omit<Parameter, 'groups'>): HardenedContext {
    return { whole: data ?? place, onOverrun: (error) => this.reportOverrun(error, type) };
  }

  /**
   * An input at which a transform or a rule threw is invalid for the caller, and a fault for us to correct. Only the
   * position is logged: the error's own message may quote the input.
   */
  private reportOverrun(error: Error, { name }: Parameter['type']): void {
    const place = error.stack?.split('\n').find((line) => line.startsWith('    at '));
    this.warn(`The input of a ${name} made its rules throw a ${error.name} ${place?.trim()}`);
  }
}

/** The options of some calls, and how their compiled functions are found. */
interface FoundEngine {
  readonly options: CompileOptions;
  readonly find: () => Engine | string;
}

/** One for the options of the pipe, and one for each list of groups. */
function enginesOf(
  given: CompileOptions,
  { hidesTargets, stripsParentValues }: InstalledPipe,
): (groups: Parameter['groups']) => FoundEngine {
  const validationError = { ...(hidesTargets && { target: false }), ...given.validationError };
  const hidesParentValues = stripsParentValues && given.validationError?.value === undefined;
  const own: CompileOptions = { ...given, validationError, hidesParentValues };
  const found = foundBy(own);
  const ofGroups = new WeakMap<readonly string[], FoundEngine>();
  return (groups) => {
    if (groups === undefined) return found;
    let known = ofGroups.get(groups);
    if (!known) ofGroups.set(groups, (known = foundBy({ ...own, groups: [...groups] })));
    return known;
  };
}

function foundBy(options: CompileOptions): FoundEngine {
  return { options, find: engineFinder(options) };
}

import { OpenWireClassError, type WireClass, wireClassFindings, type Writer, writerOf } from '@app/engine';
import type { ClassTransformOptions } from 'class-transformer';
import { audiencesOf, groupsFor } from './addressed-members';
import { type AudienceCaller, type HeldAudiences, heldBy } from './audience';
import { audienceFindings } from './audience-findings';
import { type RowFilter, rowFilter } from './row-filter';

/** Returns the writer for a caller. A request without a caller gets what every caller gets. */
export type WriterOf = (caller: AudienceCaller | undefined) => Writer;

interface AddressedWriter {
  readonly write: Writer;
  readonly filter: RowFilter | undefined;
}

/**
 * Returns a class's writers by caller. Each combination of audiences has a writer, which is compiled for its first caller.
 *
 * @param compile compiles the class for options
 * @returns `undefined` for a class without audiences
 */
export function writersByCaller(
  type: WireClass,
  options: ClassTransformOptions,
  compile: (options: ClassTransformOptions) => Writer,
): WriterOf | undefined {
  const names = audiencesOf(type);
  if (names.length === 0) return undefined;
  const writers = new Map<string, AddressedWriter>();
  return (caller) => {
    const audiences = heldBy(caller, names);
    const key = [...audiences.byRequest, '', ...audiences.owners.keys()].join(' ');
    const { write, filter } = writers.get(key) ?? addressedTo(audiences);
    writers.set(key, { write, filter });
    return filter === undefined ? write : (returned) => write(filter(returned, audiences.owners));
  };

  function addressedTo({ byRequest, owners }: HeldAudiences): AddressedWriter {
    const groups = groupsFor(type, options.groups, (name) => byRequest.has(name) || owners.has(name));
    const filter = owners.size > 0 ? rowFilter(type, byRequest) : undefined;
    return { write: compile(groups.length > 0 ? { ...options, groups: [...groups] } : options), filter };
  }
}

/**
 * Returns a class's writers by caller, for data that is sent outside a route, such as an export.
 *
 * @throws OpenWireClassError for a class that would send more than it exposes, or that has a fault in its audiences
 */
export function closedWriters(type: WireClass): WriterOf {
  const [finding] = [...wireClassFindings(type, { isHardened: true }), ...audienceFindings(type)];
  if (finding) throw new OpenWireClassError(`${finding.problem}. ${finding.remedy}.`);
  const compile = (options: ClassTransformOptions) =>
    writerOf(type, options, { isHardened: true, isStrict: true }).write;
  const write = compile({});
  return writersByCaller(type, {}, compile) ?? (() => write);
}

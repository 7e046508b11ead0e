import type { Describe } from './descriptions';
import type { RouteDescription } from './route-description';

/** The parts of the API reference, in their order. */
const sections = ['application', 'accounts', 'service'] as const;
type Section = (typeof sections)[number];

const names = new WeakMap<object, string>();
const descriptions = new WeakMap<object, string>();
const sectionOf = new WeakMap<object, Section>();

/**
 * Names a controller's route group in the API reference: `@Tag('Tasks')`. Default: the first path segment.
 *
 * @param description the text for a group with several controllers; default: their TSDoc
 */
export function Tag(name: string, description?: string): ClassDecorator {
  return (controller) => {
    names.set(controller, name);
    if (description !== undefined) descriptions.set(controller, description);
  };
}

/** Places controller groups in the API reference. Application controllers come first. */
export function inSection<Controller extends Function>(
  section: Exclude<Section, 'application'>,
  controllers: Controller[],
): Controller[] {
  for (const controller of controllers) sectionOf.set(controller, section);
  return controllers;
}

/** Returns whether a controller belongs to a library rather than an application. */
export function isLibraryController(controller: Function): boolean {
  return sectionOf.has(controller);
}

/** The name of a route's group. */
export function tagOf({ controller, path }: RouteDescription): string {
  return names.get(controller) ?? (path.split('/')[1] || 'home');
}

/** Returns the route groups in order. `@Tag` describes a group, or else the TSDoc of its controllers. */
export function tagsOf(
  routes: readonly RouteDescription[],
  describe: Describe,
): { readonly name: string; readonly description?: string }[] {
  const byName = Map.groupBy(routes, tagOf);
  const tags = [...byName].map(([name, ofTag]) => {
    const controllers = [...new Set(ofTag.map(({ controller }) => controller))];
    const texts = controllers.map((type) => describe({ key: `${name} ${type.name}`, type }));
    const declared = controllers.map((type) => descriptions.get(type)).find(Boolean);
    const description = declared ?? texts.filter((text) => text !== undefined).join(' ');
    const place = Math.max(
      ...controllers.map((type) => sections.indexOf(sectionOf.get(type) ?? 'application')),
    );
    return { place, tag: { name, ...(description !== '' && { description }) } };
  });
  return tags.toSorted((a, b) => a.place - b.place).map(({ tag }) => tag);
}

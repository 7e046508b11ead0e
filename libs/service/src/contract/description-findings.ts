import {
  acceptedFrom,
  addressedMembers,
  inputSchema,
  type RouteDescription,
  schemaOf,
  untypedMembers,
} from '@app/contract';
import type { Finding } from '@app/engine';
import { filterFaultsOf, filtersOf, sortFaultsOf } from '@app/paging';
import { keptNames } from '../routes/kept-names';

/** Finds response members that clients would get as `unknown`. */
export function descriptionFindings(route: RouteDescription): Finding[] {
  return untypedMembers(route).map((place) => ({
    code: 'SLUICE-C403',
    problem: `${place.type.name}.${place.member} has no type in the OpenAPI document`,
    remedy:
      "Declare it, such as @Schema({ type: ['string', 'null'] }), or @Type(() => Object) for JSON of any form",
    place,
  }));
}

/** Finds body members that a PATCH resets without naming them, such as in a `PartialType` with initial values. */
export function initialValueFindings({ method, body }: RouteDescription): Finding[] {
  if (method !== 'PATCH' || !body) return [];
  const { type, groups } = body;
  const { properties } = inputSchema(type, groups, () => ({}));
  return Object.keys(properties)
    .filter(
      (member) =>
        properties[member]?.['default'] !== undefined &&
        schemaOf(type, member)?.keywords?.['default'] === undefined,
    )
    .map((member) => ({
      code: 'SLUICE-C406',
      problem: `${type.name}.${member} has an initial value, and is reset by a change that leaves it out`,
      remedy: 'Remove the initial value, and set it where the row is created',
      place: { type, member },
    }));
}

/** Finds members that are declared to sort or filter a list but cannot do so. */
export function listDeclarationFindings(route: RouteDescription): Finding[] {
  const { query } = route;
  const faults = query
    ? [...sortFaultsOf(query.type), ...filterFaultsOf(query.type), ...revealingFilters(route)]
    : [];
  return faults.map(({ problem, remedy, place }) => ({ code: 'SLUICE-C410', problem, remedy, place }));
}

/** Finds filters by a member that some callers are not sent, and that they could find out by trying values. */
function revealingFilters({ query, response }: RouteDescription): Omit<Finding, 'code'>[] {
  if (query === undefined || response === undefined) return [];
  const addressed = new Set(addressedMembers(response.type).map(({ property }) => property));
  return filtersOf(query.type)
    .filter((name) => addressed.has(name) && acceptedFrom(query.type, name) === undefined)
    .map((member) => ({
      problem: `${query.type.name}.${member} lets callers find out a member that only its audiences are sent`,
      remedy: `Put @Accept({ from: '…' }) on it, or remove '${member}' from @Filterable`,
      place: { type: query.type, member },
    }));
}

/** Finds wrapped handlers that share a name, such as `PostsController.create` in two controllers. */
export function twinFindings(
  routes: readonly RouteDescription[],
): { finding: Finding; route: RouteDescription }[] {
  const first = new Map<string, RouteDescription>();
  return routes.flatMap((route) => {
    const name = `${route.controller.name}.${route.handler}`;
    const firstRoute = first.get(name) ?? route;
    first.set(name, firstRoute);
    const isWrapped = [route, firstRoute].some(
      ({ isIdempotent, ifMatch, signature }) =>
        isIdempotent === true || ifMatch !== undefined || signature !== undefined,
    );
    return firstRoute.controller === route.controller || !isWrapped
      ? []
      : [{ finding: twin(route, firstRoute), route }];
  });
}

function twin({ controller, handler }: RouteDescription, { method, path }: RouteDescription): Finding {
  return {
    code: 'SLUICE-C404',
    problem: `${controller.name}.${handler} is also the handler of ${method} ${path}, in another class with that name`,
    remedy: `Give one of the two controllers another name. ${keptNames}`,
  };
}

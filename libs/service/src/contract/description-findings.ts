import { type RouteDescription, untypedMembers } from '@app/contract';
import type { Finding } from '@app/shapes';

/** Finds members of responses that clients would get as `unknown`. */
export function descriptionFindings(route: RouteDescription): Finding[] {
  return untypedMembers(route).map((place) => ({
    code: 'SLUICE-C403',
    problem: `${place.type.name}.${place.member} has no type in the OpenAPI document`,
    remedy:
      "Declare it, such as @Schema({ type: ['string', 'null'] }), or @Type(() => Object) for JSON of any form",
    place,
  }));
}

/** Finds handlers with a wrapper that are found by the same name: `PostsController.create` of two controllers. */
export function twinFindings(
  routes: readonly RouteDescription[],
): { finding: Finding; route: RouteDescription }[] {
  const first = new Map<string, RouteDescription>();
  return routes.flatMap((route) => {
    const name = `${route.controller.name}.${route.handler}`;
    const other = first.get(name) ?? route;
    first.set(name, other);
    const isWrapped = [route, other].some(
      ({ isIdempotent, ifMatch }) => isIdempotent === true || ifMatch !== undefined,
    );
    return other.controller === route.controller || !isWrapped
      ? []
      : [{ finding: twin(route, other), route }];
  });
}

function twin({ controller, handler }: RouteDescription, { method, path }: RouteDescription): Finding {
  return {
    code: 'SLUICE-C404',
    problem: `${controller.name}.${handler} is also the handler of ${method} ${path}, in another class with that name`,
    remedy: 'Give one of the two controllers another name',
  };
}

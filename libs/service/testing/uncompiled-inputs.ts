import { compileValidator } from '@app/engine';
import type { INestApplicationContext } from '@nestjs/common';
import { describeRoutes } from '../src/contract/describe-routes.discovery';

/** The validation options of programs, as far as they affect compilation. */
const strict = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: false };

/**
 * Finds the inputs of a program that are not validated by compiled code, and the rules that are called through
 * class-validator, with the reason.
 *
 * @returns one line each, such as `GET /items, PaginationQuery: …`
 */
export function uncompiledInputs(app: INestApplicationContext): string[] {
  const routes = describeRoutes(app);
  const inputs = routes.flatMap(({ method, path, body, query, params }) =>
    [body, query, params].flatMap((input) => (input ? { ...input, route: `${method} ${path}` } : [])),
  );
  if (inputs.length === 0) throw new Error('the program has no inputs');
  return inputs.flatMap(({ route, type, groups }) => {
    const { how, why, rules } = compileValidator(type, { ...strict, groups: [...groups] }).explain();
    const slow = rules.filter((rule) => rule.how === 'called as by the library');
    const lines = how === 'code' ? [] : [`${how}, because ${why}`];
    return [...lines, ...slow.map(({ property, rule }) => `${property}: ${rule}`)].map(
      (line) => `${route}, ${type.name}: ${line}`,
    );
  });
}

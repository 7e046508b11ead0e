import { compileValidator } from '@app/engine';
import type { INestApplicationContext } from '@nestjs/common';
import type { Fault } from '@app/persistence/testing';
import { describeRoutes } from '../src/contract/describe-routes.discovery';
import type { FaultPlaces } from './promise-faults';

/** The programs' validation options, as far as they affect compilation. */
const strict = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: false };

/**
 * Finds a program's inputs that compiled code does not validate, and the rules that are called through class-validator, with the
 * reason.
 */
export function uncompiledInputs(app: INestApplicationContext, places: FaultPlaces): Fault[] {
  const routes = describeRoutes(app);
  const inputs = routes.flatMap(({ method, path, body, query, params }) =>
    [body, query, params].flatMap((input) => (input ? { ...input, route: `${method} ${path}` } : [])),
  );
  if (inputs.length === 0) throw new Error('the program has no inputs');
  return inputs.flatMap(({ route, type, groups }) => {
    const { how, why, rules } = compileValidator(type, { ...strict, groups: [...groups] }).explain();
    const slow = rules.filter((rule) => rule.how === 'called as by the library');
    const subject = `${route}, ${type.name}`;
    const whole: Fault = {
      subject,
      problem: `it is validated by ${how}, because ${why}`,
      remedy: 'Remove what the reason names, or take other input there',
      at: places.of(type),
    };
    return [
      ...(how === 'code' ? [] : [whole]),
      ...slow.map(({ property, rule }) => ({
        subject: `${subject}.${property}`,
        problem: `class-validator itself calls ${rule}`,
        remedy: 'Use a rule that is compiled, or declare one with npm run new:rule',
        at: places.of(type, property),
      })),
    ];
  });
}

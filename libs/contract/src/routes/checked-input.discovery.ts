import { type INestApplicationContext } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/internal';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { UncheckedInputError } from '../input-problems/errors';
import { parameterFindings } from '../input-findings/parameter-findings';
import { parametersOf } from './parameters.discovery';

/**
 * Aborts the start if input would reach a handler without validation, see `parameterFindings`. Parameters with custom
 * decorators, `@Req`, `@Res` or `@Headers` are skipped.
 *
 * For any Nest program. Programs built on `@app/service` check the findings of all libraries at once.
 *
 * @param app any time after `NestFactory.create`
 * @throws UncheckedInputError with a line per finding
 */
export function assertCheckedInput(app: INestApplicationContext): void {
  const lines = [...new Set([...eachController(app)].flatMap(uncheckedIn))];
  if (lines.length > 0) throw new UncheckedInputError(lines);
}

function* eachController(app: INestApplicationContext): Generator<Function> {
  const seen = new Set<unknown>();
  for (const module of app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      if (typeof metatype === 'function' && !seen.has(metatype)) yield metatype;
      seen.add(metatype);
    }
  }
}

function uncheckedIn(controller: Function): string[] {
  const prototype: object = controller.prototype;
  return new MetadataScanner()
    .getAllMethodNames(prototype)
    .filter((name) => Reflect.hasMetadata(PATH_METADATA, Reflect.get(prototype, name)))
    .flatMap((name) => {
      const findings = parametersOf(controller, name).flatMap(parameterFindings);
      return findings.map(
        ({ code, problem, remedy }) => `${code} ${controller.name}.${name}: ${problem}. ${remedy}.`,
      );
    });
}

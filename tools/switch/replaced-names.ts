/** The exports of a module that the package replaces. */
export interface Replaced {
  /** The entry of the package that exports it. */
  readonly target: string;
  readonly names: ReadonlySet<string>;
  /** Whether the entry exports all other names of the module too. */
  readonly hasAll: boolean;
}

/** The modules with exports that the engine compiles. */
export const replacedNames: Readonly<Record<string, Replaced>> = {
  '@nestjs/common': {
    target: '@sluice/engine/nest',
    names: new Set(['ValidationPipe', 'ClassSerializerInterceptor']),
    hasAll: false,
  },
  'class-validator': {
    target: '@sluice/engine',
    names: new Set(['validate', 'validateSync', 'validateOrReject', 'Validator']),
    hasAll: true,
  },
  'class-transformer': {
    target: '@sluice/engine',
    names: new Set([
      'ClassTransformer',
      'TransformInstanceToPlain',
      'TransformPlainToInstance',
      'classToPlain',
      'deserialize',
      'deserializeArray',
      'instanceToPlain',
      'plainToClass',
      'plainToInstance',
      'serialize',
    ]),
    hasAll: true,
  },
};

/** Returns the module for a path into it: `@nestjs/common` for `@nestjs/common/pipes`. */
export function moduleOf(path: string): string | undefined {
  return Object.keys(replacedNames).find((name) => path === name || path.startsWith(`${name}/`));
}

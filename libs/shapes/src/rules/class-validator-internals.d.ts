/** What class-validator has and does not show: the module in which its container stands. */
declare module 'class-validator/cjs/container.js' {
  export const useContainer: typeof import('class-validator').useContainer;
}

declare module 'class-validator/cjs/validation/ValidationExecutor.js' {
  export class ValidationExecutor {}
}

declare module 'class-validator/cjs/validation/ValidationUtils.js' {
  export class ValidationUtils {}
}

declare module 'class-validator/cjs/decorator/common/ValidateBy.js' {
  import type { ValidateByOptions, ValidationOptions } from 'class-validator';

  export function ValidateBy(
    options: ValidateByOptions,
    validationOptions?: ValidationOptions,
  ): PropertyDecorator;
}

declare module 'class-validator/cjs/metadata/ConstraintMetadata.js' {
  export { ConstraintMetadata } from 'class-validator/types/metadata/ConstraintMetadata';
}

import type { ValidationError } from 'class-validator';

/** Removes empty errors, like class-validator at its end. */
export function stripEmpty(errors: readonly ValidationError[]): ValidationError[] {
  return errors.filter((error) => {
    if (error.children) error.children = stripEmpty(error.children);
    if (error.constraints && Object.keys(error.constraints).length > 0) return true;
    if (!error.children?.length) return false;
    delete error.constraints;
    return true;
  });
}

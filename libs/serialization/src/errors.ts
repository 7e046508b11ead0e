/**
 * A class that would send more than its author meant; told where the class is declared, not when a request comes.
 *
 * class-transformer does not inherit a class-level `@Exclude()`, so a subclass of a closed class sends every field it
 * is given; and it does not look at the type of a property, so one without `@Type` sends whatever it holds.
 */
export class OpenWireClassError extends TypeError {
  constructor(message: string) {
    super(message);
    this.name = 'OpenWireClassError';
  }
}

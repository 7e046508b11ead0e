import type { InjectionToken, ModuleMetadata, OptionalFactoryDependency } from '@nestjs/common';
import type { SignInFactor } from '../sign-in-proofs';

/** Makes the factors of an application from providers; the providers of accounts can be injected without an import. */
export interface FactorsFactory {
  readonly imports?: ModuleMetadata['imports'];
  readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
  // The arguments are those that `inject` names, which a type cannot express.
  readonly useFactory: (...injected: never[]) => readonly SignInFactor[] | Promise<readonly SignInFactor[]>;
}

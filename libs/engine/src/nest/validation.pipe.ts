import { ValidationPipe as BasePipe, type ValidationPipeOptions } from './pipe/validation.pipe';
import { instanceToPlain } from '../functions/instance-to-plain';
import { transformerPackage } from '../functions/transformer';

type TransformerPackage = NonNullable<ValidationPipeOptions['transformerPackage']>;

/** Nest's `ValidationPipe`, compiled: the same options and results, whichever Nest is installed. */
export class ValidationPipe extends BasePipe {
  protected override compiledTransformer(): TransformerPackage {
    return transformerPackage;
  }

  protected override toPlain(instance: object): unknown {
    return instanceToPlain(instance, this.transformOptions);
  }
}

import { ValidationPipe as BasePipe, type ValidationPipeOptions } from './pipe/validation.pipe';
import { FirstCalls } from '../functions/first-calls';
import { instanceToPlain } from '../functions/instance-to-plain';
import { transformerPackage } from '../functions/transformer';

type TransformerPackage = NonNullable<ValidationPipeOptions['transformerPackage']>;

const first = new FirstCalls();

/** The compiled version of Nest's `ValidationPipe`, with the same options and results for every Nest version. */
export class ValidationPipe extends BasePipe {
  protected override compiledTransformer(): TransformerPackage {
    return transformerPackage;
  }

  protected override isAmongFirst(type: Function): boolean {
    return !this.isHardened && first.isAmong(type, undefined);
  }

  protected override toPlain(instance: object): unknown {
    return instanceToPlain(instance, this.transformOptions);
  }
}

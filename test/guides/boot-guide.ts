import { accounts, type AccountsPluginOptions } from '@app/accounts';
import { definePlugin, defineProgram, type Plugin } from '@app/service';
import { type BootedProgram, type BootPlan, bootProgram } from '@app/service/testing';
import type { ModuleMetadata } from '@nestjs/common';

/** The parts that a guide adds to a program with accounts. */
export interface Guide
  extends
    Pick<ModuleMetadata, 'imports' | 'providers'>,
    Pick<Plugin<{}>, 'configure' | 'controllers' | 'moduleRoutes' | 'tables'>,
    Pick<BootPlan<{}>, 'env'> {
  readonly accounts?: AccountsPluginOptions;
  readonly plugins?: readonly Plugin[];
}

/** Runs the code of a guide in a program with accounts, for a test file. */
export function bootGuide({
  accounts: options,
  plugins = [],
  env,
  imports = [],
  providers = [],
  ...parts
}: Guide): BootedProgram {
  const guide = definePlugin({
    ...parts,
    name: 'the parts of the guide',
    modules: () => imports,
    providers: () => providers,
  });
  const program = defineProgram({ name: 'guide', plugins: [accounts(options), guide, ...plugins] });
  return bootProgram({ ...program, env });
}

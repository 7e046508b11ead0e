import { join, relative } from 'node:path';
import ts from 'typescript';
import type { PageModule } from './page-modules.mts';

/** The packages that readers install, and their sources. */
const packages = {
  '@sluice/client': ['./libs/client/src/index.ts'],
  '@sluice/engine': ['./libs/engine/src/drop-in.ts'],
  '@sluice/engine/*': ['./libs/engine/src/*.ts'],
};

/**
 * Compiles page modules together with the workspace sources.
 *
 * @returns the errors by page line, such as `docs/guides/errors.md:58: Cannot find name 'httpError'.`
 */
export function typeErrors(root: string, modules: readonly PageModule[]): string[] {
  const texts = new Map(modules.map(({ path, text }) => [join(root, path), text]));
  const program = ts.createProgram([...texts.keys()], optionsOf(root), hostOf(root, texts));
  return [...texts.keys()].flatMap((path) => errorsOf(program, path).map((error) => relative(root, error)));
}

function errorsOf(program: ts.Program, path: string): string[] {
  const file = program.getSourceFile(path);
  const page = path.slice(0, path.indexOf('.md') + '.md'.length);
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
    ({ start = 0, messageText }) => {
      const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
      return `${page}:${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    },
  );
}

/** Returns the workspace's compiler options, changed to modules with top-level `await`. */
function optionsOf(root: string): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], references: [] }, ts.sys, root);
  return {
    ...options,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2025.d.ts', 'lib.dom.d.ts'],
    types: ['node', 'vitest/globals'],
    paths: { ...options.paths, ...packages },
    noEmit: true,
    incremental: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
  };
}

/** Reads the modules from memory and all remaining files from the disk. */
function hostOf(root: string, texts: ReadonlyMap<string, string>): ts.CompilerHost {
  const folders = [...texts.keys()].map((path) => join(path, '..'));
  return Object.assign(ts.createCompilerHost(optionsOf(root)), {
    fileExists: (path: string) => texts.has(path) || ts.sys.fileExists(path),
    readFile: (path: string) => texts.get(path) ?? ts.sys.readFile(path),
    directoryExists: (path: string) =>
      folders.some((folder) => folder.startsWith(path)) || ts.sys.directoryExists(path),
  });
}

type Output = 'inherit' | 'ignore';
export declare function tarball(folder: string, name: string, version: string): string;
export declare function npm(cwd: string, args: readonly string[], output?: Output): void;
export declare function run(program: string, args: readonly string[], cwd: string, output?: Output): void;

type Output = 'inherit' | 'ignore' | 'pipe';
export declare function tarball(folder: string, name: string, version: string): string;
export declare function npm(cwd: string, args: readonly string[], output?: Output): string;
export declare function run(program: string, args: readonly string[], cwd: string, output?: Output): string;

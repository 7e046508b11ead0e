import 'reflect-metadata';

// The suites are written for Jest, which Vitest replaces under its own name.
Object.assign(globalThis, { jest: vi });

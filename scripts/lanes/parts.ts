/** A part of the heavy lane: a task of `scripts/run.mjs` that runs on its own. */
export interface Part {
  readonly task: string;
  readonly args?: readonly string[];
  /** The lanes of vitest that it counts; absent for a program that says by its exit status alone whether it passed. */
  readonly lanes?: readonly string[];
}

/** All that `npm run test:heavy` runs, in this order. */
export const heavyParts: Readonly<Record<string, Part>> = {
  // Every test that the gate has, with all of its matrices, and whole commands from the sources.
  sources: { task: 'test:all', lanes: ['formats', 'lib', 'test', 'cluster', 'heavy'] },
  node: { task: 'test:node-all', lanes: ['node', 'node-heavy'] },
  kernel: { task: 'test:kernel', lanes: ['kernel'] },
  executable: { task: 'test:bin', lanes: ['test', 'cluster', 'heavy'] },
  conformance: { task: 'test:conformance' },
  fuzz: { task: 'fuzz', args: ['--executions', '10000000'] },
};

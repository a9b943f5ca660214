export { directoryTarget } from './directory.ts';
export type { ClusterTarget, RenderedComponent, RenderedSolution } from './kind.ts';

import { spawnSync } from 'node:child_process';
import { findProgram, lackingComponents, pluginFolder, programFolder, requirements } from './programs.ts';

/** Returns why no node can be started here; empty where it can. */
export function nodeLacks(): string[] {
  const lacks = machineLacks();
  return process.platform === 'linux' ? [...lacks, ...lackingComponents(programFolder())] : lacks;
}

/** Returns the same without Kubernetes' own programs, which can be built. */
export function machineLacks(): string[] {
  if (process.platform !== 'linux') return ['Linux'];
  const lacks: string[] = [];
  const programs = Object.keys(requirements).filter((name) => findProgram(name) === undefined);
  if (pluginFolder() === undefined) programs.push('the CNI plugins');
  if (process.getuid?.() !== 0) lacks.push('root');
  else if (!mayUnshare()) lacks.push('the right to make namespaces');
  return [...lacks, ...programs];
}

/**
 * Decides whether this process may make namespaces, which root of a container often may not; true where that cannot be
 * found out.
 */
function mayUnshare(): boolean {
  const unshare = findProgram('unshare');
  if (unshare === undefined) return true;
  return spawnSync(unshare, ['--net', '--mount', '--pid', '--fork', 'true'], { stdio: 'ignore' }).status === 0;
}

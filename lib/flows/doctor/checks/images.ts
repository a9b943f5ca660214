import { shellWord } from '../../../../formats/shell-word.ts';
import type { DoctorSurroundings, HealthCheck } from '../check.ts';
import type { HealthFinding } from '../request.ts';

/**
 * Looks whether the profile has one way for images, and whether containerd looks for mirrors where they are written.
 */
export const imagesCheck: HealthCheck = {
  code: 'images',
  purposes: ['install'],
  look: async (surroundings) => {
    const { profile, said } = surroundings;
    if (profile === undefined) return [];
    const { ways } = said;
    const [way, ...others] = ways;
    if (others.length > 0) {
      const message = `has several ways for images: ${ways.join(', ')}`;
      const hint = others.map((one) => `solpack profile unset ${one}`).join(' && ');
      return [{ state: 'fails', subject: profile.path, message, hint }];
    }
    if (way === undefined && said.hostsDir === undefined) {
      const message = 'has no setting for how images get to nodes';
      return [{ state: 'fails', subject: profile.path, message, hint: 'solpack setup' }];
    }
    const message = `images get to nodes as ${way ?? 'images.hosts-dir'} says`;
    return [{ state: 'ok', subject: profile.path, message }, ...mirrorsFound(surroundings)];
  },
};

function mirrorsFound({ machine, said: { hostsDir } }: DoctorSurroundings): HealthFinding[] {
  const containerd = machine.runtimes.find(({ kind }) => kind === 'containerd');
  if (hostsDir === undefined || containerd === undefined) return [];
  const subject = '/etc/containerd/config.toml';
  const { hostsDir: own } = containerd;
  if (own === hostsDir) return [{ state: 'ok', subject, message: `containerd looks for mirrors in ${hostsDir}` }];
  if (own !== undefined) {
    const message = `containerd looks for mirrors in ${own}, but the profile writes them to ${hostsDir}`;
    return [{ state: 'fails', subject, message, hint: `solpack profile set images.hosts-dir ${shellWord(own)}` }];
  }
  const message = `names no config_path, so containerd may not look for mirrors in ${hostsDir}`;
  const hint = `set config_path = "${hostsDir}" for the registry of its CRI plugin, then: systemctl restart containerd`;
  return [{ state: 'warns', subject, message, hint }];
}

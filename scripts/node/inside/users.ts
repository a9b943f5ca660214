import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeKubeconfig } from '../kubeconfig.ts';
import { nodeName, type Paths } from '../state.ts';

/** The users of the programs, with rights by Kubernetes' built-in roles, and the administrator. */
const users = [
  { user: 'admin', group: 'system:masters', program: undefined },
  { user: 'system:kube-controller-manager', group: '', program: 'kube-controller-manager' },
  { user: 'system:kube-scheduler', group: '', program: 'kube-scheduler' },
  { user: 'system:kube-proxy', group: '', program: 'kube-proxy' },
  { user: `system:node:${nodeName}`, group: 'system:nodes', program: 'kubelet' },
] as const;

/** Gives each user a token and a kubeconfig. Returns the API server's token file and the administrator's token. */
export function makeUsers(paths: Paths): { file: string; admin: string } {
  const file = join(paths.pki, 'tokens.csv');
  let admin = '';
  const lines = users.map(({ user, group, program }) => {
    const token = randomBytes(24).toString('base64url');
    const kubeconfig = program ? join(paths.config, `${program}.kubeconfig`) : paths.kubeconfig;
    writeKubeconfig(paths, kubeconfig, user, { token });
    if (!program) admin = token;
    return `${token},${user},${user},"${group}"\n`;
  });
  writeFileSync(file, lines.join(''), { mode: 0o600 });
  return { file, admin };
}

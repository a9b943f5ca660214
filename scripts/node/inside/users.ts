import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeKubeconfig } from '../kubeconfig.ts';
import { controlMachine, type Machine, type Paths, remoteServer, server, workerPaths } from '../state.ts';

/** A user, and which program it is for; the administrator's where there is none. */
interface User {
  readonly user: string;
  readonly group: string;
  readonly program: string | undefined;
}

/** The users of the control plane, with rights by Kubernetes' built-in roles. */
const controllers: readonly User[] = [
  { user: 'admin', group: 'system:masters', program: undefined },
  { user: 'system:kube-controller-manager', group: '', program: 'kube-controller-manager' },
  { user: 'system:kube-scheduler', group: '', program: 'kube-scheduler' },
];

/** The users of a node. */
function usersOf({ name }: Machine): readonly User[] {
  return [
    { user: 'system:kube-proxy', group: '', program: 'kube-proxy' },
    { user: `system:node:${name}`, group: 'system:nodes', program: 'kubelet' },
  ];
}

/**
 * Gives each user a token and a kubeconfig, and the administrator a kubeconfig on each node. Returns the API server's
 * token file and the administrator's token.
 */
export function makeUsers(paths: Paths, workers: readonly Machine[]): { file: string; admin: string } {
  const file = join(paths.pki, 'tokens.csv');
  const lines: string[] = [];
  const add = (own: Paths, at: string, { user, group, program }: User): string => {
    const token = randomBytes(24).toString('base64url');
    writeKubeconfig(own, program ? join(own.config, `${program}.kubeconfig`) : own.kubeconfig, user, { token }, at);
    lines.push(`${token},${user},${user},"${group}"\n`);
    return token;
  };
  const [admin = ''] = [...controllers, ...usersOf(controlMachine)].map((user) => add(paths, server, user));
  for (const worker of workers) {
    const own = workerPaths(paths, worker);
    for (const user of usersOf(worker)) add(own, remoteServer, user);
    writeKubeconfig(own, own.kubeconfig, 'admin', { token: admin }, remoteServer);
  }
  writeFileSync(file, lines.join(''), { mode: 0o600 });
  return { file, admin };
}

import { join } from 'node:path';

/** Prepares an own system as kubeadm leaves one: with the kubeconfig and the containerd of a node. */
export function kubeadm({ kubeconfig, state }: { readonly kubeconfig: string; readonly state: string }): string {
  return `mkdir -p /etc/kubernetes /run/containerd
cp ${kubeconfig} /etc/kubernetes/admin.conf
touch /run/containerd/containerd.sock
mount --bind ${join(state, 'containerd.sock')} /run/containerd/containerd.sock`;
}

/** The words that run a command with an /etc, a /run and a /var/lib of its own, which are gone with it. They need root. */
export function withOwnSystem(prepare: string, command: string): string[] {
  const script = `set -e
over=$(mktemp -d)
mount -t tmpfs own "$over"
trap 'umount -l "$over"; rmdir "$over"' EXIT
mkdir "$over/etc" "$over/work"
mount -t overlay own -o "lowerdir=/etc,upperdir=$over/etc,workdir=$over/work" /etc
mount -t tmpfs own /run
mount -t tmpfs own /var/lib
rm -rf /etc/kubernetes /etc/rancher /etc/metalk8s /etc/solpack
${prepare}
${command}
`;
  return ['-m', '--propagation', 'private', 'sh', '-c', script];
}

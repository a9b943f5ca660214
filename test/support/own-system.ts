import { join } from 'node:path';

/** Prepares an own system as kubeadm leaves one: with the kubeconfig and the containerd of a node. */
export function kubeadm({ kubeconfig, state }: { readonly kubeconfig: string; readonly state: string }): string {
  return `mkdir -p /etc/kubernetes /run/containerd
cp ${kubeconfig} /etc/kubernetes/admin.conf
touch /run/containerd/containerd.sock
mount --bind ${join(state, 'containerd.sock')} /run/containerd/containerd.sock`;
}

/**
 * The words that run a command with an /etc, a /run and a /var/lib of its own, which are gone with it. They need root.
 */
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

/** The text of a `systemctl` that stands for systemd, which no test may start: it runs what a unit says, and knows whether that runs. */
export const systemctl: string = `#!/bin/sh
set -e
mkdir -p /run/units
for unit; do :; done
state=/run/units/$unit
file=/etc/systemd/system/$unit
end() { if test -s $state.pid; then kill $(cat $state.pid) 2>/dev/null || true; rm $state.pid; fi; }
case "$1" in
  daemon-reload) ;;
  is-enabled) test -e $state.enabled ;;
  is-active) test -s $state.pid && kill -0 $(cat $state.pid) ;;
  enable) test -e $file && touch $state.enabled ;;
  restart)
    end
    words=$(sed -n 's/^ExecStart=//p' $file)
    # Whoever asks ends all that is left of its own session.
    setsid -f sh -c "echo \\$\\$ >$state.pid; exec $words" >/run/units/log 2>&1 </dev/null
    until test -s $state.pid; do sleep 0.1; done ;;
  disable) end; rm -f $state.enabled ;;
esac
`;

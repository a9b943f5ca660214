import { parseYaml } from '../../../../../../formats/manifest/yaml.ts';
import { fieldAt, listAt, textAt } from '../../server/index.ts';

/** The settings that kubeadm got when it made a cluster; '' where it got none. */
export interface KubeadmSettings {
  readonly podRanges: string;
  readonly serviceRanges: string;
  readonly nodePorts: string;
  readonly certificateNames: string;
}

/**
 * Reads the `ClusterConfiguration` that kubeadm keeps in the ConfigMap `kube-system/kubeadm-config` (kubeadm.k8s.io,
 * v1beta3 with arguments as a map, v1beta4 as a list). Undefined where the text is none.
 */
export function kubeadmSettings(text: string): KubeadmSettings | undefined {
  let value: unknown;
  try {
    value = parseYaml(text, 'ClusterConfiguration').find((one) => textAt(one.value, 'kind') === 'ClusterConfiguration');
  } catch {
    // What somebody has damaged tells nothing.
    return undefined;
  }
  const settings = fieldAt(value, 'value');
  if (settings === undefined) return undefined;
  return {
    podRanges: textAt(settings, 'networking', 'podSubnet'),
    serviceRanges: textAt(settings, 'networking', 'serviceSubnet'),
    nodePorts: argumentOf(fieldAt(settings, 'apiServer'), 'service-node-port-range'),
    certificateNames: listAt(settings, 'apiServer', 'certSANs')
      .filter((name) => typeof name === 'string')
      .join(','),
  };
}

function argumentOf(settings: unknown, name: string): string {
  const listed = listAt(settings, 'extraArgs').find((one) => textAt(one, 'name') === name);
  return listed === undefined ? textAt(settings, 'extraArgs', name) : textAt(listed, 'value');
}

import type { KubernetesObject } from './object.ts';

const lists = ['containers', 'initContainers', 'ephemeralContainers'] as const;

/**
 * Copies objects, with `change` applied to every image that they make a node run or mount. It finds them in the containers and
 * the image volumes of every PodSpec: of Pods, templates of workloads, CronJobs, and custom resources that embed one (Kubernetes
 * API, `PodSpec` and `ImageVolumeSource`). It cannot see images that are named elsewhere, such as in arguments. `change` is told
 * whether a node may pull the image, which it may not if the pull policy is `Never`.
 */
export function mapImages(objects: readonly KubernetesObject[], change: Change): KubernetesObject[] {
  return objects.map((object) => mapped(object, change) as KubernetesObject);
}

type Change = (image: string, pulled: boolean) => string;

function mapped(value: unknown, change: Change): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (!isRecord(value)) return value;
  const isPodSpec = Array.isArray(value['containers']);
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => {
      const inner = mapped(child, change);
      if (!Array.isArray(inner)) return [key, inner];
      if ((lists as readonly string[]).includes(key))
        return [key, inner.map((item) => withImage(item, containerFields, change))];
      if (isPodSpec && key === 'volumes') return [key, inner.map((volume) => withVolumeImage(volume, change))];
      return [key, inner];
    }),
  );
}

const containerFields = { image: 'image', policy: 'imagePullPolicy' } as const;
const volumeFields = { image: 'reference', policy: 'pullPolicy' } as const;

function withImage(item: unknown, fields: Record<'image' | 'policy', string>, change: Change): unknown {
  if (!isRecord(item)) return item;
  const image = item[fields.image];
  if (typeof image !== 'string' || image === '') return item;
  return { ...item, [fields.image]: change(image, item[fields.policy] !== 'Never') };
}

function withVolumeImage(volume: unknown, change: Change): unknown {
  if (!isRecord(volume) || !isRecord(volume['image'])) return volume;
  return { ...volume, image: withImage(volume['image'], volumeFields, change) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

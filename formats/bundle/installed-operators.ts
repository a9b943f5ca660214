import { valid } from 'semver';
import { isRecord } from '../record.ts';
import { versionInName } from './edges.ts';

/** An operator that OLM has installed. */
export interface InstalledOperator {
  readonly namespace: string;
  /** Of its ClusterServiceVersion. */
  readonly name: string;
  readonly packageName: string;
  readonly version: string;
}

/** The label of the copies that OLM makes of a ClusterServiceVersion in other namespaces. */
const COPIED = 'olm.copiedFrom';

/** The annotation with the properties of the bundle. */
const PROPERTIES = 'operatorframework.io/properties';

/**
 * Lists the operators that OLM has installed: ClusterServiceVersions that have succeeded, without copies. The package
 * is the one of the Subscription that installed it, otherwise of the properties of its bundle, otherwise what its name
 * begins with.
 */
export function installedOperators(
  versions: readonly unknown[],
  subscriptions: readonly unknown[],
): InstalledOperator[] {
  const packages = new Map<string, string>();
  for (const one of subscriptions) {
    const [namespace, installed, name] = [
      textAt(one, 'metadata', 'namespace'),
      textAt(one, 'status', 'installedCSV'),
      textAt(one, 'spec', 'name'),
    ];
    if (installed !== undefined && name !== undefined) packages.set(`${namespace}/${installed}`, name);
  }
  return versions.flatMap((one) => {
    const [namespace, name] = [textAt(one, 'metadata', 'namespace'), textAt(one, 'metadata', 'name')];
    const version = textAt(one, 'spec', 'version') ?? versionInName(name ?? '');
    const isDone =
      textAt(one, 'status', 'phase') === 'Succeeded' && textAt(one, 'metadata', 'labels', COPIED) === undefined;
    if (!isDone || namespace === undefined || name === undefined || valid(version ?? null) === null) return [];
    const packageName = packages.get(`${namespace}/${name}`) ?? ofProperties(one) ?? name.split('.')[0]!;
    return [{ namespace, name, packageName, version: version! }];
  });
}

function ofProperties(version: unknown): string | undefined {
  try {
    const { properties } = JSON.parse(textAt(version, 'metadata', 'annotations', PROPERTIES) ?? '{}');
    const found = (Array.isArray(properties) ? properties : []).find((one) => textAt(one, 'type') === 'olm.package');
    return textAt(found, 'value', 'packageName');
  } catch {
    return undefined;
  }
}

function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = path.reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), value);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

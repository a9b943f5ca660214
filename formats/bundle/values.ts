import { utf8 } from '../bytes.ts';
import type { Values } from '../chart/merge-values.ts';
import { parseSchema } from '../json-schema/schema.ts';
import { violationsOf } from '../json-schema/validate.ts';
import type { CertificateProvider } from './certificates.ts';
import { type DeploymentSettings, deploymentSettings } from './deployment-settings.ts';
import { refusedBundle } from './files.ts';
import type { WatchWish } from './install-mode.ts';

/** What the author of a Solution, or a site, says of an operator. */
export interface BundleValues extends WatchWish {
  /** Who makes the certificates of webhooks; undefined leaves that to what the cluster has. */
  readonly certificates?: CertificateProvider | undefined;
  /** What OLM calls the configuration of a subscription. */
  readonly deploymentConfig?: DeploymentSettings | undefined;
}

const mapping = { type: 'object' };
const lists: readonly (keyof DeploymentSettings)[] = ['env', 'envFrom', 'volumes', 'volumeMounts', 'tolerations'];
const settings = deploymentSettings.map((name) => [
  name,
  lists.includes(name) ? { type: 'array', items: mapping } : mapping,
]);

/** Says what values of a registry+v1 bundle may be. */
export const bundleValues = parseSchema(
  utf8(
    JSON.stringify({
      type: 'object',
      additionalProperties: false,
      properties: {
        installMode: { enum: ['AllNamespaces', 'OwnNamespace', 'SingleNamespace', 'MultiNamespace'] },
        watchNamespaces: {
          type: 'array',
          items: { type: 'string', maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' },
        },
        certificates: { enum: ['cert-manager'] },
        deploymentConfig: { type: 'object', additionalProperties: false, properties: Object.fromEntries(settings) },
      },
    }),
  ),
  'the values of a bundle',
);

/** Reads the values of a bundle. Throws `FormatError` `operator-bundle-invalid` with all that is wrong. */
export function parseBundleValues(values: Values): BundleValues {
  const wrong = violationsOf(bundleValues, values);
  if (wrong.length === 0) return values;
  throw refusedBundle(wrong.map(({ path, message }) => `the value ${path.join('.')}: ${message}`).join('; '));
}

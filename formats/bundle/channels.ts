import { text } from '../bytes.ts';
import { parseOneYaml } from '../manifest/one-document.ts';
import { METADATA, type OperatorBundleFile } from './files.ts';

/** The annotations of a bundle begin with this. */
const PREFIX = 'operators.operatorframework.io.bundle';

/** The channels of its package that a bundle is in. */
export interface BundleChannels {
  readonly channels: readonly string[];
  /** The channel that its package has as its default, as far as the bundle says. */
  readonly preferred: string | undefined;
}

/**
 * Reads the channels from `metadata/annotations.yaml` (Operator Framework, "Bundle annotations"); none where it names
 * none. Throws `FormatError` `operator-bundle-invalid` for what is not YAML.
 */
export function readBundleChannels(files: readonly OperatorBundleFile[]): BundleChannels {
  const path = `${METADATA}/annotations.yaml`;
  const file = files.find((one) => one.path === path);
  const document = file && parseOneYaml(text(file.bytes, 'yaml-invalid'), path, 'operator-bundle-invalid');
  const { annotations } = (document?.value ?? {}) as { annotations?: Record<string, unknown> };
  const [channels, preferred] = ['channels.v1', 'channel.default.v1'].map((name) =>
    String(annotations?.[`${PREFIX}.${name}`] ?? ''),
  );
  return {
    channels: channels!
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
    preferred: preferred === '' ? undefined : preferred,
  };
}

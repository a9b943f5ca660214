import { Command } from 'commander';
import { type Flow, foreseeInstall, makeSupportBundle, type SupportBundleRequest } from '../../lib/index.ts';
import { absolute, repeated } from '../arguments.ts';
import type { ImageDeliveryOptions } from '../delivery-options.ts';
import { clusterOf } from '../generations.ts';
import { deliveryThrough } from '../image-delivery.ts';
import { imageFolderFormatOption } from '../install-flags.ts';
import { type Io, ownEnvironment } from '../io.ts';
import { printResult } from '../output.ts';
import { mediaContext } from '../place.ts';
import { proxyOf } from '../proxy.ts';
import { registryConnections } from '../registry.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { trustState } from '../trust.ts';
import { supportBundleView } from '../view/support-bundle.ts';

interface Options extends CommonOptions, Omit<ImageDeliveryOptions, 'listen' | 'hold'> {
  readonly output?: string;
  readonly kubeconfig?: string;
  readonly configuration?: string;
  readonly logs?: string[];
  readonly trustState?: string;
}

/** Makes the command `solpack support-bundle`. */
export function supportBundleCommand(io: Io): Command {
  return new Command('support-bundle')
    .summary('write a file with all that support needs, without secrets')
    .description(
      'Writes one file for those who help: versions, the configuration, its archives, the plan of an install, ' +
        'what the cluster remembers and has, events, Pods that are not ready with their logs, mirrors, and logs ' +
        'of earlier runs. Secrets are blanked in all of it. It needs only rights to read, and changes nothing; ' +
        'the file lists what could not be read.',
    )
    .argument('[name]', 'a configuration, or a Solution, whose history is included (default: all)')
    .option('-o, --output <file>', 'the file to write (default: solpack-support-TIME.tar.gz)')
    .option('--kubeconfig <file>', 'the cluster of this kubeconfig; the file itself is not included')
    .option('-f, --configuration <file>', 'the SolutionsConfiguration')
    .option('--logs <file>', 'a file that --log-file of earlier runs wrote; may be repeated', repeated)
    .option('--hosts-dir <dir>', "the folder of mirrors, containerd's config_path")
    .option('--trust-state <dir>', 'where installs remember releases (default: /var/lib/solpack/trust for root)')
    .option('--registry <url>', 'plan an install that pushes images to this registry, without logging in there')
    .option('--served-at <url>', 'plan an install that uses this running "solpack serve"')
    .option('--image-folder <kind[:dir]>', 'plan an install that puts images into this folder of k3s, rke2 or k0s')
    .addOption(imageFolderFormatOption())
    .option('--containerd <socket>', 'plan an install that imports images into the containerd that listens there')
    .option('--image-store <dir>', 'plan an install that puts images into this store of podman and CRI-O')
    .addHelpText('after', help)
    .action(async (name: string | undefined, options: Options, command: Command) => {
      const session = commandSession(io, options);
      const time = Date.now();
      const { kubeconfig } = options;
      const path = (given: string | undefined): string | undefined => given && absolute(io, given);
      const registries = registryConnections(io, {}, session.flow);
      const media = mediaContext(io, undefined, registries.connect);
      const request = {
        output: absolute(io, options.output ?? nameAt(time)),
        version: command.parent?.version() ?? '',
        time,
        cluster: kubeconfig === undefined ? undefined : await clusterOf(io, { kubeconfig }),
        name,
        configuration: path(options.configuration),
        media,
        plan: await plannedInstall(io, options, media, session.flow),
        hostsDir: path(options.hostsDir),
        trustState: trustState(io, options),
        logs: (options.logs ?? []).map((one) => absolute(io, one)),
        environment: ownEnvironment(io),
      };
      const result = await makeSupportBundle(request, session.flow).finally(registries.close);
      printResult(session, options, 'support-bundle', result, supportBundleView);
    });
}

/** Milliseconds that a component may take in an install that is only planned. */
const TIMEOUT = 300_000;

/** Returns what foresees an install. Nobody's signatures are asked for: nothing is installed. */
async function plannedInstall(
  io: Io,
  options: Options,
  media: SupportBundleRequest['media'],
  flow: Flow,
): Promise<SupportBundleRequest['plan']> {
  const asked = plannedOptions(options);
  // Nobody logs in anywhere.
  const delivery = await deliveryThrough(io, asked, async () => ({ proxy: proxyOf(io), signal: flow.signal }));
  const hostsDir = asked.hostsDir === undefined ? undefined : absolute(io, asked.hostsDir);
  const lenient = { trust: 'skip', variables: {}, allowMissingImages: true, test: false, strict: false } as const;
  const how = { ...lenient, media, delivery, hostsDir, environment: ownEnvironment(io), timeout: TIMEOUT };
  return (configuration, cluster, own) => foreseeInstall({ ...how, configuration, cluster }, own);
}

/** The options of that install. Mirrors are looked at in any case, but images in a place of this machine have none. */
function plannedOptions({ hostsDir, ...ways }: Options): ImageDeliveryOptions {
  const { imageFolder, imageFolderFormat, containerd, imageStore } = ways;
  const isPlaced = (imageFolder ?? containerd ?? imageStore) !== undefined && imageFolderFormat !== 'txt';
  return { ...ways, listen: '127.0.0.1:0', ...(isPlaced || hostsDir === undefined ? {} : { hostsDir }) };
}

function nameAt(time: number): string {
  return `solpack-support-${new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')}.tar.gz`;
}

const help = `
Examples:
  $ solpack support-bundle --kubeconfig admin.conf -f solutions.yaml --logs /var/log/solpack/install.log
  $ solpack support-bundle edge --kubeconfig admin.conf -o edge.tar.gz --json | jq .missing`;

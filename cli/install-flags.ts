import { type Command, Option } from 'commander';
import { repeated } from './arguments.ts';
import { grantFlags } from './document-grants.ts';
import { OUTPUT } from './option-groups.ts';
import { caFileOption } from './place.ts';
import { plainHttpOption } from './registry.ts';
import { valuesOption } from './site-values.ts';

/** Adds the options of `InstallOptions`, but those of registries and of all commands. */
export function installFlags(command: Command): Command {
  command
    .optionsGroup('What:')
    .requiredOption('-f, --configuration <file>', 'the SolutionsConfiguration')
    .option('--confirm <file>', 'do exactly what this plan says, which "--plan --json" printed, or refuse');
  command
    .option('-y, --yes', 'install without asking')
    .option(
      '--allow-removal <name>',
      'allow that this Solution, its data, or a newer release of it is removed; may be repeated',
      repeated,
    );
  bringFlags(command);
  return command
    .addOption(plainHttpOption())
    .optionsGroup(OUTPUT)
    .option('--render <dir>', 'write the rendered objects below this folder, in order')
    .option(
      '--kube-version <version>',
      'the Kubernetes version for --render (default: the newest that all are proven for)',
    )
    .option('--images-only', 'deliver images and nothing else: no cluster is asked, no object is rendered')
    .option('--plan', 'print what the install would do, and do nothing')
    .option('--all', 'list every image, not only their number');
}

/** Adds those that say how what a configuration names is brought about, whoever reads it. */
export function bringFlags(command: Command): void {
  whatFlags(command.optionsGroup('What:'));
  trustFlags(command.optionsGroup('Trust:'));
  grantFlags(command);
  imageFlags(command.optionsGroup('Images:'));
  clusterFlags(command.optionsGroup('Cluster:'));
}

function whatFlags(command: Command): void {
  command
    .addOption(caFileOption())
    .option(valuesOption.flags, valuesOption.description, repeated)
    .option(
      '--variable <name=value>',
      'set a variable of the node for plugins; may be repeated ("solpack docs plugins")',
      repeated,
    );
}

/** Adds the options of `InstallTrustOptions`. */
export function trustFlags(command: Command): void {
  command
    .option(
      '--key <pub>',
      'a public key (PEM); may be repeated: one of them has to have signed each active archive',
      repeated,
    )
    .option('--policy <file>', 'a trust policy ("solpack docs trust"), which decides whose signatures count')
    .option('--trust-state <dir>', 'where installs remember releases (default: /var/lib/solpack/trust for root)')
    .option('--allow-downgrade', 'install a release even if a newer one was installed before')
    .option(
      '--allow-unsigned <root>',
      'install the archive or medium of this root, sha256:…, without a signature; may be repeated. The policy holds otherwise',
      repeated,
    )
    .option('--insecure-skip-verify', 'do not check who signed the archives; their bytes are still checked');
}

function imageFlags(command: Command): void {
  command
    .option('--registry <url>', 'push images to this registry (http:// or https://, a path is a prefix of all names)')
    .option('--served-at <url>', 'ask this running "solpack serve" whether it has the images')
    .option('--listen <address>', 'HOST:PORT of the embedded registry; port 0 is any free one', '127.0.0.1:0')
    .option('--hold', 'keep the embedded registry running until interrupted')
    .option('--hosts-dir <dir>', "write mirrors to this folder, containerd's config_path; image names stay as they are")
    .option(
      '--image-folder <kind[:dir]>',
      'put images into the folder from which k3s, rke2 or k0s imports them; DIR if that is not the default',
    )
    .addOption(imageFolderFormatOption())
    .option('--containerd <socket>', 'import images into the containerd that listens there, and pin them')
    .option('--image-store <dir>', 'put images into this additional image store of podman and CRI-O')
    .option('--strict', 'also refuse what only looks like an image that is not in the archive')
    .option('--allow-missing-images', 'continue even if objects use images that their archive does not hold')
    .option('--allow-missing-platforms', 'continue even if an image is not for the platform of a node');
}

/** Makes the option that says in which form images get into a folder. */
export function imageFolderFormatOption(): Option {
  return new Option(
    '--image-folder-format <form>',
    'the form: archives, or a list of images that a registry has',
  ).choices(['tar', 'tar.zst', 'txt']);
}

function clusterFlags(command: Command): void {
  command
    .option('--kubeconfig <file>', 'apply to the cluster of this kubeconfig, and wait until all is ready')
    .option(
      '--timeout <duration>',
      'how long a component without a limit of its own may take to become ready, and a removed object to be gone',
      '5m',
    )
    .option('--rollback-on-failure', 'if something does not become ready in time, go back to the previous generation')
    .option(
      '--through',
      'if a Solution may not be installed over the present version, install the versions between first',
    )
    .option('--keep-generations <count>', 'how many generations the cluster remembers for status and rollback', '10')
    .option('--test', 'run the tests of charts once everything is ready')
    .option('--progress-to <namespace/name>', 'write progress and outcome into this ConfigMap')
    .option('--progress-as <name>', 'the name of this run there (default: its host and process)')
    .option('--force-conflicts', 'take over fields that others have set')
    .option(
      '--take-over <solution>',
      'take this Solution, with its environments, over from the configuration that has it; may be repeated',
      repeated,
    )
    .option('--allow-unsupported-kubernetes', 'continue even if a Solution is not for the version of the cluster')
    .option('--allow-breaking-definitions', 'continue even if a definition breaks stored custom resources');
}

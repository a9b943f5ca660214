import type { ErrorCode } from '../../kernel/events/errors.ts';

/** What to do about each error, in a sentence or two. */
export const errorAdvice: Readonly<Record<ErrorCode, string>> = {
  'usage-invalid': 'Read what the message asks for; `solpack COMMAND --help` lists arguments and flags.',
  'file-missing': 'Check the path. Paths in a definition or a configuration are relative to that file.',
  'file-unreadable': 'Check who may read it (`ls -l`), and that it is a file and no folder.',
  'output-unwritable':
    'Check that the folder exists, that you may write there, and that the file system is not read-only.',
  'output-exists': 'Choose another name, or move away what is there. solpack overwrites nothing of yours.',
  'disk-full': 'Make room, or choose another disk; TMPDIR moves temporary files. Then run the same command again.',
  'path-escapes': 'Do not trust what wrote this. Extract the paths that you need by name.',
  'definition-invalid': 'Correct the line that the message names. docs/format.md lists every field.',
  'lock-mismatch':
    'Find out whether the change is wanted. If it is, renew the lock with `pack --update`, for one image or component by its name.',
  'image-absent': 'Check `reference` and `source` of the image, and that it was built or pulled there.',
  'image-unsupported': 'Build or convert the image anew: it has to be an OCI image, or one of Docker schema 2.',
  'source-invalid':
    'Make the layout or the archive anew with the tool that wrote it, and look at it with `skopeo inspect`.',
  'sbom-invalid': 'Name a CycloneDX or SPDX document in JSON.',
  'attestation-absent': '`solpack inspect` lists the attestations that the archive has.',
  'component-absent': 'Check `path` of the component, and that what it names is in the folder of the definition.',
  'component-invalid': 'Let its own tool say more: `helm lint`, `helm template`, `kubectl kustomize`.',
  'installer-invalid': 'Name programs that are built for that platform, for instance as their projects publish them.',
  'solution-open':
    'Each line above is one thing to correct. `solpack check` lists them again, and `solpack images --write` adds images that are missing.',
  'object-reserved': 'Leave the object, or the label, out of the component: solpack writes it itself.',
  'archive-invalid': 'Check that this is the file that `pack` wrote. `solpack ls` shows what is in any ISO or tar.',
  'archive-damaged': 'Fetch the archive again. `solpack verify` tells which parts are damaged.',
  'archive-incomplete':
    'Name the archive of an older release beside the delta: `solpack inspect` tells which ones complete it. `solpack merge` makes one whole archive of both.',
  'archive-path-missing': '`solpack ls ARCHIVE` lists what there is.',
  'archive-limit': 'Pack the other format: `--format tar`, or `--format iso`.',
  'content-mismatch': 'Fetch the content again. If it differs again, whoever holds it has changed or damaged it.',
  'key-invalid': 'Name a PEM file with an ECDSA P-256 or Ed25519 key. `solpack keygen` makes one.',
  'signature-slots-full': 'Free a slot with `solpack unsign`, or sign into a file of its own with `sign -o`.',
  'not-trusted':
    'Do not install it. Ask for the right key or the next policy; `solpack verify` with the same flags lists all that is missing. Instead of what may not come back, install a release that is trusted.',
  'trust-required': 'Say whose signatures count: `--key release.pub`, or `--policy trust.toml`.',
  'policy-invalid': 'Correct the line that the message names. docs/trust.md lists every field.',
  'policy-untrusted': 'Have the next policy signed by as many keys as the present one demands: `solpack trust sign`.',
  'mend-invalid': 'Write the mend as docs/trust.md shows it, with what `solpack trust show` prints.',
  'mend-untrusted': 'Have the mend signed by as many keys as the policy demands: `solpack trust sign`.',
  'mend-mismatch': 'Look at what is remembered now with `solpack trust show`, and write the mend for that.',
  'trust-state-invalid':
    'Bring the folder of `--trust-state` back from its backup. Do not delete it: it keeps older releases out.',
  'verification-failed':
    'Do not use the archive. Fetch it again, and compare its root with the one that was published.',
  'profile-invalid': 'Correct the line that the message names. `solpack profile` lists what a profile may say.',
  'profile-unsafe':
    'Look at who owns the file and its folders (`ls -ld`). Whoever may write there decides what is installed here.',
  'configuration-invalid': 'Correct the line that the message names. docs/format.md shows both forms.',
  'configuration-bounds':
    'If the configuration is right, allow what it names: `--allow-files`, `--allow-variable`, `--allow-address` or `--allow-registry` of `solpack agent` or `solpack install`. docs/agent.md tells what each allows.',
  'site-invalid': 'Correct the value or the patch. `solpack render --values` shows what it brings about.',
  'plan-invalid': 'Make the plan anew: `solpack install … --plan --json > plan.json`.',
  'plan-outdated': 'Make the plan anew, read what is different now, and confirm that one.',
  'removal-unnamed':
    'Nothing was changed. If it is meant, name the Solution: on a terminal, where you are asked for it, or by `--allow-removal NAME`. ' +
    '`solpack install --plan` lists what goes.',
  'version-conflict': 'Take one of the two out of the configuration: `solpack unimport`.',
  'version-absent': 'Import the archive of that version, or activate one that is there.',
  'archive-gone':
    'Mount the medium, or put the archive back, and run the same command again. Nothing was changed. ' +
    'To remove the Solution, say so by name: `solpack deactivate NAME`, then install. To go down, `solpack activate NAME VERSION`.',
  'set-impossible':
    'Do one of the things that the message names: import an archive, activate another version, or leave a Solution out. ' +
    '`solpack resolve` tells the same without installing anything.',
  'generation-absent': '`solpack history` lists the generations that the cluster remembers.',
  'rollback-unsafe':
    'Install the older version from its archive: its plugin is asked how they have to change. Or give `--leave-migrated`, and change them by hand.',
  'version-active': 'Activate another version first, or deactivate the Solution.',
  'solution-unknown': '`solpack status` lists what the cluster has. Check the kubeconfig as well.',
  'generation-unfinished': 'Run the same install once more, or go back with `solpack rollback`.',
  'image-conflict':
    'Give each image a name of its own, or leave one of the two archives out: names differ in more than the host, and a version of a Solution has one content.',
  'credentials-invalid': 'Log in anew with `podman login` or `docker login`, or correct the file.',
  'certificate-invalid': 'Name a PEM file; the folder is HOST:PORT below `--certs-dir`, the file `ca.crt`.',
  'registries-invalid':
    'Correct the file as containers-registries.conf(5) says, or name another in CONTAINERS_REGISTRIES_CONF.',
  'registry-unreachable': 'Check name, port, name service and proxies. A registry without TLS needs `--plain-http`.',
  'registry-denied':
    'Log in: `--username` with `--password-stdin`, or `--authfile`. The user may lack rights for that repository.',
  'registry-error': 'Run it again; what arrived is not sent twice. The log of the registry tells more.',
  'solution-absent': 'Check repository and tag. What `solpack push` printed is the whole reference.',
  'registry-incomplete': 'Push the archive again: only what is missing is sent.',
  'remote-unreachable': 'Check address, name service and proxies.',
  'remote-denied': 'Check the address and its rights. Tokens in an address may have expired.',
  'remote-error': 'Run it again, or download the file by other means and name that.',
  'remote-unranged': 'Download the file, or have it served by a server that answers range requests.',
  'remote-changed': 'Run it again: it reads the new file.',
  'store-busy': 'End the other `solpack serve` of that folder, or choose another `--store`.',
  'tls-invalid': 'Name a certificate in PEM, its chain behind it, and the private key that belongs to it.',
  'passwords-invalid': 'Write `user:hash` in each line, with hashes of `openssl passwd -6`.',
  'listen-failed': 'Choose another address or port with `--listen`; `ss -ltnp` tells who has that one.',
  'tool-missing': 'Install the program, or name its folder in PATH.',
  'tool-failed': 'Read what the program said, which the message ends with; run it by hand to see all of it.',
  'plugin-failed': 'Run the plugin by hand, and compare what it does with docs/plugins.md.',
  'plugin-unmet': 'Meet the precondition that the plugin names, or wait for it with `load --retry-for`.',
  'plugin-misconfigured': 'Correct the variables that the plugin names: `--variable NAME=VALUE`.',
  'mirror-foreign': 'Move that hosts.toml away, or merge both by hand, or choose another `--hosts-dir`.',
  'kubeconfig-invalid': 'Try it with `kubectl --kubeconfig FILE version`, and correct what that names.',
  'image-record-invalid':
    'Look at the `record.json` that it names: it is not what solpack wrote. Remove by hand the images that solpack has put there (their files begin with `solpack-`), then that file, and install again.',
  'image-missing':
    'Pack the Solution with that image. Where nodes have it by other means, `--allow-missing-images` goes on.',
  'kubernetes-unsupported':
    'Take a version of the Solution that is for this cluster, or upgrade the cluster. `--allow-unsupported-kubernetes` goes on.',
  'platform-missing':
    'Pack the Solution with that platform, or keep its Pods from such nodes. `--allow-missing-platforms` goes on.',
  'definition-breaking':
    'Convert or remove the custom resources that the message names. `--allow-breaking-definitions` goes on, and may lose them.',
  'cluster-unreachable': 'Check the address in the kubeconfig, the network, and that the API server runs.',
  'cluster-unauthorized': 'Get a new kubeconfig or token: the credentials are wrong or have expired.',
  'cluster-forbidden': 'Have the rights granted that the message names, for instance by a ClusterRole.',
  'cluster-error': 'Run it again: an install goes on where it was. The log of the API server tells more.',
  'kind-unknown': 'Install what defines that kind first, or activate the Solution that brings it.',
  'configuration-busy': 'Wait for the other run, which the message names. Its lease ends by itself if it was killed.',
  'object-refused': 'Read the reason, which is that of the API server or a webhook, and correct the object.',
  'object-conflict': 'Find out who else manages the object. `--force-conflicts` takes its fields over.',
  'object-not-ready':
    'Read the cause that the message names; `solpack status` shows it again. Then run the same command.',
  'rolled-back': 'What runs is the generation before. The lines above tell why the new one failed.',
  'test-failed': 'Read the log of the test, which is shown. What was installed stays.',
  'object-not-removed':
    'Look at the finalizers of the object: `kubectl get … -o yaml`. Whoever set them has to remove them.',
};

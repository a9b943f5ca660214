import type { ErrorCode } from '../../kernel/events/index.ts';

/** What to do about each error, in a sentence or two. */
export const errorAdvice: Readonly<Record<ErrorCode, string>> = {
  'usage-invalid': 'Do what the message says; `solpack COMMAND --help` lists arguments and flags.',
  'file-missing': 'Check the path. Paths in a definition or a configuration are relative to that file.',
  'file-unreadable': 'Check who may read it (`ls -l`), and that it is a file and no folder.',
  'output-unwritable':
    'Check that the folder exists, that you may write there, and that the file system is not read-only.',
  'output-exists': 'Choose another name, or move the existing file away. solpack does not overwrite your files.',
  'disk-full': 'Free space, or choose another disk; TMPDIR moves temporary files. Then run the same command again.',
  'path-escapes': 'Do not trust the program that wrote this archive. Extract the paths that you need by name.',
  'definition-invalid': 'Correct the line that the message names. `solpack docs format` lists every field.',
  'lock-mismatch':
    'If you want the change, renew the lock with `pack --update`, for one image or component by its name.',
  'image-absent': 'Check `reference` and `source` of the image, and that it was built or pulled there.',
  'image-unsupported': 'Build or convert the image again, as an OCI image or a Docker schema 2 image.',
  'source-invalid':
    'Create the layout or the archive again with the tool that wrote it, and check it with `skopeo inspect`.',
  'sbom-invalid': 'Name a CycloneDX or SPDX document in JSON.',
  'attestation-absent': '`solpack inspect` lists the attestations that the archive has.',
  'component-absent': 'Check `path` of the component, and that the path exists in the folder of the definition.',
  'component-invalid': 'Run its own tool for details: `helm lint`, `helm template`, `kubectl kustomize`.',
  'installer-invalid': 'Name programs that are built for that platform, for example the releases of their projects.',
  'solution-open':
    'Each line above is one problem to correct. `solpack check` lists them again, and `solpack images --write` adds images that are missing.',
  'object-reserved': 'Leave the object, or the label, out of the component: solpack writes it itself.',
  'archive-invalid': 'Check that this is the file that `pack` wrote. `solpack ls` shows what is in any ISO or tar.',
  'archive-damaged': 'Fetch the archive again. `solpack verify` reports which parts are damaged.',
  'archive-incomplete':
    'Name the archive of an older release beside the delta: `solpack inspect` lists the archives that complete it. `solpack merge` makes one whole archive of both.',
  'archive-path-missing': '`solpack ls ARCHIVE` lists the paths of the archive.',
  'archive-limit': 'Use the other format: `--format tar`, or `--format iso`.',
  'content-mismatch': 'Fetch the content again. If it differs again, its source has changed or damaged it.',
  'key-invalid': 'Name a PEM file with an ECDSA P-256 or Ed25519 key. `solpack keygen` makes one.',
  'signature-slots-full':
    'Free a slot with `solpack unsign`, or write the signature to a separate file with `sign -o`.',
  'not-trusted':
    'Do not install it. Ask for the right key or the next policy; `solpack verify` with the same flags lists everything that is missing. For a rollback or repair, install a trusted release instead.',
  'trust-required': 'Say whom to trust: `--key release.pub`, or `--policy trust.toml`.',
  'policy-invalid': 'Correct the line that the message names. `solpack docs trust` lists every field.',
  'policy-untrusted':
    'Have the next policy signed by as many keys as the current policy requires: `solpack trust sign`.',
  'mend-invalid': 'Write the correction as `solpack docs trust` shows, with the output of `solpack trust show`.',
  'mend-untrusted': 'Have the correction signed by as many keys as the policy requires: `solpack trust sign`.',
  'mend-mismatch': 'Print the current state with `solpack trust show`, and write the correction for that.',
  'trust-state-invalid':
    'Restore the folder of `--trust-state` from its backup. Do not delete it: it prevents the install of older releases.',
  'verification-failed':
    'Do not use the archive. Fetch it again, and compare its root with the one that was published.',
  'profile-invalid': 'Correct the line that the message names. `solpack profile` lists all settings.',
  'profile-unsafe':
    'Check who owns the file and its folders (`ls -ld`). Whoever can write to them decides what is installed on this machine.',
  'configuration-invalid': 'Correct the line that the message names. `solpack docs format` shows both forms.',
  'configuration-bounds':
    'If the configuration is right, allow what it names: `--allow-files`, `--allow-variable`, `--allow-address` or `--allow-registry` of `solpack agent` or `solpack install`. `solpack docs agent` describes what each flag allows.',
  'site-invalid': 'Correct the value or the patch. `solpack render --values` shows its effect.',
  'plan-invalid': 'Create the plan again: `solpack install … --plan --json > plan.json`.',
  'plan-absent':
    '`solpack approval status` prints what the agent reports. An agent without `--approve manual` asks nobody, and one that has installed the configuration has no plan.',
  'plan-outdated': 'Create the plan again, read what has changed, and confirm the new plan.',
  'removal-unnamed':
    'Nothing was changed. If you want the removal, name the Solution: on a terminal when solpack asks, or with `--allow-removal NAME`. ' +
    '`solpack install --plan` lists what would be removed.',
  'version-conflict': 'Remove one of the two from the configuration: `solpack unimport`.',
  'version-absent': 'Import the archive of that version, or activate a version that has an archive.',
  'archive-gone':
    'Mount the medium, or put the archive back, and run the same command again. Nothing was changed. ' +
    'To remove the Solution, run `solpack deactivate NAME`, then install. To downgrade, run `solpack activate NAME VERSION`.',
  'set-impossible':
    'Do one of the things that the message names: import an archive, activate another version, or leave a Solution out. ' +
    '`solpack resolve` prints the same without installing anything.',
  'generation-absent': '`solpack history` lists the generations that the cluster remembers.',
  'rollback-unsafe':
    'Install the older version from its archive: its plugin migrates the objects back. Or give `--leave-migrated`, and change them by hand.',
  'version-active': 'Activate another version first, or deactivate the Solution.',
  'solution-unknown': '`solpack status` lists what the cluster has. Check the kubeconfig too.',
  'generation-unfinished': 'Run the same install again, or go back with `solpack rollback`.',
  'image-conflict':
    'Give each image its own name, or remove one of the two archives. Names have to differ in more than the host, and a version of a Solution has one content.',
  'credentials-invalid': 'Log in again with `podman login` or `docker login`, or correct the file.',
  'certificate-invalid': 'Name a PEM file; the folder is HOST:PORT below `--certs-dir`, the file `ca.crt`.',
  'registries-invalid':
    'Correct the file as containers-registries.conf(5) says, or name another in CONTAINERS_REGISTRIES_CONF.',
  'registry-unreachable': 'Check name, port, DNS and proxies. A registry without TLS needs `--plain-http`.',
  'registry-denied':
    'Log in: `--username` with `--password-stdin`, or `--authfile`. The user may lack rights for that repository.',
  'registry-error': 'Run it again; solpack does not send again what arrived. The log of the registry has details.',
  'solution-absent': 'Check repository and tag. `solpack push` prints the whole reference.',
  'registry-incomplete': 'Push the archive again: only what is missing is sent.',
  'remote-unreachable': 'Check address, DNS and proxies.',
  'remote-denied': 'Check the address and its rights. A token in the address may have expired.',
  'remote-error': 'Run it again, or download the file by other means and use that copy.',
  'remote-unranged': 'Download the file, or use a server that supports range requests.',
  'remote-changed': 'Run it again: it then reads the new file.',
  'store-busy': 'Stop the other `solpack serve` of that folder, or choose another `--store`.',
  'tls-invalid': 'Name a PEM file with the certificate followed by its chain, and the matching private key.',
  'passwords-invalid': 'Write `user:hash` on each line, with hashes of `openssl passwd -6`.',
  'listen-failed': 'Choose another address or port with `--listen`; `ss -ltnp` shows which program uses that one.',
  'scan-database-outdated':
    'Fetch the database where there is a network, and bring it to this machine; the hint has the command. `--max-db-age` accepts an older one.',
  'tool-missing': 'Install the program, or add its folder to PATH.',
  'tool-failed': 'The message ends with the output of the program; run it by hand to see all of it.',
  'plugin-failed': 'Run the plugin by hand, and compare its behaviour with `solpack docs plugins`.',
  'plugin-unmet': 'Meet the precondition that the plugin names, or wait for it with `load --retry-for`.',
  'plugin-misconfigured': 'Correct the variables that the plugin names: `--variable NAME=VALUE`.',
  'mirror-foreign': 'Move that hosts.toml away, or merge both by hand, or choose another `--hosts-dir`.',
  'kubeconfig-invalid': 'Try it with `kubectl --kubeconfig FILE version`, and correct what kubectl reports.',
  'image-record-invalid':
    'Check the `record.json` that the message names: something other than solpack has changed it. Remove by hand the images that solpack put there (their files begin with `solpack-`), then that file, and install again.',
  'image-missing':
    'Pack the Solution with that image. If nodes have it already, `--allow-missing-images` continues without it.',
  'kubernetes-unsupported':
    'Install a version of the Solution for this cluster, or upgrade the cluster. `--allow-unsupported-kubernetes` continues anyway.',
  'platform-missing':
    'Pack the Solution with that platform, or keep its Pods off such nodes. `--allow-missing-platforms` continues anyway.',
  'definition-breaking':
    'Convert or remove the custom resources that the message names. `--allow-breaking-definitions` continues, and may lose them.',
  'cluster-unreachable': 'Check the address in the kubeconfig, the network, and that the API server runs.',
  'cluster-unauthorized': 'Get a new kubeconfig or token: the credentials are wrong or have expired.',
  'cluster-forbidden': 'Have the rights that the message names granted, for example with a ClusterRole.',
  'cluster-error': 'Run it again: an install continues where it stopped. The log of the API server has details.',
  'kind-unknown': 'First install what defines that kind, or activate the Solution that brings it.',
  'configuration-busy': 'Wait for the run that the message names. If it was killed, its Lease expires by itself.',
  'object-refused': 'Read the reason, which comes from the API server or a webhook, and correct the object.',
  'object-conflict': 'Find out who else manages the object. `--force-conflicts` takes over its fields.',
  'object-not-ready':
    'Read the cause that the message names; `solpack status` shows it again. Then run the same command.',
  'rolled-back': 'The previous generation is running. The lines above say why the new one failed.',
  'test-failed': 'Read the log of the test above. The Solution stays installed.',
  'object-not-removed':
    'Check the finalizers of the object: `kubectl get … -o yaml`. The controller that set them has to remove them.',
};

import type { FindingCode } from '../../kernel/content/index.ts';
import type { ClosureFindingCode } from '../../shared/rendering/index.ts';

const again = 'Fetch the archive again, and do not use this one.';
const signer = 'Ask the publisher for an archive with the signatures that you require.';

/** What to do about each finding of `verify`. */
export const findingAdvice: Readonly<Record<FindingCode, string>> = {
  'blob-mismatch': again,
  'structure-mismatch': again,
  'unlisted-file': 'Somebody added a file. Use an archive as `pack` wrote it.',
  'missing-file': again,
  'not-canonical': 'Use the original, or check contents alone with `--content-only`.',
  'trailing-data': 'Cut what follows the archive, or copy it from the medium with its exact size.',
  truncated: 'Copy it again, and compare the sizes: the copy was cut off, or the medium is too small.',
  'unreadable-tree': again,
  'checksum-mismatch': 'Copy the medium again, and its file of checksums with it.',
  'image-unusable': 'Ask the maker of the medium for a complete one, or do without the named image.',
  unproved:
    'Fetch the file of checksums that its producer published, or check the medium in another way, and sign it: `solpack sign --private-key KEY -o MEDIUM.sigstore.json`.',
  'root-invalid': again,
  'signature-invalid': 'Remove that signature with `solpack unsign`, and have the archive signed again.',
  'attestation-invalid': 'Have the archive packed and signed again.',
  'signature-untrusted': signer,
  'threshold-unmet': 'Have more of the keys sign that the policy names: `solpack sign`.',
  'signature-repeated': 'Have other keys sign: each key counts once.',
  'key-revoked': signer,
  'key-expired': signer,
  'key-not-yet-valid': 'Wait until the key is valid, or check the clock of this machine.',
  'solution-denied': 'Take another release: this one is known to be bad.',
  'solution-expired': 'Take a newer release.',
  'solution-from-the-future': 'Compare the clocks of this machine and of the one that packed.',
  'sequence-too-low': 'Take a newer release.',
  downgrade: 'Take a newer release. `install --allow-downgrade` accepts this one anyway, and records it.',
  'policy-unmatched': 'Check the name of the Solution, and the patterns of the rules in the policy.',
  'predicate-missing': 'Ask for an archive with that attestation; `pack` takes it from the definition.',
  'policy-bounds': 'Have it signed by a key that the policy allows to do that, or change the policy.',
};

/** What to do about each finding of `check`. */
export const closureAdvice: Readonly<Record<ClosureFindingCode, string>> = {
  'not-rendered': 'Correct the component; its own tool says more: `helm template`, `kubectl kustomize`.',
  'image-unheld': 'Add the image with `solpack images --write`, or list it in `external-images` if sites provide it.',
  'image-unused':
    '`solpack images --prune` removes it from the definition. If a value of a site, an operator or a plugin needs it, write `keep = true` in its entry.',
  'image-likely': 'Add the image, list it in `external-images`, or leave `--strict` out.',
  'object-twice': 'Leave one of the two out, or give it another name or namespace.',
  'object-invalid': 'Correct the field that the message names; `kubectl explain` shows what it can be.',
  'namespace-absent': 'Set `create-namespace = true` for the component, or add a Namespace.',
  'kind-absent':
    'Add a component that has its CustomResourceDefinition, or name the kind under `[requires]` if another Solution or the cluster provides it.',
  'address-fetched':
    'Add what it fetches as a component or an image, disable it by a value of the chart, or leave `--strict` out.',
  'probe-field-absent':
    'Correct the expression under `[[components.ready]]`, check with `has()` that the field exists, or add it to the CustomResourceDefinition.',
};

/** What to do about reasons that formats give, by the beginning of their codes; the last is for all others. */
export const reasonAdvice: readonly (readonly [start: string, advice: string])[] = [
  ['iso9660-', 'Use the archive as `pack` wrote it. If another program made this image, try `tar` instead.'],
  ['tar-', 'Use the archive as `pack` wrote it, or create the tar again without such features.'],
  [
    'toml-',
    'Correct the line that the message names. `solpack docs format` and `solpack docs trust` list every field.',
  ],
  ['yaml-', 'Correct the line that the message names; indentation is by spaces.'],
  ['json-', 'Create the file again with the program that wrote it.'],
  ['reference-', 'Write HOST/REPOSITORY:TAG, or HOST/REPOSITORY@sha256:… with 64 digits.'],
  ['duration-', 'Write a number and a unit, such as 90s, 5m or 1h30m.'],
  ['schema1-', 'Pull and push the image once with a current tool, which converts it.'],
  ['htpasswd-', 'Write `user:hash` in each line, with hashes of `openssl passwd -6`.'],
  ['', 'The message with this reason names the file: create it again, or fetch it again.'],
];
